import { useEffect, useEffectEvent } from 'react'
import { useWords } from '../../../words/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { Answer } from './door.ts'

const LOOK_EVERY_MS = 700

export interface BankQuestion {
  /** The URL of the bank's page. */
  readonly url: string
  readonly look: () => Promise<Answer>
  readonly answer: (answer: Answer) => void
}

interface SecureStepProps {
  /** The amount; undefined when a card is saved. */
  readonly amount: string | undefined
  readonly question: BankQuestion | undefined
}

/** 3-D Secure: the bank's page in a frame, until it has decided or the user closes it. */
export function SecureStep({ amount, question }: SecureStepProps) {
  const { card } = useWords().credits
  useDecision(question)
  return (
    <Dialog
      open={question !== undefined}
      onOpenChange={(open) => !open && void question?.look().then(question.answer)}
      title={card.authTitle}
      lead={amount ? card.auth(amount) : card.authSave}
    >
      <iframe title={card.authFrame} src={question?.url} className="h-80 w-full rounded-base border border-line" />
    </Dialog>
  )
}

/** The frame is cross-origin, so the result is polled from the processor. */
function useDecision(question: BankQuestion | undefined): void {
  const look = useEffectEvent(async () => {
    const seen = await question?.look()
    if (seen?.kind !== 'intent' || seen.status === 'requires_action') return
    // The bank refused: the intent waits for another card.
    question?.answer(seen.status === 'requires_payment_method' ? { kind: 'refused', message: seen.refusal } : seen)
  })
  const isAsked = question !== undefined
  useEffect(() => {
    if (!isAsked) return undefined
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [isAsked])
}
