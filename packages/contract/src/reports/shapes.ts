import { Id, Instant } from '../common-shapes.ts'
import { SUMMARY_TYPES } from './reports.ts'
import { z } from 'zod'

export const UserStats = z
  .object({
    totalCalls: z.int().min(0),
    successRate: z.number().min(0).max(100).describe('completed / (completed + failed), in percent; 0 with none'),
    avgDuration: z.number().min(0).describe('Mean seconds of completed calls'),
    creditsUsed: z.int().min(0).describe('Credits charged'),
  })
  .meta({ id: 'UserStats' })
export type UserStats = z.infer<typeof UserStats>
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
    'Objectives met by an alternative within the limits of the call. Success is `met` plus this',
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
