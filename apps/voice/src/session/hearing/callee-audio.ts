import {
  arrivalOf,
  type Clock,
  EchoGuard,
  type Frame,
  FRAME_MS,
  levelDbm0,
  silentFrame,
  type Ticker,
  type Watch,
} from '@parley/voice-ports'
import type { FrameSink } from '../call/leg-control.ts'
import { FRAMES_LATE_MS, FRAMES_MISSING_MS, FRAMES_UNHEARD_MS } from '../limits.ts'
import type { Figures } from '../reporting/figures.ts'
import type { CallSound } from '../reporting/sound.ts'
import type { Outgoing } from '../speaking/playback.ts'

/** Longest silence put in at once: after a longer gap the sound goes on where it is. */
const FILLED_FRAMES_MAX = 50

/** Frames after which the time is moved on from when on others are missing; a look that comes too soon finds none. */
const WATCHED_EVERY = 3

export interface CalleeAudioOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'whenRead' | 'arrivalMs'>
  readonly sound: CallSound
  readonly figures: Pick<Figures, 'sent'>
  /** Whether the carrier may send no frames while the callee is silent. */
  readonly leavesOutSilence: () => boolean
  /** Tells when frames are missing: a timer of its own would be set 50 times a second for each call. */
  readonly ticker: Ticker
  /** Runs a task unless the call is over. */
  readonly guard: (task: () => void) => void
  readonly onFault: (error: unknown) => void
  readonly hearing: {
    /** A frame, or silence in place of one that did not come. */
    hear(frame: Frame, heard: HeardFrame): void
  }
}

/** How a frame of the callee came; of that frame only until the next one of any call. */
export interface HeardFrame {
  /** Call time of its end. */
  readonly endsMs: number
  /** In dBm0. */
  readonly level: number
  /** Sound up to this is the agent's own echo. */
  readonly echoDbm0: number
}

/**
 * Filled again for each frame of each call: an object for each would be a tenth of all that a call allocates. Fractions
 * from the beginning, so that they are stored in place.
 */
const HEARD = { endsMs: 0.5, level: 0.5, echoDbm0: 0.5 }

/** The callee's sound by the carrier's media time, without gaps: whatever comes late, is lost or is not sent at all. */
export class CalleeAudio implements FrameSink, Outgoing {
  // Each frame of each call goes through them: apart from their options, they take less memory to reach.
  readonly #clock: CalleeAudioOptions['clock']
  readonly #sound: CallSound
  readonly #figures: CalleeAudioOptions['figures']
  readonly #hearing: CalleeAudioOptions['hearing']
  readonly #options: CalleeAudioOptions
  readonly #echo = new EchoGuard()
  /** Media time of the next frame. */
  #nextMs: number | null = null
  #arrivedMs = 0.5
  #missing: Watch | null = null
  /** Frames since #missing was told when to look. */
  #unwatched = 0
  #isFilling = false
  /** Silence is put in the place of frames that have not come for this long. */
  #missingMs = FRAMES_MISSING_MS
  #soundedMs = -Infinity
  #also: ((frame: Frame) => void) | null = null

  constructor(options: CalleeAudioOptions) {
    this.#options = options
    this.#clock = options.clock
    this.#sound = options.sound
    this.#figures = options.figures
    this.#hearing = options.hearing
  }

  /** When the callee hears our latest frame. */
  get soundedMs(): number {
    return this.#soundedMs
  }

  /** Whether frames are late, so that nothing is known of the callee's side since. */
  get isLate(): boolean {
    return this.#missingMs > FRAMES_MISSING_MS && this.#isMissingFor(FRAMES_UNHEARD_MS) && !this.#isMissing
  }

  /** Gives each frame to somebody else too, until the next call; null: to nobody. */
  lend(onFrame: ((frame: Frame) => void) | null): void {
    this.#also = onFrame
  }

  /** A frame of ours, which may come back as echo. */
  sent(audio: Uint8Array, playsMs: number, isPrivate = false): void {
    this.#soundedMs = playsMs
    this.#figures.sent(playsMs)
    this.#echo.sent(levelDbm0(audio), playsMs)
    this.#sound.ours(audio, playsMs, isPrivate)
  }

  push(frame: Frame, mediaMs: number): void {
    try {
      this.#take(frame, mediaMs)
    } catch (error) {
      this.#options.onFault(error)
    }
  }

  #take(frame: Frame, mediaMs: number): void {
    this.#arrivedMs = this.#clock.nowMs()
    this.#sound.timeline.arrived(mediaMs, arrivalOf(this.#clock))
    this.#sound.callee(frame.audio, mediaMs)
    this.#watch()
    if (this.#nextMs !== null) this.#fill(mediaMs)
    this.#nextMs = Math.max(this.#nextMs ?? 0, mediaMs + FRAME_MS)
    this.#pass(frame, mediaMs)
  }

  #watch(): void {
    if (this.#nextMs !== null && ++this.#unwatched < WATCHED_EVERY) return
    this.#unwatched = 0
    this.#missing ??= this.#startWatch()
    this.#missing.dueFrom(this.#arrivedMs + this.#missingMs)
  }

  #startWatch(): Watch {
    const { leavesOutSilence, ticker } = this.#options
    this.#missingMs = leavesOutSilence() ? FRAMES_MISSING_MS : FRAMES_LATE_MS
    return ticker.watch(() => this.#look())
  }

  /** No sound flows: until it does, nothing is missing. */
  rest(): void {
    this.#nextMs = null
    this.#missing?.dueFrom(Infinity)
  }

  close(): void {
    this.rest()
    this.#missing?.leave()
    this.#missing = null
  }

  /** Every 20 ms while frames are missing. */
  #look(): void {
    const { clock, guard } = this.#options
    if (!this.#isMissing || this.#isFilling) return
    if (!clock.whenRead) return this.#fillMissing()
    // Silence in the place of frames that only wait to be read would be heard as a pause of the callee.
    this.#isFilling = true
    clock.whenRead(() => {
      this.#isFilling = false
      guard(() => this.#fillMissing())
    })
  }

  get #isMissing(): boolean {
    return this.#isMissingFor(this.#missingMs)
  }

  #isMissingFor(ms: number): boolean {
    return this.#nextMs !== null && this.#clock.nowMs() - this.#arrivedMs >= ms
  }

  #fillMissing(): void {
    if (this.#nextMs === null || !this.#isMissing) return
    const elapsedMs = this.#clock.nowMs() - this.#sound.timeline.callMs(this.#nextMs)
    this.#fill(this.#nextMs + Math.floor(elapsedMs / FRAME_MS) * FRAME_MS)
  }

  #fill(untilMs: number): void {
    let mediaMs = Math.max(this.#nextMs ?? untilMs, untilMs - FILLED_FRAMES_MAX * FRAME_MS)
    for (; mediaMs + FRAME_MS <= untilMs; mediaMs += FRAME_MS) this.#pass(silentFrame(), mediaMs)
    this.#nextMs = Math.max(this.#nextMs ?? 0, mediaMs)
  }

  #pass(frame: Frame, mediaMs: number): void {
    const endsMs = this.#sound.timeline.callMs(mediaMs + FRAME_MS)
    const level = levelDbm0(frame.audio)
    HEARD.endsMs = endsMs
    HEARD.level = level
    HEARD.echoDbm0 = this.#echo.expected(level, endsMs)
    this.#hearing.hear(frame, HEARD)
    this.#also?.(frame)
  }
}
