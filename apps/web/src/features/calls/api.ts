import { LIST_LIMIT_DEFAULT, type Call, type CallChange, type CallDetails } from '@parley/contract'
import { callsRoutes, reportsRoutes, templatesRoutes } from '@parley/contract/page'
import { queryOptions, useMutation, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { request, type Page } from '../../lib/server/http.ts'
import { keyOf, read, readPage } from '../../lib/server/queries.ts'
import { runningQuery } from '../../lib/server/running.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { afterReading, laterOf, runningAfter, withoutWords } from './live/reduce.ts'

/** A call with its turns, merged with the live messages that arrived during the fetch. */
export function callQuery(id: string) {
  const { queryKey } = read(callsRoutes.get, { params: { id } })
  return queryOptions<CallDetails>({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const fetched = await request(callsRoutes.get, { params: { id }, signal })
      return afterReading(client.getQueryData<CallDetails>(queryKey), fetched)
    },
  })
}

export function historyQuery(userId: string, cursor: string | undefined) {
  return readPage(reportsRoutes.calls, {
    params: { id: userId },
    query: { limit: LIST_LIMIT_DEFAULT, ...(cursor && { cursor }) },
  })
}

export function templatesQuery(userId: string) {
  return read(templatesRoutes.list, { params: { id: userId } })
}

/** Updates a call in every cache that contains it. */
export function spreadNews(client: QueryClient, userId: string, call: Call): void {
  const { queryKey } = callQuery(call.id)
  if (client.getQueryData(queryKey) === undefined) client.setQueryData(queryKey, withoutWords(call), { updatedAt: 0 })
  client.setQueryData(runningQuery(userId).queryKey, (running) => runningAfter(running ?? [], call))
  const withNews = (page: Page<Call[]>) => ({
    ...page,
    items: page.items.map((each) => (each.id === call.id ? laterOf(each, call) : each)),
  })
  client.setQueriesData<Page<Call[]>>(
    { queryKey: keyOf(reportsRoutes.calls, 'page') },
    (page) => page && withNews(page),
  )
  client.setQueriesData<InfiniteData<Page<Call[]>>>(
    { queryKey: keyOf(reportsRoutes.calls, 'growing') },
    (list) => list && { ...list, pages: list.pages.map(withNews) },
  )
}

export function useStopCall(id: string) {
  return useMutation({
    mutationFn: async () => request(callsRoutes.change, { params: { id }, body: { action: 'stop' } }),
  })
}

/** Sends an instruction or keys to a running call, takes it over, or hands it back. */
export function useSteerCall(id: string) {
  return useMutation({
    mutationFn: async (change: CallChange) => request(callsRoutes.change, { params: { id }, body: change }),
  })
}

/** After placing: adds the call to every cached list, then refetches lists and statistics. */
export function useCallPlaced(): (call: Call) => void {
  const client = useQueryClient()
  const { id } = useSignedInUser()
  return (call) => {
    spreadNews(client, id, call)
    for (const route of [reportsRoutes.calls, reportsRoutes.stats])
      void client.invalidateQueries({ queryKey: keyOf(route) })
  }
}
