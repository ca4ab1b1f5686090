import { Suspense, useEffect, useState } from 'react'
import { lazyComponent } from '../../../lib/lazyComponent.ts'
import { closeViewedCall, useViewedCall } from '../history/viewedCall.ts'
import { WaitingCalls } from '../placing/WaitingCalls.tsx'
import { IncomingCall } from '../sound/IncomingCall.tsx'
import { useOpenCall } from './openCall.ts'
import { withInstruction, type Instruction } from './instructions.tsx'
import { useCallNotices } from './useCallNotices.ts'
import { useLiveCalls } from './useLiveCalls.ts'

// Lazy: loaded when a call runs.
const LiveBar = lazyComponent(async () => ({ default: (await import('./LiveBar.tsx')).LiveBar }))
const LiveCall = lazyComponent(async () => ({ default: (await import('./LiveCall.tsx')).LiveCall }))
const CallDialog = lazyComponent(async () => ({ default: (await import('../history/CallDialog.tsx')).CallDialog }))

/** The shell's part about calls: the bar of running calls, the watched call, open details. */
export default function LiveCalls() {
  const running = useLiveCalls()
  const openId = useOpenCall()
  const viewed = useViewedCall()
  useCallNotices()
  // The next user has other calls.
  useEffect(() => closeViewedCall, [])
  // Kept here, so that instructions survive closing and reopening the view.
  const [instructions, setInstructions] = useState<readonly Instruction[]>([])
  // Dialogs stack in opening order: an incoming call opens over its own call view.
  const [shownId, setShownId] = useState<string | null>(null)
  return (
    <>
      <Suspense>{running.length > 0 && <LiveBar calls={running} />}</Suspense>
      <Suspense>{viewed && <CallDialog key={viewed.id} call={viewed} onClose={closeViewedCall} />}</Suspense>
      <WaitingCalls />
      <IncomingCall isHeld={openId !== null && openId !== shownId} />
      <Suspense>
        {openId !== null && (
          <LiveCall
            key={openId}
            id={openId}
            onShown={() => setShownId(openId)}
            instructions={instructions.filter(({ callId }) => callId === openId)}
            onInstruction={(instruction) => setInstructions((earlier) => withInstruction(earlier, instruction))}
          />
        )}
      </Suspense>
    </>
  )
}
