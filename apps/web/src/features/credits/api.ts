import { LIST_LIMIT_DEFAULT } from '@parley/contract'
import { creditsRoutes } from '@parley/contract/page'
import { useQueryClient } from '@tanstack/react-query'
import { keyOf, read, readPage } from '../../lib/server/queries.ts'
import { readAgain } from '../../lib/server/readAgain.ts'
import { useLive } from '../../lib/live/useLive.ts'

export const configQuery = read(creditsRoutes.paymentsConfig, {})

/** Calls, payments and the bank change these outside the page, so they are refetched on every mount. */
const FRESH = { staleTime: 0 } as const

export const usageQuery = (id: string) => ({ ...read(creditsRoutes.usage, { params: { id } }), ...FRESH })

export const topUpQuery = (id: string) => ({ ...read(creditsRoutes.autoTopUp, { params: { id } }), ...FRESH })

const pageAt = (cursor: string | undefined) => ({ limit: LIST_LIMIT_DEFAULT, ...(cursor && { cursor }) })

export const statementQuery = (id: string, cursor: string | undefined) => ({
  ...readPage(creditsRoutes.statement, { params: { id }, query: pageAt(cursor) }),
  ...FRESH,
})

export const paymentsQuery = (id: string, cursor: string | undefined) => ({
  ...readPage(creditsRoutes.payments, { params: { id }, query: pageAt(cursor) }),
  ...FRESH,
})

/** Refetches credit data after a credits message or the end of a call. */
export function useMoneyInStep(): void {
  const client = useQueryClient()
  const { usage, statement, payments, autoTopUp } = creditsRoutes
  const refetch = () => readAgain(client, ...[usage, statement, payments, autoTopUp].map((route) => keyOf(route)))
  useLive({
    onReconnected: refetch,
    onMessage: ({ type }) => {
      if (type === 'credits' || type === 'call_completed') refetch()
    },
  })
}
