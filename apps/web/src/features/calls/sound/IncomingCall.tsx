import { Suspense, useState } from 'react'
import { lazyComponent } from '../../../lib/lazyComponent.ts'
import { useLive } from '../../../lib/live/useLive.ts'
import type { Incoming } from './Ringing.tsx'

const Ringing = lazyComponent(() => import('./Ringing.tsx'))

/** The dialog of a call to ...555 0199, once the view below it is open. */
export function IncomingCall({ isHeld }: { readonly isHeld: boolean }) {
  const [ringing, setRinging] = useState<Incoming | null>(null)
  useLive({
    onMessage: (message) => {
      if (message.type === 'incoming_call') setRinging(message)
      if (message.type === 'call_status' && message.call.id === ringing?.callId && message.call.status !== 'ringing')
        setRinging(null)
    },
  })
  return ringing && !isHeld ? (
    <Suspense>
      <Ringing incoming={ringing} onOver={() => setRinging(null)} />
    </Suspense>
  ) : null
}
