import { type EndReason, isMet, type OutcomeStatus } from '@parley/contract'
import { words } from '../../words/index.ts'

/** pending: the call runs and the objective is not settled. */
interface Settled {
  readonly status: OutcomeStatus | 'pending'
}

export function metOf(outcomes: readonly Settled[]): number {
  return outcomes.filter(({ status }) => status !== 'pending' && isMet({ status })).length
}

export function offersOf(outcomes: readonly Settled[]): number {
  return outcomes.filter(({ status }) => status === 'offered').length
}

/** The tally of all objectives, for narrow places. */
export function tallyOf(outcomes: readonly Settled[]): string | null {
  const { outcome } = words().calls
  if (outcomes.length === 0) return null
  const met = outcome.met(metOf(outcomes), outcomes.length)
  const offers = offersOf(outcomes)
  return offers > 0 ? `${met}, ${outcome.offers(offers)}` : met
}

/**
 * A short label of how a call ended and of its open offers. null while it runs, and for a normal goodbye without
 * offers.
 */
export function endingLabel({
  endReason,
  offers = 0,
}: {
  readonly endReason: EndReason | null
  readonly offers?: number
}): string | null {
  const { ends, outcome } = words().calls
  if (endReason === null) return null
  if (endReason !== 'agent_closed') return ends[endReason]
  return offers > 0 ? outcome.offers(offers) : null
}
