import type { CarrierCapabilities } from '@parley/voice-ports'
import type { TwilioAccess } from './api/rest.ts'

export const CAPABILITIES: CarrierCapabilities = {
  playout: 'theirs',
  text: false,
  digits: true,
  transfer: true,
  machineDetection: true,
  silence: 'sent',
}

/** The part of a logger that the carrier uses. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** How long the carrier waits for Twilio, in ms. */
export interface Waits {
  /** A request to the API. */
  readonly requestMs: number
  /** After a create of unknown outcome: for a callback that tells the call's id. */
  readonly callbackMs: number
  /** ... and then between two looks at the list of calls. */
  readonly listAgainMs: number
  /** A call that rings is asked about when nothing was heard of it for this long. */
  readonly quietMs: number
  /** A stream must have started this long after the answer, or after what replaced it. */
  readonly streamMs: number
  /** A request of unknown outcome has taken effect when the stream stops within this. */
  readonly evidenceMs: number
  /** The party that a callee is transferred to may ring for this long. */
  readonly transferRingMs: number
  /** Closing gives up on Twilio after this. */
  readonly closeMs: number
}

export interface TwilioOptions extends TwilioAccess {
  /** The caller's number where an order has none; E.164. */
  readonly fromNumber: string
  readonly log?: Log
  readonly waits?: Partial<Waits>
}

export const DEFAULT_WAITS: Waits = {
  requestMs: 10_000,
  callbackMs: 5000,
  listAgainMs: 3000,
  quietMs: 8000,
  streamMs: 15_000,
  evidenceMs: 2000,
  transferRingMs: 30_000,
  closeMs: 5000,
}

/** Since the start of the carrier; for metrics and tests. */
export class Counts {
  /** Callbacks whose signature or account was wrong. */
  refusedCallbacks = 0
  /** ... whose path belongs to no call of this process. */
  unknownCallbacks = 0
  /** ... that came again, too late or for another call. */
  ignoredCallbacks = 0
  /** Messages of media streams that are not Twilio's. */
  badMessages = 0
  /** Frames that came faster than sound can be. */
  floodedFrames = 0
  /** Frames of ours that were not sent because too many waited. */
  droppedFrames = 0
  /** Digits that Twilio did not play. */
  lostDigits = 0
  /** Calls found after a create of unknown outcome. */
  adoptedCalls = 0
  /** Live calls whose sound never came, or came no more. */
  lostStreams = 0
}

export type TwilioCounts = Readonly<Counts>

export const NO_LOG: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
