import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { notifying } from '../../../lib/live/notifications.ts'
import { useClearSearch, useSearchParam } from '../../../lib/search.ts'
import { useLive } from '../../../lib/live/useLive.ts'
import { platform } from '../../../lib/platform/index.ts'
import { openCall, openedCall } from './openCall.ts'

/**
 * Announces ended calls, and questions of callees, to users who look elsewhere: by toast or notification. Opens the
 * call of a clicked notification.
 */
export function useCallNotices(): void {
  const client = useQueryClient()
  const clicked = useSearchParam('call')
  const clear = useEffectEvent(useClearSearch())
  useLive({
    onMessage: (message) => {
      if (message.type !== 'call_completed' && message.type !== 'call_question') return
      if (message.type === 'call_completed') platform().callEnded()
      const isHere = document.visibilityState === 'visible'
      if (isHere ? openedCall() === message.callId : notifying() !== 'on') return
      // Lazy: phone formatting is heavy and rarely needed here. A call that cannot be loaded is not announced.
      void import('./announce.ts').then(({ announce }) => announce(client, message, isHere)).catch(() => undefined)
    },
  })
  useEffect(() => platform().notices.onOpen(openCall), [])
  // A click without an open window opened one with the call in its address.
  useEffect(() => {
    if (clicked === undefined) return
    openCall(clicked)
    clear()
  }, [clicked])
}
