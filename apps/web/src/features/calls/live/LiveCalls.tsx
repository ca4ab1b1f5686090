import { Suspense, useEffect, useState } from 'react'
import { part } from '../../../lib/lazyComponent.ts'
import { closeViewedCall, useViewedCall } from '../history/viewedCall.ts'
import { WaitingCalls } from '../placing/WaitingCalls.tsx'
import { IncomingCall } from '../sound/IncomingCall.tsx'
import { useOpenCall } from './openCall.ts'
import { withTold, type Told } from './told.tsx'
import { useEndNotices } from './useEndNotices.ts'
import { useLiveCalls } from './useLiveCalls.ts'

// A screen where nothing runs need not carry what shows a running call.
const LiveBar = part(async () => ({ default: (await import('./LiveBar.tsx')).LiveBar }))
const LiveCall = part(async () => ({ default: (await import('./LiveCall.tsx')).LiveCall }))
const CallDialog = part(async () => ({ default: (await import('../history/CallDialog.tsx')).CallDialog }))

/**
 * What the shell shows of calls: a slim bar on every screen while some run, the call being watched, the details being
 * read.
 */
export default function LiveCalls() {
  const running = useLiveCalls()
  const openId = useOpenCall()
  const viewed = useViewedCall()
  useEndNotices()
  // Whoever signs in next has calls of their own.
  useEffect(() => closeViewedCall, [])
  // Kept here, so that what the agent was told is still there when the view is closed and opened again.
  const [told, setTold] = useState<readonly Told[]>([])
  // What lies over a screen lies in the order in which it came: a telephone rings over the call that it is part of.
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
            told={told.filter(({ callId }) => callId === openId)}
            onTold={(instruction) => setTold((earlier) => withTold(earlier, instruction))}
          />
        )}
      </Suspense>
    </>
  )
}
