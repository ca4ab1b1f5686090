import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { notifying } from '../../../lib/live/notifications.ts'
import { useClearSearch, useSearchParam } from '../../../lib/search.ts'
import { useLive } from '../../../lib/live/useLive.ts'
import { onOpenCall } from '../../../lib/live/worker.ts'
import { openCall, openedCall } from './openCall.ts'

/**
 * Says that a call has ended to whoever is looking elsewhere, in the page or outside of it, and opens the call that
 * such a notification was clicked for.
 */
export function useEndNotices(): void {
  const client = useQueryClient()
  const clicked = useSearchParam('call')
  const clear = useEffectEvent(useClearSearch())
  useLive({
    onMessage: (message) => {
      if (message.type !== 'call_completed') return
      const isHere = document.visibilityState === 'visible'
      if (isHere ? openedCall() === message.callId : notifying() !== 'on') return
      // What writes numbers is heavy and rarely needed here. A call that cannot be read is told by the lists, once they
      // can.
      void import('./announce.ts')
        .then(({ announce }) => announce(client, message.callId, isHere))
        .catch(() => undefined)
    },
  })
  useEffect(() => onOpenCall(openCall), [])
  // A click that found no window open opened one with the call in its address.
  useEffect(() => {
    if (clicked === undefined) return
    openCall(clicked)
    clear()
  }, [clicked])
}
