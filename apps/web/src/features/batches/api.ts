import {
  BATCH_CONTACT_STATUSES,
  LIST_LIMIT_DEFAULT,
  type Batch,
  type BatchChange,
  type BatchOverview,
  type Sent,
} from '@parley/contract'
import { batchesRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { request } from '../../lib/server/http.ts'
import { keyOf, read, readGrowing, readPage } from '../../lib/server/queries.ts'
import { readAgain } from '../../lib/server/readAgain.ts'
import { useLive } from '../../lib/live/useLive.ts'

export const CONTACT_FILTERS = ['all', ...BATCH_CONTACT_STATUSES] as const
export type ContactFilter = (typeof CONTACT_FILTERS)[number]

const BATCHES_A_PAGE = 10

export const batchQuery = (id: string) => read(batchesRoutes.get, { params: { id }, query: { limit: 1 } })

export const importQuery = (id: string) => read(batchesRoutes.getImport, { params: { id } })

export const missingQuery = (id: string) => read(batchesRoutes.missing, { params: { id } })

export const batchesQuery = (userId: string) =>
  readGrowing(batchesRoutes.list, { params: { id: userId }, query: { limit: BATCHES_A_PAGE } })

export const batchContactsQuery = (id: string, status: ContactFilter, cursor?: string) =>
  readPage(batchesRoutes.contacts, {
    params: { id },
    query: { status, limit: LIST_LIMIT_DEFAULT, ...(cursor && { cursor }) },
  })

type Change = NonNullable<Sent<typeof batchesRoutes.change.body>>

/** Changes of a batch, one at a time in order; the cache takes the response. */
export function useChangeBatch(id: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `batch.${id}` },
    mutationFn: async (body: Change) => request(batchesRoutes.change, { params: { id }, body }),
    onSuccess: async (overview: BatchOverview) => {
      client.setQueryData<Batch>(batchQuery(id).queryKey, (batch) => batch && { ...batch, ...overview })
      await Promise.all(
        [batchesRoutes.get, batchesRoutes.list, batchesRoutes.contacts, batchesRoutes.missing].map((route) =>
          client.invalidateQueries({ queryKey: keyOf(route) }),
        ),
      )
    },
  })
}

export type BatchAction = Extract<BatchChange['action'], string>

/** Updates a batch from live messages: its counts at once, its contacts by a refetch. */
export function useBatchProgress(id: string): void {
  const client = useQueryClient()
  const refetch = () => readAgain(client, batchQuery(id).queryKey, keyOf(batchesRoutes.contacts, 'page', { id }))
  useLive({
    onReconnected: refetch,
    onMessage: (message) => {
      if (message.type !== 'batch_progress' || message.batchId !== id) return
      const { status, counts, contacts } = message
      client.setQueryData<Batch>(batchQuery(id).queryKey, (batch) => batch && { ...batch, status, counts, contacts })
      refetch()
    },
  })
}

/** Updates the cached list of batches from live messages, mounted or not. */
export function useListProgress(): void {
  const client = useQueryClient()
  const refetch = () => readAgain(client, keyOf(batchesRoutes.list))
  useLive({
    onReconnected: refetch,
    onMessage: ({ type }) => {
      if (type === 'batch_progress') refetch()
    },
  })
}
