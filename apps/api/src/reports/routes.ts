import { creditsRoutes, reportsRoutes } from '@parley/contract'
import { findPerson } from '../accounts/index.ts'
import type { CallsRoom } from '../calls/index.ts'
import type { Router } from '../platform/http.ts'
import { readAnalytics } from './analytics.ts'
import { readStats, readUsage } from './figures.ts'
import { listCalls, listSummaries } from './history.ts'
import { makeSummaries } from './summaries.ts'

export function registerReports({ route }: Router, calls: Pick<CallsRoom, 'db' | 'log' | 'voice'>): void {
  const { db } = calls
  route(reportsRoutes.stats, ({ actor }) => readStats(db, actor.userId))
  route(reportsRoutes.calls, ({ actor, query }) => listCalls(db, actor.userId, query))
  route(reportsRoutes.analytics, async ({ actor, query }) => {
    const { timezone } = await findPerson(db, actor.userId)
    return readAnalytics(db, actor.userId, timezone, query)
  })
  route(reportsRoutes.summaries, ({ actor, query }) => listSummaries(db, actor.userId, query))
  route(reportsRoutes.makeSummaries, async ({ actor, body }) => ({
    summaries: await makeSummaries(calls, actor.userId, body.callId),
  }))
  route(creditsRoutes.usage, async ({ actor }) => {
    const { timezone } = await findPerson(db, actor.userId)
    return readUsage(db, actor.userId, timezone)
  })
}
