import type { CarrierFacts, EndReason } from '@parley/contract'
import type { CarrierRefusal, EndCause, LegEnd } from '@parley/voice-ports'
import type { TurnState } from '../turns/state.ts'

/** Of the contract: a carrier's code may be any text. */
const CODE_MAX = 60

/** What is known when the leg is over. */
interface Ending {
  readonly cause: EndCause
  readonly answered: boolean
  /** The reason for which we hung up, if we did. */
  readonly hungUpFor: EndReason | null
  /** The end reason of the goodbye under way. */
  readonly closing: EndReason | null
}

/** A call that ends before a screening assistant put it through counts as screened. */
export function closingOf({ parting, output, awaiting, held }: TurnState): EndReason | null {
  return parting?.reason ?? output?.closes ?? (awaiting === 'screening' && !held ? 'screened' : null)
}

function endReason({ cause, answered, hungUpFor, closing }: Ending): EndReason {
  if (hungUpFor) return !answered && hungUpFor === 'stopped' ? 'canceled' : hungUpFor
  switch (cause) {
    case 'remote':
      if (!answered) return 'no_answer'
      return closing ?? 'callee_hung_up'
    case 'local':
      return closing ?? 'stopped'
    case 'transferred':
      // The agent has put the callee through, and left the call on purpose.
      return closing ?? 'agent_closed'
    case 'canceled':
    case 'busy':
    case 'no_answer':
    case 'not_in_service':
      return cause
    case 'failed':
      return 'carrier_failure'
    case 'dropped':
      return 'carrier_dropped'
  }
}

export const END_MESSAGES: Record<EndReason, string> = {
  agent_closed: 'The agent said goodbye and ended the call.',
  callee_hung_up: 'The callee hung up.',
  stopped: 'The call was stopped.',
  time_limit: 'The call reached its time limit.',
  silence: 'Nobody spoke, so the agent ended the call.',
  refused_to_talk: 'The callee did not want to talk.',
  opted_out: 'The callee asked not to be called again.',
  voicemail: 'Voicemail answered the call.',
  screened: 'A screening assistant did not put the call through.',
  canceled: 'The call was stopped before it was answered.',
  busy: 'The line was busy.',
  no_answer: 'Nobody answered.',
  not_in_service: 'The number is not in service.',
  carrier_failure: 'The phone network could not place the call.',
  carrier_dropped: 'The phone network dropped the call.',
  fax: 'A fax machine answered.',
  not_allowed: 'The call was not allowed.',
  interrupted: 'A technical problem ended the call.',
}

const NOBODY_DIALED = 'Nobody was dialed, and nothing was charged.'

/** Instead of carrier_failure or not_in_service, where the carrier said what it refuses. */
export const REFUSAL_MESSAGES: Record<CarrierRefusal, string> = {
  keys: `The phone network refuses the keys of this service, which its operator has to mend. ${NOBODY_DIALED}`,
  funds: `The account of this service at the phone network has no money left; its operator has to add some. ${NOBODY_DIALED}`,
  account: `The account of this service at the phone network may not place this call; its operator has to look at it. ${NOBODY_DIALED}`,
  region: `The phone network does not allow calls to this country or kind of number. ${NOBODY_DIALED}`,
  callee_number: `The phone network does not take this for a number that can be called: check it, with its country code. ${NOBODY_DIALED}`,
  caller_number: `The phone network does not accept the number to call from: it is not verified there. Choose another one. ${NOBODY_DIALED}`,
}

/** The end in a sentence. */
function endMessage(reason: EndReason, refusal?: CarrierRefusal): string {
  const isRefused = reason === 'carrier_failure' || reason === 'not_in_service'
  return isRefused && refusal !== undefined ? REFUSAL_MESSAGES[refusal] : END_MESSAGES[reason]
}

/** What the carrier says of a leg, for the operator. */
export function carrierFacts({ carrier, code, cost, costFollows = false }: LegEnd): CarrierFacts {
  return { name: carrier ?? 'unknown', code: code?.slice(0, CODE_MAX) ?? null, cost, costFollows }
}

/** The last fact of a leg. */
export function endedFact(end: LegEnd, known: Omit<Ending, 'cause'>) {
  const reason = endReason({ cause: end.cause, ...known })
  const message = endMessage(reason, end.refusal)
  const connectedSeconds = end.connectedMs / 1000
  return { type: 'ended', reason, message, connectedSeconds, carrier: carrierFacts(end) } as const
}
