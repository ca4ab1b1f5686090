import type { BatchEstimate, BatchPlan } from '@parley/contract'

/** Ringing, and calls that nobody answers. */
const MINUTES_BESIDE_TALK = 0.5
const LIVE_CALLS_ASSUMED = 4

interface Known {
  /** Still to be called. */
  readonly contacts: number
  readonly plan: BatchPlan
  readonly availableCredits: number
  /** Charged for an ended call on average, those that nobody answered among them. */
  readonly minutesPerCall: number
}

/** What a list will cost and how long it will take, as far as that can be said before. */
export function estimateOf({ contacts, plan, availableCredits, minutesPerCall }: Known): BatchEstimate {
  const likely = Math.min(minutesPerCall, plan.maxDurationMinutes)
  const perMinute = Math.min(plan.callsPerMinute, (plan.liveCalls ?? LIVE_CALLS_ASSUMED) / (likely + MINUTES_BESIDE_TALK))
  return {
    calls: contacts,
    likelyCredits: Math.ceil(contacts * likely),
    mostCredits: contacts * plan.maxDurationMinutes,
    availableCredits,
    minutes: Math.ceil(contacts / perMinute),
  }
}
