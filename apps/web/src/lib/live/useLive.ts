import { accountsRoutes, callsRoutes, consentRoutes, contactsRoutes, reportsRoutes } from '@parley/contract/page'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useStore } from 'zustand'
import { live, livePath, type LiveListener } from './live.ts'
import { keyOf } from '../server/queries.ts'
import { readAgain } from '../server/readAgain.ts'
import { changeUser } from '../server/session.ts'

/**
 * What a finished call changes: the person's numbers and credits, every list of calls, whom was called how often, and
 * who asked not to be.
 */
const CHANGED_BY_A_CALL = [
  accountsRoutes.currentUser,
  reportsRoutes.stats,
  reportsRoutes.calls,
  reportsRoutes.analytics,
  reportsRoutes.summaries,
  callsRoutes.active,
  callsRoutes.get,
  contactsRoutes.list,
  consentRoutes.list,
]

/** Opens the line for the signed-in user and keeps credits and lists in step with it. Used once, by the shell. */
export function useLiveChannel(userId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const refetch = () => readAgain(client, ...CHANGED_BY_A_CALL.map((route) => keyOf(route)))
    const unsubscribe = live.subscribe({
      onReconnected: refetch,
      // Signed out elsewhere: the gate then leads to the landing page.
      onRefused: () => void client.invalidateQueries({ queryKey: keyOf(accountsRoutes.currentUser) }),
      onMessage: (message) => {
        if (message.type === 'call_completed') refetch()
        if (message.type === 'credits') changeUser(client, { creditBalance: message.creditBalance })
      },
    })
    const hurry = () => live.hurry()
    live.open(livePath(userId))
    addEventListener('online', hurry)
    return () => {
      removeEventListener('online', hurry)
      unsubscribe()
      live.close()
    }
  }, [client, userId])
}

/** Listens while the component is mounted. */
export function useLive(listener: LiveListener): void {
  const onMessage = useEffectEvent((message: Parameters<NonNullable<LiveListener['onMessage']>>[0]) =>
    listener.onMessage?.(message),
  )
  const onReconnected = useEffectEvent(() => listener.onReconnected?.())
  useEffect(
    () => live.subscribe({ onMessage: (message) => onMessage(message), onReconnected: () => onReconnected() }),
    [],
  )
}

export function useLiveConnected(): boolean {
  return useStore(live.connected)
}
