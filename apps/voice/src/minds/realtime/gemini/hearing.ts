import {
  type Clock,
  createResampler,
  decodeMulaw,
  type EarEvent,
  type Frame,
  type Listening,
  SAMPLE_RATE_HZ,
} from '@parley/voice-ports'
import { Gate } from '../gate.ts'
import type { Content } from './wire.ts'

const INPUT_HZ = 16_000

export interface HearingEvents {
  /** PCM of 16 bits at 16 kHz. */
  sound(pcm: Uint8Array): void
  /** The callee paused. `text` settles later, and is given to the callback then. */
  ended(): (text: string) => void
  closed(): void
}

interface Utterance {
  text: string
  readonly settled: (text: string) => void
  cancel: () => void
}

/** The ear of a session. The vendor does not say for certain when the words of a sound are complete. */
export class Hearing implements Listening {
  readonly #clock: Clock
  readonly #onEvent: (event: EarEvent) => void
  readonly #events: HearingEvents
  readonly #settlesWithinMs: number
  readonly #gate = new Gate()
  readonly #resampler = createResampler(SAMPLE_RATE_HZ, INPUT_HZ)
  readonly #ended: Utterance[] = []
  #text = ''
  #hasSound = false
  #isReady = false
  #isClosed = false

  constructor(clock: Clock, settlesWithinMs: number, onEvent: (event: EarEvent) => void, events: HearingEvents) {
    this.#clock = clock
    this.#settlesWithinMs = settlesWithinMs
    this.#onEvent = onEvent
    this.#events = events
  }

  ready(): void {
    if (this.#isReady || this.#isClosed) return
    this.#isReady = true
    this.#onEvent({ type: 'ready' })
  }

  push(frame: Frame): void {
    if (this.#isClosed || !this.#isReady) return
    for (const { audio } of this.#gate.push(frame)) {
      this.#hasSound = true
      const samples = this.#resampler.push(decodeMulaw(audio))
      this.#events.sound(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    }
  }

  finalize(): void {
    if (this.#isClosed || !this.#isReady) return
    if (!this.#hasSound) {
      if (this.#ended.length === 0) this.#onEvent({ type: 'settled' })
      else this.#end(() => undefined, 0)
      return
    }
    this.#hasSound = false
    this.#end(this.#events.ended(), this.#settlesWithinMs)
  }

  #end(settled: (text: string) => void, withinMs: number): void {
    const utterance: Utterance = { text: this.#text, settled, cancel: () => undefined }
    this.#text = ''
    this.#ended.push(utterance)
    // A little sooner than the session stops waiting.
    utterance.cancel = this.#clock.after(withinMs * 0.9, () => this.#settleUntil(utterance))
  }

  /** The vendor hears every language. */
  setLanguage(): void {}

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const { cancel } of this.#ended) cancel()
    this.#events.closed()
  }

  fail(message: string, retryable: boolean, retryAfterMs: number | null): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const { cancel } of this.#ended) cancel()
    this.#onEvent({ type: 'failed', message, retryable, retryAfterMs })
  }

  /** Words belong to the oldest sound that is not settled. */
  take({ inputTranscription, interimInputTranscription }: Content): void {
    if (this.#isClosed) return
    const [first] = this.#ended
    if (inputTranscription) {
      if (first) first.text += inputTranscription.text
      else this.#text += inputTranscription.text
      this.#tell(first ? first.text : this.#text)
      if (inputTranscription.finished === true && first) this.#settleUntil(first)
    } else if (interimInputTranscription)
      this.#tell(`${first ? first.text : this.#text}${interimInputTranscription.text}`)
  }

  /** The model answers: it has understood the sound before. */
  answered(): void {
    const [first] = this.#ended
    if (first && first.text.trim() !== '') this.#settleUntil(first)
  }

  #tell(text: string): void {
    if (text.trim() !== '') this.#onEvent({ type: 'words', text: text.trim(), final: false, atMs: this.#clock.nowMs() })
  }

  #settleUntil(last: Utterance): void {
    for (let next = this.#ended.shift(); next; next = next === last ? undefined : this.#ended.shift()) {
      next.cancel()
      const text = next.text.trim()
      next.settled(text)
      if (text !== '') this.#onEvent({ type: 'words', text, final: true, atMs: this.#clock.nowMs() })
      this.#onEvent({ type: 'settled' })
      if (this.#isClosed) return
    }
  }
}
