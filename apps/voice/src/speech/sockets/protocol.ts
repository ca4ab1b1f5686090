import type { VoiceOptions } from '@parley/voice-ports'
import type { SpeechFailure } from '../failure.ts'

export interface SocketAddress {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A text as it is given to the vendor. */
export interface GivenText extends VoiceOptions {
  readonly id: string
  readonly text: string
}

/** What a message says; without an id it is about the oldest text under way, or all of them. */
export type SpeechEvent =
  | { readonly type: 'audio'; readonly id: string | null; readonly audio: Uint8Array }
  /** Letters, or words, in their order. `from`: whether times begin with the text or with the audio that came last. */
  | {
      readonly type: 'letters'
      readonly id: string | null
      readonly letters: readonly string[]
      readonly endsMs: readonly number[]
      readonly from: 'text' | 'audio'
    }
  | { readonly type: 'done'; readonly id: string | null }
  | { readonly type: 'failed'; readonly id: string | null; readonly failure: SpeechFailure }

/** The wire format of a vendor that speaks over a socket. */
export interface SocketProtocol {
  readonly name: string
  readonly wordTimes: boolean
  /** On one connection; the others wait. */
  readonly textsAtOnce: number
  /** Where this voice speaks. Another address is another connection. */
  address(options: VoiceOptions): SocketAddress
  begin(text: GivenText): readonly object[]
  /** Ends the text at the vendor, who confirms it with `done`. */
  cancel(id: string): readonly object[]
  /** Before the connection is closed. */
  readonly farewell: object | null
  /** @throws when it is not of this format */
  read(data: Buffer, isBinary: boolean): readonly SpeechEvent[]
  /** Of a connection that the vendor closed. */
  closed(code: number, reason: string): SpeechFailure
}
