import { E164 } from '@parley/contract'
import type { Clock } from './audio/clock.ts'
import type { Frame } from './audio/frame.ts'
import type { CarrierHost } from './carrier-host.ts'

/**
 * Why a leg is over. failed: the carrier could not place the call, and nothing of it is under way. local: we hung up, or the carrier did at `limitMs`; canceled: we hung up before the answer;
 * transferred: the callee talks to somebody else without us.
 */
export type EndCause =
  | 'remote'
  | 'local'
  | 'canceled'
  | 'busy'
  | 'no_answer'
  | 'not_in_service'
  | 'failed'
  | 'dropped'
  | 'transferred'

/** What the carrier charges us for a leg. */
export interface CarrierCost {
  readonly amountMicros: number
  /** ISO 4217 */
  readonly currency: string
}

/**
 * The code of a leg of which it is not known whether the carrier has it. Nobody may be dialed again for it: their phone
 * may be ringing.
 */
export const LOST_CODE = 'lost'

/**
 * What of an order a carrier refused, so that nobody was dialed: our keys, our money or account there, calls to this
 * country or kind of number, the callee's number as written, or the number to call from.
 */
export type CarrierRefusal = 'keys' | 'funds' | 'account' | 'region' | 'callee_number' | 'caller_number'

/**
 * connectedMs is the carrier's own count since the answer, 0 without one. code: the carrier's own, as a SIP status, or
 * LOST_CODE.
 */
export interface LegEnd {
  readonly cause: EndCause
  readonly connectedMs: number
  readonly code: string | null
  readonly cost: CarrierCost | null
  /** The carrier tells the cost some time after the end: ask() has it then. */
  readonly costFollows?: boolean | undefined
  /** Where the carrier said so. */
  readonly refusal?: CarrierRefusal
  /** Name of the carrier that had the leg, where it went over one of several. */
  readonly carrier?: string
}

/** What the carrier's own answering-machine detection found. beep: a machine's, after its greeting. */
export type MachineVerdict = 'human' | 'machine' | 'beep' | 'fax' | 'unknown'

export type LegEvent =
  /**
   * The carrier has the call, under its own id. Before ringing and answered. Comes again, with another id, where the
   * leg changes over to another carrier before it rings.
   */
  | { readonly type: 'placed'; readonly carrierCallId: string }
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  /** Sound flows, or has stopped flowing: frames come in between only. */
  | { readonly type: 'media'; readonly state: 'up' | 'down' }
  /**
   * mediaMs: the carrier's media time of the frame's first sample, from 0 at the leg's first frame. A frame may come
   * late or not at all.
   */
  | { readonly type: 'frame'; readonly frame: Frame; readonly mediaMs: number }
  | { readonly type: 'digit'; readonly digit: string }
  /** Everything sent before this mark was played to the callee. Marks pending at clear() never come. */
  | { readonly type: 'mark'; readonly name: string }
  /** atMs: since the answer. */
  | { readonly type: 'machine'; readonly verdict: MachineVerdict; readonly atMs: number }
  /** The callee could not be put through, and is still here. */
  | { readonly type: 'transfer_failed'; readonly message: string }
  /** The connection is over; its duration is not known yet. */
  | { readonly type: 'hung_up' }
  /** Comes once and last. May be lost: then ask() tells the same. */
  | ({ readonly type: 'ended' } & LegEnd)

export interface DialOptions {
  readonly callId: string
  /** E.164 */
  readonly to: string
  /** E.164; null: the carrier's own choice. */
  readonly from: string | null
  readonly userId: string
  readonly language: string
  /** The carrier gives up ringing after this. */
  readonly answerTimeoutMs: number
  /** The carrier itself ends the leg this long after the answer: also where our process is gone by then. */
  readonly limitMs: number
  /** Asks for `machine` events; ignored without the capability. */
  readonly detectMachine: boolean
  /** Where the carrier reaches this node; null: nowhere. */
  readonly webhookBase: string | null
}

/** One connection to one phone. Every method is safe in every state: after the end they do nothing. */
export interface Leg {
  /** Final from `ringing` on: until then a leg may change over to another carrier. */
  readonly capabilities: CarrierCapabilities
  /** One frame of our voice, at the pace of the clock when the carrier leaves playout to us. */
  send(frame: Frame): void
  mark(name: string): void
  /** Drops frames that were sent and not yet played, and pending marks. Digits go out all the same. */
  clear(): void
  /**
   * Played to the callee after what was sent before and before what is sent later. w and W wait. Does nothing with any
   * other character than 0-9*#wW among them, or without the capability.
   */
  sendDigits(digits: string): void
  /** Puts the callee through to an E.164 number: ends as `transferred`, or says `transfer_failed`. */
  transfer(to: string): void
  /** Once is enough; a second time tries again what has not been confirmed. */
  hangUp(): void
}

/** What a leg can do. */
export interface CarrierCapabilities {
  /** ours: we pace frames in real time; theirs: the carrier buffers and plays at its own clock. */
  readonly playout: 'ours' | 'theirs'
  /** The carrier transmits text beside the audio, both ways. */
  readonly text: boolean
  readonly digits: boolean
  readonly transfer: boolean
  readonly machineDetection: boolean
  /**
   * sent: a frame comes for each 20 ms of a call, so that one which is missing is late. left_out: none may come while
   * the callee is silent.
   */
  readonly silence: 'sent' | 'left_out'
}

/** What a carrier knows about a call of its own. */
export type CarrierStanding =
  | { readonly state: 'live'; readonly connectedMs: number }
  | ({ readonly state: 'ended' } & LegEnd)

export interface Carrier {
  /** Letters and digits; a list of names separated by commas where a leg may go over one of several. */
  readonly name: string
  /** Never throws: what goes wrong arrives as `ended`. Events come after dial() has returned. */
  dial(options: DialOptions, clock: Clock, onEvent: (event: LegEvent) => void): Leg
  /** Null: it knows no such call. Rejects when the carrier cannot be asked. */
  ask(carrierCallId: string, signal: AbortSignal): Promise<CarrierStanding | null>
  /** For a leg of a process that is gone, or whose own hang-up failed. Rejects when the carrier did not take it. */
  hangUp(carrierCallId: string, signal: AbortSignal): Promise<void>
  /** Adds routes and sockets of its own to the voice service, before it listens. */
  mount?(host: CarrierHost): void
  close(): Promise<void>
}

const DIGITS = /^[0-9*#wW]+$/

/** Whether a text is nothing but digits that a leg sends. */
export const areDigits = (text: string): boolean => DIGITS.test(text)

/** Whether a text is an E.164 number and nothing else. */
export const isPhoneNumber = (text: string): boolean => E164.safeParse(text).success

/** A phone answered by hand at the far end of a call. */
export interface Telephone {
  /** Spoken by a synthetic voice, one text after the other. */
  say(text: string): void
  /** 20 ms of the person's own voice. */
  voice(audio: Uint8Array): void
  dial(digits: string): void
  hangUp(): void
}

/** A carrier with a test phone that the user answers in the browser. */
export interface AnsweringCarrier extends Carrier {
  /** Answers a ringing call; null when the test phone does not ring. `hear` receives the caller's audio. */
  pickUp(callId: string, hear: (audio: Uint8Array) => void): Telephone | null
}
