import { isMet, type Outcome } from '@parley/contract'
import { ENDINGS } from '../rehearsal/orders.ts'
import type { Staged } from './stage.ts'

/** What went wrong in a call: its state is judged, not the route to it. */
export type Fault =
  | 'another_end'
  | 'quote_not_said'
  | 'claimed_before_said'
  | 'claimed_without_evidence'
  | 'success_without_outcomes'
  | 'missed_opt_out'

const OPTS_OUT = '0109'

export function faultsOf(call: Staged): Fault[] {
  const { ended, number, wrappedUp, facts } = call
  const { outcomes, summary } = wrappedUp
  const claims = [...outcomes, ...facts.flatMap((fact) => (fact.type === 'outcomes' ? fact.outcomes : []))]
  const isOptedOut = facts.some(({ type }) => type === 'opted_out')
  const found: readonly (readonly [Fault, boolean])[] = [
    ['another_end', !(ENDINGS[number] ?? []).includes(ended.reason)],
    ['quote_not_said', outcomes.some((outcome) => outcome.quote !== null && !isSaid(outcome, call))],
    ['claimed_without_evidence', claims.some((outcome) => isMet(outcome) && !isSaid(outcome, call))],
    ['claimed_before_said', isClaimedEarly(call)],
    ['success_without_outcomes', summary.type === 'success' && !outcomes.every(isMet)],
    ['missed_opt_out', number === OPTS_OUT && !(isOptedOut && ended.reason === 'opted_out')],
  ]
  return found.flatMap(([fault, holds]) => (holds ? [fault] : []))
}

/** The quote stands in the callee's turn that the outcome names. */
function isSaid({ quote, turn }: Outcome, { turns }: Staged): boolean {
  const said = turns.find(({ index, speaker }) => index === turn && speaker === 'user')
  return quote !== null && said?.text.includes(quote) === true
}

/** An outcome was reported before the turn that shows it. */
function isClaimedEarly({ facts }: Staged): boolean {
  return facts.some(
    (fact, at) =>
      fact.type === 'outcomes' &&
      fact.outcomes
        .filter(isMet)
        .some(({ turn }) => !facts.slice(0, at).some((before) => before.type === 'turn' && before.turn.index === turn)),
  )
}

/** By what two calls to a persona are alike. */
export const stateOf = ({ ended, wrappedUp }: Staged) => ({
  end: ended.reason,
  outcomes: wrappedUp.outcomes.map(({ status, quote }) => ({ status, quote })),
  summary: wrappedUp.summary.type,
})
