import { lazy, Suspense, useState } from 'react'
import { useLive } from '../../../lib/useLive.ts'
import type { Incoming } from './Ringing.tsx'

const Ringing = lazy(() => import('./Ringing.tsx'))

/** A call to ...555 0199 rings here. */
export function IncomingCall() {
  const [ringing, setRinging] = useState<Incoming | null>(null)
  useLive({
    onMessage: (message) => {
      if (message.type === 'incoming_call') setRinging(message)
      if (message.type === 'call_status' && message.call.id === ringing?.callId && message.call.status !== 'ringing') setRinging(null)
    },
  })
  return ringing ? (
    <Suspense>
      <Ringing incoming={ringing} onOver={() => setRinging(null)} />
    </Suspense>
  ) : null
}
