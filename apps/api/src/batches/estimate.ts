import type { BatchEstimate, BatchPlan } from '@parley/contract'
import { type AccountPace, shareOf } from './pacing/pacing.ts'

/** Ringing and unanswered calls, per contact. */
const MINUTES_BESIDE_TALK = 0.5
const MINUTES = { hour: 60, day: 1440 } as const

interface Known {
  /** Contacts still to be called. */
  readonly contacts: number
  readonly plan: BatchPlan
  readonly limits: AccountPace['limits']
  readonly availableCredits: number
  /** Average charge of an ended call, unanswered calls included. */
  readonly minutesPerCall: number
  /** Start of the next calling hours; null: open now. */
  readonly opensAt: Date | null
}

/** Likely and highest cost of a batch, in credits, and its duration in minutes. */
export function estimateOf({
  contacts,
  plan,
  limits,
  availableCredits,
  minutesPerCall,
  opensAt,
}: Known): BatchEstimate {
  const likely = Math.min(minutesPerCall, plan.maxDurationMinutes)
  const atOnce = Math.min(plan.liveCalls ?? Number.POSITIVE_INFINITY, shareOf(limits.liveCallsPerAccount))
  const perMinute = Math.min(plan.callsPerMinute, atOnce / (likely + MINUTES_BESIDE_TALK))
  // The whole hourly or daily allowance may be used at the start of each hour or day; the rest waits for the next one.
  const waits = [
    (Math.ceil(contacts / shareOf(limits.callsPerHour)) - 1) * MINUTES.hour,
    (Math.ceil((contacts * likely) / shareOf(limits.creditsPerDay)) - 1) * MINUTES.day,
  ]
  return {
    calls: contacts,
    likelyCredits: Math.ceil(contacts * likely),
    mostCredits: contacts * plan.maxDurationMinutes,
    availableCredits,
    minutes: Math.ceil(Math.max(contacts / perMinute, ...waits)),
    opensAt: opensAt?.toISOString() ?? null,
  }
}
