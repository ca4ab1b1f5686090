import type { Clock, Frame } from '@parley/voice-ports'

/** Audio formats of a trunk, in the order of preference. RFC 3551: static payload types 0 and 8. */
export type Codec = 'pcmu' | 'pcma'

/** off: plain RTP; sdes: SRTP (RFC 4568) offered, plain RTP accepted; required: SRTP or no call. */
export type SrtpMode = 'off' | 'sdes' | 'required'

export interface MediaOptions {
  /** The address that RTP is bound to and that the SDP names. */
  readonly localAddress: string
  readonly clock: Clock
  readonly codecs: readonly Codec[]
  readonly srtp: SrtpMode
  /** Delay of the jitter buffer. */
  readonly jitterMs?: number
  readonly onEvent: (event: MediaEvent) => void
}

export type MediaEvent =
  | { readonly type: 'frame'; readonly frame: Frame; readonly mediaMs: number }
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'failed'; readonly message: string }

interface MediaDirection {
  readonly packets: number
  readonly bytes: number
}

export interface MediaStats {
  readonly sent: MediaDirection
  readonly received: MediaDirection
  /** Packets that never came. */
  readonly lost: number
  /** Packets that came after their time. */
  readonly late: number
  /** Frames played from the concealment in place of a missing one. */
  readonly concealed: number
  /** Packets that were not taken. */
  readonly discarded: {
    readonly malformed: number
    readonly wrongSource: number
    readonly replayed: number
  }
  readonly jitterMs: number
  /** From RTCP; null: not known. */
  readonly rttMs: number | null
}

/** One RTP session of one leg. */
export interface MediaSession {
  /** SDP offer, once; again for a re-INVITE of ours. */
  offer(): string
  /**
   * Takes an SDP answer; again for early media, the final answer and re-INVITEs.
   * @throws MediaError, with a sentence, when nothing in it can be used
   */
  accept(answer: string): void
  /** Answers an offer of the far end (re-INVITE). Throws like accept(). */
  answer(offer: string): string
  send(frame: Frame): void
  mark(name: string): void
  clear(): void
  sendDigits(digits: string): void
  readonly stats: MediaStats
  close(): void
}

/** Binds an RTP/RTCP port pair out of a bounded range. Rejects with MediaError when none is free. */
export type OpenMedia = (options: MediaOptions) => Promise<MediaSession>

/** Nothing can be done with this sound: the message says why in one sentence. */
export class MediaError extends Error {
  override readonly name = 'MediaError'
}
