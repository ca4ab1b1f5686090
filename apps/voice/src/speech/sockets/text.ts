import { type Clock, SAMPLE_RATE_HZ, type SpokenChunk, type SpokenWord } from '@parley/voice-ports'
import { Channel } from '../channel.ts'
import { SpeechFailure } from '../failure.ts'
import { Alignment } from './alignment.ts'
import type { GivenText, SpeechEvent } from './protocol.ts'

/** From the request to the first sound, and between two stretches of it. */
const FIRST_SOUND_MS = 2500
const NEXT_SOUND_MS = 2000

/** A text that a vendor is speaking. */
export class TextUnderWay {
  readonly given: GivenText
  readonly #clock: Clock
  readonly #wordTimes: boolean
  readonly #alignment: Alignment
  readonly #chunks = new Channel<SpokenChunk>()
  #soundBytes = 0
  /** Where the audio that came last begins. */
  #lastAudioMs = 0
  #watch: (() => void) | null = null

  constructor(given: GivenText, { clock, wordTimes }: { readonly clock: Clock; readonly wordTimes: boolean }) {
    this.given = given
    this.#clock = clock
    this.#wordTimes = wordTimes
    this.#alignment = new Alignment(given.text)
  }

  get isOver(): boolean {
    return this.#chunks.isOver
  }

  chunks(signal: AbortSignal): AsyncGenerator<SpokenChunk> {
    return this.#chunks.read(signal)
  }

  /** It was given to the vendor: from now on sound is expected. */
  started(): void {
    this.#expect(FIRST_SOUND_MS)
  }

  take(event: SpeechEvent): void {
    switch (event.type) {
      case 'audio':
        return this.#hear(event.audio)
      case 'letters': {
        const startMs = event.from === 'audio' ? this.#lastAudioMs : 0
        const words = event.letters.flatMap((letters, at) =>
          this.#alignment.push(letters, startMs + (event.endsMs[at] ?? Number.NaN)),
        )
        return this.#tell(words)
      }
      case 'done':
        return this.#done(event.id !== null)
      case 'failed':
        return this.end(event.failure)
    }
  }

  end(failure: SpeechFailure | null): void {
    this.#watch?.()
    this.#watch = null
    this.#chunks.end(failure)
  }

  get #soundMs(): number {
    return (this.#soundBytes * 1000) / SAMPLE_RATE_HZ
  }

  #hear(audio: Uint8Array): void {
    if (audio.length === 0) return
    this.#lastAudioMs = this.#soundMs
    this.#soundBytes += audio.length
    this.#chunks.push({ audio })
    this.#expect(NEXT_SOUND_MS)
  }

  #tell(words: readonly SpokenWord[]): void {
    if (this.#wordTimes && words.length > 0) this.#chunks.push({ audio: new Uint8Array(0), words })
  }

  #done(isOfThis: boolean): void {
    if (this.#soundBytes === 0) {
      // Without a name it may be the end of an earlier text.
      if (isOfThis) this.end(new SpeechFailure('broken', 'It ended without a sound.'))
      return
    }
    this.#tell(this.#alignment.rest(this.#soundMs))
    this.end(null)
  }

  #expect(withinMs: number): void {
    this.#watch?.()
    this.#watch = this.#clock.after(withinMs, () =>
      this.end(new SpeechFailure('late', `No sound came within ${withinMs / 1000} s.`)),
    )
  }
}
