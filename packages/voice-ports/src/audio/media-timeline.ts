import { FRAME_MS } from './frame.ts'

/** The smallest delay of the last one to two windows counts, so that two clocks may drift apart. */
const WINDOW_MS = 10_000

/**
 * Maps the carrier's media time to the call's clock. A frame can be late but never early: the frame that arrived with
 * the smallest delay tells when media time 0 was, and jitter of arrival moves nothing.
 */
export class MediaTimeline {
  #beforeMs = Infinity
  #withinMs = Infinity
  #windowEndsMs = 0
  #originMs = 0.5

  /** A frame of this media time came; `nowMs` is at the earliest when its last sample was said. */
  arrived(mediaMs: number, nowMs: number): void {
    if (mediaMs >= this.#windowEndsMs) {
      this.#beforeMs = this.#withinMs
      this.#withinMs = Infinity
      this.#windowEndsMs = mediaMs + WINDOW_MS
    }
    const delayMs = nowMs - mediaMs - FRAME_MS
    // Mostly it is no smaller: what is not written is not fetched for each frame of each call.
    if (delayMs >= this.#withinMs) return
    this.#withinMs = delayMs
    this.#originMs = Math.min(this.#beforeMs, delayMs)
  }

  /** Call time of this media time. */
  callMs(mediaMs: number): number {
    return this.#originMs + mediaMs
  }
}
