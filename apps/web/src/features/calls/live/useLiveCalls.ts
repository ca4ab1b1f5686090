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

/**
 * Keeps every call that is shown in step with the line, and tells which calls run. Used once, by the shell's live part.
 */
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
      // The age of what was read stays as it is: words from the line do not make the rest of it fresh.
      if (known?.data)
        client.setQueryData(queryKey, afterMessage(known.data, message), { updatedAt: known.dataUpdatedAt })
      if (message.type !== 'call_status') return
      spreadNews(client, userId, message.call)
      // Outcomes and advice do not travel on the line; its news says when to read them again.
      readAgain(client, queryKey)
      if (message.call.summary !== null) readAgain(client, summaries)
    },
    onReconnected: () => readAgain(client, summaries),
  })
  return running
}
