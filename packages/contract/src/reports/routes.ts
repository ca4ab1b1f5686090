import { z } from 'zod'
import { Call, CallsQuery } from '../calls/shapes.ts'
import { Id, IdParams, PageQuery } from '../common-shapes.ts'
import { defineRoute } from '../route.ts'
import { UserStats, AiSummary, Analytics } from './shapes.ts'
import { ANALYTICS_DAYS_DEFAULT } from './reports.ts'
import { reportsPaths } from '../paths.ts'

const room = 'reports'

export const reportsRoutes = {
  stats: defineRoute({
    ...reportsPaths.stats,
    room,
    access: 'account',
    summary: 'Totals over all calls',
    params: IdParams,
    reply: UserStats,
  }),
  calls: defineRoute({
    ...reportsPaths.calls,
    room,
    access: 'account',
    summary: 'Calls, newest first',
    params: IdParams,
    query: CallsQuery,
    reply: z.array(Call),
    paged: true,
  }),
  analytics: defineRoute({
    ...reportsPaths.analytics,
    room,
    access: 'account',
    summary: `Calls by day and outcome, answer rate by hour, minutes, credits and objectives. The last ${ANALYTICS_DAYS_DEFAULT} days unless said otherwise`,
    params: IdParams,
    query: z.object({ from: z.iso.date().optional(), until: z.iso.date().optional() }),
    reply: Analytics,
  }),
  summaries: defineRoute({
    ...reportsPaths.summaries,
    room,
    access: 'account',
    summary: 'Summaries of ended calls, newest first',
    params: IdParams,
    query: PageQuery,
    reply: z.array(AiSummary),
    paged: true,
  }),
  makeSummaries: defineRoute({
    ...reportsPaths.makeSummaries,
    room,
    access: 'account',
    scope: 'calls',
    summary: 'Make or remake the summary of one call, or with an empty body the missing ones of the last 30 days',
    body: z.object({ callId: Id.optional() }).meta({ id: 'SummaryRequest' }),
    reply: z.object({ summaries: z.array(AiSummary) }).meta({ id: 'SummariesMade' }),
  }),
} as const
