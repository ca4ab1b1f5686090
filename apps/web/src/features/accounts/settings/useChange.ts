import type { RouteReference } from '@parley/contract'
import { securityRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../lib/server/http.ts'
import { keyOf } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { toast } from '../../../ui/toast/toast.ts'

interface Change<Order, Result> {
  readonly change: (order: Order) => Promise<Result>
  /** The reads that it makes out of date; the account's activity always is. */
  readonly affects: Pick<RouteReference, 'id'>
  /** Said at the end, in place of nothing. */
  readonly done?: string
  /** Said when the server gave no sentence. Left out where a form shows the error itself. */
  readonly failed?: string
}

/** A change of what keeps the account its owner's. */
export function useChange<Order = void, Result = unknown>({ change, affects, done, failed }: Change<Order, Result>) {
  const { common } = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      if (done) toast({ tone: 'success', title: done })
      await Promise.all(
        [affects, securityRoutes.securityActivity].map((route) => client.invalidateQueries({ queryKey: keyOf(route) })),
      )
    },
    onError: (error) => {
      if (failed) toast({ tone: 'error', title: common.error, description: sentenceOf(error, failed) })
    },
  })
}
