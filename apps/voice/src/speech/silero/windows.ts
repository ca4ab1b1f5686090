import { decodeMulaw, SAMPLE_RATE_HZ } from '@parley/voice-ports'

/** Samples that the Silero model (version 5) judges at once at 8 kHz, and those before them that it is given too. */
export const WINDOW_SAMPLES = 256
export const CONTEXT_SAMPLES = 32
/** Sound after a longer gap has nothing to do with what was before it. */
const GAP_MS = 100
const FULL_SCALE = 32_768

export interface Window {
  /** The context and the window, -1 to 1. */
  readonly samples: Float32Array
  readonly endsMs: number
  /** The model's state must be cleared first. */
  readonly isFirst: boolean
}

const msOf = (samples: number) => (samples * 1000) / SAMPLE_RATE_HZ

/** Cuts the sound of one leg into windows of 32 ms, each with the end of the one before it. */
export class Windows {
  #context = new Float32Array(CONTEXT_SAMPLES)
  #rest = new Float32Array(0)
  #endsMs = -Infinity
  #isFirst = true

  push(audio: Uint8Array, endsMs: number): Window[] {
    const startsMs = endsMs - msOf(audio.length)
    if (startsMs - this.#endsMs > GAP_MS) this.#startAnew()
    this.#endsMs = endsMs
    const samples = new Float32Array(this.#rest.length + audio.length)
    samples.set(this.#rest)
    samples.set(
      Float32Array.from(decodeMulaw(audio), (value) => value / FULL_SCALE),
      this.#rest.length,
    )
    const windows: Window[] = []
    let at = 0
    for (; at + WINDOW_SAMPLES <= samples.length; at += WINDOW_SAMPLES) {
      const window = samples.subarray(at, at + WINDOW_SAMPLES)
      windows.push(this.#with(window, endsMs - msOf(samples.length - at - WINDOW_SAMPLES)))
    }
    this.#rest = samples.slice(at)
    return windows
  }

  #startAnew(): void {
    this.#context = new Float32Array(CONTEXT_SAMPLES)
    this.#rest = new Float32Array(0)
    this.#isFirst = true
  }

  #with(window: Float32Array, endsMs: number): Window {
    const samples = new Float32Array(CONTEXT_SAMPLES + WINDOW_SAMPLES)
    samples.set(this.#context)
    samples.set(window, CONTEXT_SAMPLES)
    this.#context = samples.slice(-CONTEXT_SAMPLES)
    const isFirst = this.#isFirst
    this.#isFirst = false
    return { samples, endsMs, isFirst }
  }
}
