import type { BatchEstimate, BatchPlan } from '@parley/contract'
import { type AccountPace, shareOf } from './pacing/pacing.ts'

/** Ringing, and calls that nobody answers. */
const MINUTES_BESIDE_TALK = 0.5
const MINUTES = { hour: 60, day: 1440 } as const

interface Known {
  /** Still to be called. */
  readonly contacts: number
  readonly plan: BatchPlan
  readonly limits: AccountPace['limits']
  readonly availableCredits: number
  /** Charged for an ended call on average, those that nobody answered among them. */
  readonly minutesPerCall: number
  /** When calls may first be made; null: now. */
  readonly opensAt: Date | null
}

/** What a list will cost and how long it will take, as far as that can be said before. */
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
  // What an account may do in an hour or a day may be done at its beginning; the rest waits for the next.
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
