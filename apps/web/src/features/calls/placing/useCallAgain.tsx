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
  /** Does nothing where there are no credits to call with, and says so. */
  readonly callAgain: (call: Call) => void
  /** Whether this call's order is about to be placed once more. */
  readonly isWaiting: (call: Call) => boolean
  /** Stands wherever the hook is used: somebody who was spoken to already is not called a second time by one press. */
  readonly confirmation: ReactNode
}

/**
 * One press that calls somebody once more: 'Call again' and 'Retry'. It can be taken back until the call is placed
 * (WaitingCalls.tsx).
 */
export function useCallAgain(onGiven?: () => void): CallAgain {
  const { again } = useWords().calls
  const canCall = useCanCall()
  const { orders } = useWaiting()
  const [asked, setAsked] = useState<Call>()
  const give = (call: Call) => {
    setAsked(undefined)
    waitingOrders.add(orderOf(call))
    // The browser wants a press for this question.
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
