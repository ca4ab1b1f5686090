import { z } from 'zod'
import { Call, CallsQuery } from './calls.ts'
import { Id, IdParams, Instant, PageQuery } from './common.ts'
import { defineRoute } from './route.ts'

export const UserStats = z
  .object({
    totalCalls: z.int().min(0),
    successRate: z.number().min(0).max(100).describe('completed / (completed + failed), in percent; 0 with none'),
    avgDuration: z.number().min(0).describe('Mean seconds of completed calls'),
    creditsUsed: z.int().min(0).describe('Credits charged'),
  })
  .meta({ id: 'UserStats' })
export type UserStats = z.infer<typeof UserStats>

export const SUMMARY_TYPES = ['success', 'failed', 'pending', 'other'] as const
export const SummaryType = z.enum(SUMMARY_TYPES)
export type SummaryType = z.infer<typeof SummaryType>

export const AiSummary = z
  .object({
    callId: Id,
    type: SummaryType,
    title: z.string(),
    description: z.string(),
    insights: z.array(z.string()),
    nextSteps: z.array(z.string()),
    callee: z.string(),
    date: Instant,
    actionRequired: z.boolean(),
    actionText: z.string().nullable(),
  })
  .meta({ id: 'AiSummary' })
export type AiSummary = z.infer<typeof AiSummary>

const room = 'reports'

export const reportsRoutes = {
  stats: defineRoute({
    id: 'getStats',
    room,
    method: 'GET',
    path: '/api/user/:id/stats',
    access: 'account',
    summary: 'Totals over all calls',
    params: IdParams,
    reply: UserStats,
  }),
  calls: defineRoute({
    id: 'listCalls',
    room,
    method: 'GET',
    path: '/api/user/:id/calls',
    access: 'account',
    summary: 'Calls, newest first',
    params: IdParams,
    query: CallsQuery,
    reply: z.array(Call),
    paged: true,
  }),
  summaries: defineRoute({
    id: 'listSummaries',
    room,
    method: 'GET',
    path: '/api/user/:id/ai-summaries',
    access: 'account',
    summary: 'Summaries of ended calls, newest first',
    params: IdParams,
    query: PageQuery,
    reply: z.array(AiSummary),
    paged: true,
  }),
  makeSummaries: defineRoute({
    id: 'makeSummaries',
    room,
    method: 'POST',
    path: '/api/ai-summary/generate',
    access: 'account',
    scope: 'calls',
    summary: 'Make or remake the summary of one call, or with an empty body the missing ones of the last 30 days',
    body: z.object({ callId: Id.optional() }).meta({ id: 'SummaryRequest' }),
    reply: z.object({ summaries: z.array(AiSummary) }).meta({ id: 'SummariesMade' }),
  }),
} as const
