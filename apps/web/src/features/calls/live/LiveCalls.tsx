import { lazy, Suspense, useState } from 'react'
import { IncomingCall } from '../sound/IncomingCall.tsx'
import type { Told } from './RunningCall.tsx'
import { useOpenCall } from './openCall.ts'
import { useEndNotices } from './useEndNotices.ts'
import { useLiveCalls } from './useLiveCalls.ts'

// A screen where nothing runs need not carry what shows a running call.
const LiveBar = lazy(async () => ({ default: (await import('./LiveBar.tsx')).LiveBar }))
const LiveCall = lazy(async () => ({ default: (await import('./LiveCall.tsx')).LiveCall }))

/** What the shell shows of running calls: a slim bar on every screen, and the call being watched. */
export default function LiveCalls() {
  const running = useLiveCalls()
  const openId = useOpenCall()
  useEndNotices()
  // Kept here, so that what the agent was told is still there when the view is closed and opened again.
  const [told, setTold] = useState<readonly Told[]>([])
  return (
    <>
      <Suspense>{running.length > 0 && <LiveBar calls={running} />}</Suspense>
      <IncomingCall />
      <Suspense>
        {openId !== null && (
          <LiveCall
            key={openId}
            id={openId}
            told={told.filter(({ callId }) => callId === openId)}
            onTold={(instruction) => setTold((earlier) => [...earlier, instruction])}
          />
        )}
      </Suspense>
    </>
  )
}
