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

export const ANALYTICS_DAYS_DEFAULT = 30
export const ANALYTICS_DAYS_MAX = 366

/** answered: a callee spoke. no_answer: also busy. */
export const CALL_OUTCOMES = ['answered', 'voicemail', 'no_answer', 'failed'] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

const amount = z.int().min(0)
const Figures = {
  answered: amount,
  voicemail: amount,
  no_answer: amount.describe('Nobody answered, or the line was busy'),
  failed: amount,
  seconds: amount.describe('Connected'),
  credits: amount.describe('Charged'),
  met: amount.describe('Objectives met just as they were asked'),
  met_within_limits: amount.describe(
    "Objectives met otherwise, within the order's limits. With `met` they are the success",
  ),
  offered: amount.describe('Objectives for which something else was offered, and nothing agreed'),
  refused: amount,
  open: amount,
}

export const Analytics = z
  .object({
    from: z.iso.date(),
    until: z.iso.date(),
    timezone: z.string().describe('Whose days and hours these are'),
    totals: z.object({
      ...Figures,
      calls: amount,
      running: amount.describe('Have not ended; counted in no other figure'),
    }),
    days: z.array(z.object({ date: z.iso.date(), ...Figures })).describe('Every day of the period, the oldest first'),
    hours: z
      .array(
        z.object({
          weekday: z.int().min(1).max(7).describe('1 is Monday'),
          hour: z.int().min(0).max(23),
          calls: amount,
          answered: amount,
        }),
      )
      .describe('Hours in which calls were placed'),
  })
  .meta({ id: 'Analytics', description: 'Ended calls of a period by the day and hour they were placed' })
export type Analytics = z.infer<typeof Analytics>

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
  analytics: defineRoute({
    id: 'getAnalytics',
    room,
    method: 'GET',
    path: '/api/user/:id/analytics',
    access: 'account',
    summary: `Calls by day and outcome, answer rate by hour, minutes, credits and objectives. The last ${ANALYTICS_DAYS_DEFAULT} days unless said otherwise`,
    params: IdParams,
    query: z.object({ from: z.iso.date().optional(), until: z.iso.date().optional() }),
    reply: Analytics,
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
