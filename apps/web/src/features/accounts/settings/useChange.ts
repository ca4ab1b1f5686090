import type { RouteReference } from '@parley/contract'
import { securityRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../lib/server/http.ts'
import { keyOf } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { toast } from '../../../ui/toast/toast.ts'

interface Change<Input, Result> {
  readonly change: (input: Input) => Promise<Result>
  /** The queries it invalidates, besides the security activity. */
  readonly affects: Pick<RouteReference, 'id'>
  /** The success toast; none if left out. */
  readonly done?: string
  /** Shown when the server sent no message. Left out where a form shows the error itself. */
  readonly failed?: string
}

/** A mutation that affects the account's security. */
export function useChange<Input = void, Result = unknown>({ change, affects, done, failed }: Change<Input, Result>) {
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
