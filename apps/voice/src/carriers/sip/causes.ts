import type { CarrierRefusal, EndCause } from '@parley/voice-ports'
import type { Reason } from './signalling/bodies.ts'

interface Meaning {
  readonly cause: EndCause
  /** Whether another trunk may do better: nothing of it says anything about the callee. */
  readonly next: boolean
}

const failed = { cause: 'failed', next: true } as const
const refused = { cause: 'failed', next: false } as const
const busy = { cause: 'busy', next: false } as const
const noAnswer = { cause: 'no_answer', next: false } as const
const notInService = { cause: 'not_in_service', next: false } as const

/**
 * What a failure response says, by RFC 3261 section 21 and the mapping to telephone networks of RFC 3398 section
 * 8.2.6.1. RFC 3263 section 4.3 tries the next server after 503, a timeout and an unreachable one; here also after what
 * speaks of the trunk alone (its account, its codecs, its own faults). Never after what the callee's side said.
 */
const STATUS: Readonly<Record<number, Meaning>> = {
  400: failed,
  401: failed,
  402: failed,
  // A trunk's own policy, or a callee who is barred: a Reason tells them apart, and without one it is the trunk.
  403: failed,
  404: notInService,
  405: failed,
  406: failed,
  407: failed,
  408: failed,
  410: notInService,
  415: failed,
  420: failed,
  421: failed,
  422: failed,
  // RFC 8197, RFC 8688: somebody on the way to the callee rejected the call.
  480: noAnswer,
  482: failed,
  483: failed,
  484: notInService,
  485: notInService,
  486: busy,
  487: noAnswer,
  488: failed,
  600: busy,
  603: busy,
  604: notInService,
  606: refused,
  607: busy,
  608: refused,
}

/** Q.850 causes that say more than the status; the others are left to it. */
const Q850: Readonly<Record<number, Meaning>> = {
  1: notInService,
  2: notInService,
  3: notInService,
  17: busy,
  18: noAnswer,
  19: noAnswer,
  20: noAnswer,
  21: busy,
  22: notInService,
  28: notInService,
  34: failed,
  38: failed,
  41: failed,
  42: failed,
  44: failed,
  47: failed,
}

/** What the trunk's answer to an INVITE means. 500 and other 5xx are the trunk's own; other unknown ones end the call. */
export function meaningOf(status: number, reasons: readonly Reason[]): Meaning {
  const told = reasons.find(({ protocol }) => protocol === 'Q.850')
  return (told && Q850[told.cause]) ?? STATUS[status] ?? (status >= 500 && status < 600 ? failed : refused)
}

/**
 * Responses that say what the trunk refuses (RFC 3261 sections 21.4.2 to 21.4.8): credentials that it does not take, or an
 * account that has to be paid. A 403 may mean anything.
 */
const REFUSALS: Readonly<Record<string, CarrierRefusal>> = { 401: 'keys', 402: 'funds', 407: 'keys' }

export const refusalOf = (cause: EndCause, code: string | null): CarrierRefusal | undefined =>
  cause === 'failed' && code !== null ? REFUSALS[code] : undefined

/** Q.850 section 2.2.7, classes of resources (32 to 47) and interworking faults: the network ended the call. */
const NETWORK_FAULTS = new Set([27, 34, 38, 41, 42, 43, 44, 47, 102, 127])

/** Why a connected call ended, by the Reason of the far end's BYE (RFC 3326). */
export function causeOfBye(reasons: readonly Reason[]): EndCause {
  const faulty = reasons.some(({ protocol, cause }) => protocol === 'Q.850' && NETWORK_FAULTS.has(cause))
  const timedOut = reasons.some(({ protocol, cause }) => protocol === 'SIP' && (cause === 408 || cause === 503))
  return faulty || timedOut ? 'dropped' : 'remote'
}
