import type { Call } from '@parley/contract'
import { useState, type ReactNode } from 'react'
import { credits } from '../../../lib/format/format.ts'
import { askToNotify } from '../../../lib/live/notifications.ts'
import { useWords } from '../../../words/index.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { endingText, isBrokenOff } from '../status.ts'
import { orderOf } from './callForm.ts'
import { useCanCall } from './usePlaceCall.tsx'
import { isAmong, useWaiting, waitingOrders } from './waiting.ts'

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
  const { orders } = useWaiting()
  const [asked, setAsked] = useState<Call>()
  const give = (call: Call) => {
    setAsked(undefined)
    waitingOrders.add(orderOf(call))
    // The browser requires a user gesture for this prompt.
    void askToNotify()
    onGiven?.()
  }
  return {
    callAgain(call) {
      if (!canCall()) return
      if (isBrokenOff(call)) setAsked(call)
      else give(call)
    },
    isWaiting: (call) => isAmong(orders, orderOf(call)),
    confirmation: (
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={again.title}
        question={asked && again.question(endingText(asked) ?? '', credits(asked.creditsCharged ?? 0))}
        confirm={again.confirm}
        tone="primary"
        onConfirm={() => asked && give(asked)}
      />
    ),
  }
}
