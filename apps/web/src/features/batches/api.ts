import {
  batchesRoutes,
  BATCH_CONTACT_STATUSES,
  LIST_LIMIT_DEFAULT,
  type Batch,
  type BatchChange,
  type BatchOverview,
  type Sent,
} from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { request } from '../../lib/http.ts'
import { keyOf, read, readPage } from '../../lib/queries.ts'
import { useLive } from '../../lib/useLive.ts'

export const CONTACT_FILTERS = ['all', ...BATCH_CONTACT_STATUSES] as const
export type ContactFilter = (typeof CONTACT_FILTERS)[number]

export const batchQuery = (id: string) => read(batchesRoutes.get, { params: { id }, query: { limit: 1 } })

export const importQuery = (id: string) => read(batchesRoutes.getImport, { params: { id } })

export const missingQuery = (id: string) => read(batchesRoutes.missing, { params: { id } })

export const batchesQuery = (userId: string, limit: number) => readPage(batchesRoutes.list, { params: { id: userId }, query: { limit } })

export const batchContactsQuery = (id: string, status: ContactFilter, limit: number = LIST_LIMIT_DEFAULT) =>
  readPage(batchesRoutes.contacts, { params: { id }, query: { status, limit } })

type Change = NonNullable<Sent<typeof batchesRoutes.change.body>>

/** Everything that is done with a batch; what is shown of it follows the answer. */
export function useChangeBatch(id: string) {
  const client = useQueryClient()
  return useMutation({
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

/** Keeps a batch in step with the live line: its counts at once, its contacts as often as they come. */
export function useBatchProgress(id: string): void {
  const client = useQueryClient()
  const readAgain = () =>
    void Promise.all([
      client.invalidateQueries({ queryKey: batchQuery(id).queryKey }),
      client.invalidateQueries({ queryKey: keyOf(batchesRoutes.contacts, 'page', { id }) }),
    ])
  useLive({
    onReconnected: readAgain,
    onMessage: (message) => {
      if (message.type !== 'batch_progress' || message.batchId !== id) return
      const { status, counts, contacts } = message
      client.setQueryData<Batch>(batchQuery(id).queryKey, (batch) => batch && { ...batch, status, counts, contacts })
      readAgain()
    },
  })
}
