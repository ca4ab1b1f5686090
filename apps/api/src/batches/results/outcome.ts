import { type BatchRetries, type EndReason, isMet, type Outcome, type RetryOutcome } from '@parley/contract'

/** How an ended call counts for a list: which outcomes may be tried again, and which are the last word. */
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
 * Calls in a row that the carrier may fail before a list waits for somebody to look. Of calls that fail by themselves,
 * one in ten, so many come together once in a hundred million.
 */
export const CARRIER_FAILURES_MAX = 8

const CARRIER_FAILURES: readonly EndReason[] = ['carrier_failure', 'carrier_dropped', 'not_in_service']

/**
 * The network failed the call. Of one number out of service that says little, of several in a row that something is
 * wrong.
 */
export function isCarrierFailure(reason: EndReason): boolean {
  return CARRIER_FAILURES.includes(reason)
}

export interface Attempts {
  /** Made so far, this one included. */
  readonly made: number
  readonly max: number
  /** What came of the last one, as far as it is known. */
  readonly outcomes?: readonly Outcome[]
}

export type Next =
  | { readonly status: 'completed' | 'failed' }
  | { readonly status: 'waiting'; readonly nextAttemptAt: Date | null }

/**
 * Cut off, but not before there was something to decide or nothing left to ask: another call would only ask it once
 * more.
 */
function isAnswered(outcomes: readonly Outcome[]): boolean {
  const isSettled = (outcome: Outcome) => isMet(outcome) || outcome.status === 'refused'
  return outcomes.some(({ status }) => status === 'offered') || (outcomes.length > 0 && outcomes.every(isSettled))
}

/** What becomes of a contact after a call. Every call counts against one budget, whatever came of it. */
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
  // Where calls run faster than the clock, so do the waits between them.
  return { status: 'waiting', nextAttemptAt: new Date(now.getTime() + (waitMinutes * 60_000) / clockSpeed) }
}
