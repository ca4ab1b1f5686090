import { type BatchRetries, type EndReason, isMet, type Outcome, type RetryOutcome } from '@parley/contract'

/** How each end reason counts for a batch: retried by the plan's rule, completed, or final. */
const OUTCOMES: Readonly<Record<EndReason, RetryOutcome | 'completed' | 'final'>> = {
  agent_closed: 'completed',
  callee_hung_up: 'completed',
  stopped: 'completed',
  time_limit: 'completed',
  silence: 'completed',
  refused_to_talk: 'completed',
  opted_out: 'completed',
  screened: 'completed',
  voicemail: 'voicemail',
  busy: 'busy',
  no_answer: 'no_answer',
  carrier_failure: 'failed',
  carrier_dropped: 'failed',
  interrupted: 'failed',
  canceled: 'final',
  not_in_service: 'final',
  fax: 'final',
  not_allowed: 'final',
}

/**
 * Consecutive carrier failures after which a batch pauses. At a failure rate of 10 % the chance of a false alarm is 1
 * in 10⁸.
 */
export const CARRIER_FAILURES_MAX = 8

const CARRIER_FAILURES: readonly EndReason[] = ['carrier_failure', 'carrier_dropped', 'not_in_service']

/** A failure of the network. One is normal (a number out of service); several in a row suggest an outage. */
export function isCarrierFailure(reason: EndReason): boolean {
  return CARRIER_FAILURES.includes(reason)
}

export interface Attempts {
  /** Calls so far, including this one. */
  readonly made: number
  readonly max: number
  /** Outcomes of the last call, if known. */
  readonly outcomes?: readonly Outcome[]
}

export type Next =
  | { readonly status: 'completed' | 'failed' }
  | { readonly status: 'waiting'; readonly nextAttemptAt: Date | null }

/** The call was cut off after an offer or after every objective was settled: another call would only repeat it. */
function isAnswered(outcomes: readonly Outcome[]): boolean {
  const isSettled = (outcome: Outcome) => isMet(outcome) || outcome.status === 'refused'
  return outcomes.some(({ status }) => status === 'offered') || (outcomes.length > 0 && outcomes.every(isSettled))
}

/** The contact's state after a call. Every call counts against the attempts, whatever its end. */
export function afterCall(
  reason: EndReason,
  attempts: Attempts,
  retries: BatchRetries,
  now: Date,
  clockSpeed: number,
): Next {
  const { made, max, outcomes = [] } = attempts
  const outcome = OUTCOMES[reason]
  const wasCutOff = reason === 'carrier_dropped' || reason === 'interrupted'
  if (outcome === 'completed' || (wasCutOff && isAnswered(outcomes))) return { status: 'completed' }
  const last = outcome === 'voicemail' ? 'completed' : 'failed'
  const waitMinutes = outcome === 'final' ? null : retries[outcome]
  if (waitMinutes === null || made >= max) return { status: last }
  // Waits shrink with the clock speed of simulated calls.
  return { status: 'waiting', nextAttemptAt: new Date(now.getTime() + (waitMinutes * 60_000) / clockSpeed) }
}
