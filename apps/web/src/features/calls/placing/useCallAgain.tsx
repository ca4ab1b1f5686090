import type { Call } from '@parley/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { credits } from '../../../lib/format/format.ts'
import { offerNotifications } from '../../../lib/live/notifications.ts'
import { useWords } from '../../../words/index.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { endingText, isBrokenOff } from '../status.ts'
import { newCallOf } from './callForm.ts'
import { useCanCall } from './usePlaceCall.tsx'
import { isAmong, useWaiting, waitingCalls } from './waiting.ts'

interface CallAgain {
  /** Without credits it only shows why. */
  readonly callAgain: (call: Call) => void
  /** Whether this call is waiting to be placed again. */
  readonly isWaiting: (call: Call) => boolean
  /** Render this where the hook is used: a callee who was already spoken to is called again only after confirmation. */
  readonly confirmation: ReactNode
}

/** Calls again ('Call again' and 'Retry') after a countdown with Undo (WaitingCalls.tsx). */
export function useCallAgain(onGiven?: () => void): CallAgain {
  const { again } = useWords().calls
  const canCall = useCanCall()
  const navigate = useNavigate()
  const { calls } = useWaiting()
  const [confirming, setConfirming] = useState<Call>()
  const give = (call: Call) => {
    setConfirming(undefined)
    waitingCalls.add(newCallOf(call))
    // The browser requires a user gesture for this prompt.
    void offerNotifications()
    onGiven?.()
  }
  // Private values are deleted when a call ends.
  const askAgain = ({ id, vault }: Call) => {
    void navigate({ to: '/make-call', search: { from: id } })
    toast({ title: again.privateTitle, description: again.privateHint(vault.map(({ name }) => name).join(', ')) })
    onGiven?.()
  }
  return {
    callAgain(call) {
      if (!canCall()) return
      if (call.vault.length > 0) return askAgain(call)
      if (isBrokenOff(call)) setConfirming(call)
      else give(call)
    },
    isWaiting: (call) => isAmong(calls, newCallOf(call)),
    confirmation: (
      <ConfirmDialog
        open={confirming !== undefined}
        onOpenChange={(open) => !open && setConfirming(undefined)}
        title={again.title}
        question={confirming && again.question(endingText(confirming) ?? '', credits(confirming.creditsCharged ?? 0))}
        confirm={again.confirm}
        tone="primary"
        onConfirm={() => confirming && give(confirming)}
      />
    ),
  }
}
