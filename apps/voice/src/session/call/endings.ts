import type { EndReason } from '@parley/contract'
import type { EndCause } from '@parley/voice-ports'
import type { TurnState } from '../turns/state.ts'

/** What is known when the leg is over. */
export interface Ending {
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

export function endReason({ cause, answered, hungUpFor, closing }: Ending): EndReason {
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
