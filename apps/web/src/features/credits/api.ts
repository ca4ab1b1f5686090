import { creditsRoutes, LIST_LIMIT_DEFAULT } from '@parley/contract'
import { readPage, read } from '../../lib/queries.ts'

export const configQuery = read(creditsRoutes.paymentsConfig, {})

export const usageQuery = (id: string) => read(creditsRoutes.usage, { params: { id } })

export const topUpQuery = (id: string) => read(creditsRoutes.autoTopUp, { params: { id } })

const pageAt = (cursor: string | undefined) => ({ limit: LIST_LIMIT_DEFAULT, ...(cursor && { cursor }) })

export const statementQuery = (id: string, cursor: string | undefined) =>
  readPage(creditsRoutes.statement, { params: { id }, query: pageAt(cursor) })

export const paymentsQuery = (id: string, cursor: string | undefined) =>
  readPage(creditsRoutes.payments, { params: { id }, query: pageAt(cursor) })
