import type { Call, CallDetails } from '@parley/contract'
import { reportsRoutes } from '@parley/contract/page'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keyOf } from '../../../lib/server/queries.ts'
import { readAgain } from '../../../lib/server/readAgain.ts'
import { runningQuery } from '../../../lib/server/running.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useLive } from '../../../lib/live/useLive.ts'
import { callQuery, spreadNews } from '../api.ts'
import { afterMessage } from './reduce.ts'

/** Updates every cached call from live messages and returns the running ones. Used once, by the shell. */
export function useLiveCalls(): readonly Call[] {
  const client = useQueryClient()
  const { id: userId } = useSignedInUser()
  const { data: running = [] } = useQuery(runningQuery(userId))
  const summaries = keyOf(reportsRoutes.summaries)
  useLive({
    onMessage: (message) => {
      const callId = message.type === 'call_status' ? message.call.id : 'callId' in message ? message.callId : undefined
      if (callId === undefined) return
      const { queryKey } = callQuery(callId)
      const known = client.getQueryState<CallDetails>(queryKey)
      // Keeps the fetch time: a live message does not make the rest of the call fresh.
      if (known?.data)
        client.setQueryData(queryKey, afterMessage(known.data, message), { updatedAt: known.dataUpdatedAt })
      if (message.type !== 'call_status') return
      spreadNews(client, userId, message.call)
      // Outcomes and next steps are not sent live; a status message triggers their refetch.
      readAgain(client, queryKey)
      if (message.call.summary !== null) readAgain(client, summaries)
    },
    onReconnected: () => readAgain(client, summaries),
  })
  return running
}
