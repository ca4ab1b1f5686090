import { useWords } from '../../../lib/words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'

interface SecureStepProps {
  /** What is paid; without one a card is being kept. */
  readonly amount: string | undefined
  /** Open while the bank waits: yes, no, or null for leaving without an answer. */
  readonly onAnswer: ((isAccepted: boolean | null) => void) | undefined
}

/** The bank's own question (3-D Secure), as the sandbox's bank asks it. */
export function SecureStep({ amount, onAnswer }: SecureStepProps) {
  const { card } = useWords().credits
  return (
    <Dialog
      open={onAnswer !== undefined}
      onOpenChange={(open) => !open && onAnswer?.(null)}
      title={card.authTitle}
      lead={amount ? card.auth(amount) : card.authSave}
    >
      <div className="mt-2 grid gap-3">
        <Button size="large" onClick={() => onAnswer?.(true)}>
          {card.authAccept}
        </Button>
        <Button size="large" variant="secondary" onClick={() => onAnswer?.(false)}>
          {card.authRefuse}
        </Button>
      </div>
    </Dialog>
  )
}
