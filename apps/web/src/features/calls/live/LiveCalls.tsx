import { useState } from 'react'
import { IncomingCall } from '../sound/IncomingCall.tsx'
import { LiveBar } from './LiveBar.tsx'
import { LiveCall } from './LiveCall.tsx'
import type { Told } from './RunningCall.tsx'
import { useOpenCall } from './openCall.ts'
import { useLiveCalls } from './useLiveCalls.ts'

/** What the shell shows of running calls: a slim bar on every screen, and the call being watched. */
export default function LiveCalls() {
  const running = useLiveCalls()
  const openId = useOpenCall()
  // Kept here, so that what the agent was told is still there when the view is closed and opened again.
  const [told, setTold] = useState<readonly Told[]>([])
  return (
    <>
      {running.length > 0 && <LiveBar calls={running} />}
      <IncomingCall />
      {openId !== null && (
        <LiveCall
          key={openId}
          id={openId}
          told={told.filter(({ callId }) => callId === openId)}
          onTold={(instruction) => setTold((earlier) => [...earlier, instruction])}
        />
      )}
    </>
  )
}
