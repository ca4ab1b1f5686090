import { type Clock, FRAME_BYTES, type Ticker } from '@parley/voice-ports'

/** Jitter buffer, filled before the first frame is played. */
const CUSHION_FRAMES = 3
/** Longest queue; beyond it the oldest frames are dropped to keep the delay short. */
const QUEUE_FRAMES = 15

export interface MicrophoneOptions {
  readonly clock: Clock
  readonly ticker: Ticker
  /** 20 ms of the person's voice, in the beat of the call. */
  readonly onFrame: (audio: Uint8Array) => void
  /** No frame has come for `patienceMs`; null: there is no such time. */
  readonly onSilence: () => void
  readonly patienceMs: number | null
  /** Without it the first one that sends sound. */
  readonly source?: object | undefined
}

/** Jitter buffer that brings the voice of a user who took over into the beat of the call. */
export class Microphone {
  readonly #options: MicrophoneOptions
  readonly #queue: Uint8Array[] = []
  readonly #leave: () => void
  #cushioned = false
  #source: object | null
  #cancel: () => void

  constructor(options: MicrophoneOptions) {
    this.#options = options
    this.#source = options.source ?? null
    this.#leave = options.ticker.join(() => this.#beat())
    this.#cancel = this.#wait()
  }

  /** Others are ignored. */
  get source(): object | null {
    return this.#source
  }

  push(audio: Uint8Array, source: object): void {
    this.#source ??= source
    if (source !== this.#source || audio.length !== FRAME_BYTES) return
    this.#cancel()
    this.#cancel = this.#wait()
    this.#queue.push(audio)
    if (this.#queue.length > QUEUE_FRAMES) this.#queue.splice(0, this.#queue.length - CUSHION_FRAMES)
    if (this.#queue.length >= CUSHION_FRAMES) this.#cushioned = true
  }

  close(): void {
    this.#leave()
    this.#cancel()
  }

  #beat(): void {
    if (!this.#cushioned) return
    const audio = this.#queue.shift()
    if (audio) this.#options.onFrame(audio)
    else this.#cushioned = false
  }

  #wait(): () => void {
    const { clock, patienceMs, onSilence } = this.#options
    return patienceMs === null ? () => undefined : clock.after(patienceMs, onSilence)
  }
}
