import type { Clock } from './audio/clock.ts'
import type { Frame } from './audio/frame.ts'

/** Why a leg is over. local: we hung up; canceled: we hung up before the answer. */
export type EndCause = 'remote' | 'local' | 'canceled' | 'busy' | 'no_answer' | 'not_in_service' | 'failed' | 'dropped'

export type LegEvent =
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'digit'; readonly digit: string }
  /** Everything sent before this mark was played to the callee. Marks pending at clear() never come. */
  | { readonly type: 'mark'; readonly name: string }
  /** Comes exactly once and last. connectedMs is the carrier's own count since the answer, 0 without one. */
  | { readonly type: 'ended'; readonly cause: EndCause; readonly connectedMs: number }

export interface DialOptions {
  readonly callId: string
  /** E.164 */
  readonly to: string
  readonly userId: string
  readonly language: string
  /** The carrier gives up ringing after this. */
  readonly answerTimeoutMs: number
}

/** One connection to one phone. Every method is safe in every state: after the end they do nothing. */
export interface Leg {
  /** One frame of our voice, at the pace of the clock when the carrier leaves playout to us. */
  send(frame: Frame): void
  mark(name: string): void
  /** Drops what was sent and not yet played, and the marks behind it. */
  clear(): void
  sendDigits(digits: string): void
  /** Once is enough; a second time does nothing. */
  hangUp(): void
}

export interface CarrierCapabilities {
  /** ours: we pace frames in real time; theirs: the carrier buffers and plays at its own clock. */
  readonly playout: 'ours' | 'theirs'
  /** The carrier transmits text beside the audio, both ways. */
  readonly text: boolean
}

export interface Carrier {
  readonly name: string
  readonly capabilities: CarrierCapabilities
  /** Never throws: what goes wrong arrives as `ended`. Events come after dial() has returned. */
  dial(options: DialOptions, clock: Clock, onEvent: (event: LegEvent) => void): Leg
  close(): Promise<void>
}

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
