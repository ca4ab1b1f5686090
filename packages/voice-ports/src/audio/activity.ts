import { FRAME_MS } from './frame.ts'

export type Activity =
  | { readonly type: 'speech_started'; readonly sinceMs: number }
  | { readonly type: 'speech_stopped'; readonly untilMs: number }

/** Below this level sound is never speech. */
const FAINTEST_DBM0 = -42
/** Speech exceeds the noise by at least this. */
const ABOVE_NOISE_DB = 9
const NOISE_FIRST_DBM0 = -58
const NOISE_MIN_DBM0 = -70
const NOISE_MAX_DBM0 = -25
/** The noise estimate follows a fall at once, a rise slowly, and in speech more slowly still. */
const FALL = 0.3
const RISE_DB = 0.15
const RISE_IN_SPEECH_DB = 0.02

/** Loud frames (of the last ONSET_WINDOW) that begin speech: a click has fewer. */
const ONSET_WINDOW = 4
const ONSET_FRAMES = 3
/** Quiet frames that end speech; shorter gaps fall between words. */
const HANGOVER_FRAMES = 10
/** Sound of a constant level for this long is noise. */
const STEADY_FRAMES = 25
const STEADY_DEVIATION_DB = 1

/** Where the figures of a leg stand behind its latest levels. */
const NOISE = STEADY_FRAMES
const SUM = NOISE + 1
const SQUARES = SUM + 1

/** The same for all legs, most of which are quiet: each frame looks at it. */
const NEVER: readonly number[] = []

interface ActivityOptions {
  readonly faintestDbm0?: number
  readonly aboveNoiseDb?: number
}

/** Finds speech in the frames of one leg by their level. */
export class ActivityDetector {
  readonly #faintestDbm0: number
  readonly #aboveNoiseDb: number
  #speaking = false
  #loudTimes = NEVER
  #lastLoudMs = 0
  #quietFrames = 0
  /**
   * The latest levels, the level of the noise, and the sum of the levels and of their squares: one array, because each
   * frame of many legs reads them.
   */
  readonly #levels = new Float64Array(SQUARES + 1).fill(NOISE_FIRST_DBM0, NOISE, SUM)
  #frames = 0

  constructor({ faintestDbm0 = FAINTEST_DBM0, aboveNoiseDb = ABOVE_NOISE_DB }: ActivityOptions = {}) {
    this.#faintestDbm0 = faintestDbm0
    this.#aboveNoiseDb = aboveNoiseDb
  }

  /** Whether the sound is above the noise now, speech or not. */
  get loud(): boolean {
    return this.#speaking ? this.#quietFrames < ONSET_FRAMES : this.#loudTimes.length > 0
  }

  /** `endsMs` is the end of the frame; sound up to `echoDbm0` is the agent's own echo. */
  push(levelDbm0: number, endsMs: number, echoDbm0 = -Infinity): Activity | null {
    const level = Math.max(NOISE_MIN_DBM0, levelDbm0)
    const isSteady = this.#isSteadyAfter(level)
    if (this.#speaking && isSteady) return this.#takeForNoise(level, endsMs)
    // A steady sound that was taken for noise begins no speech, however loud it is.
    const loud = !isSteady && level > Math.max(this.#faintestDbm0, this.#noiseDbm0 + this.#aboveNoiseDb, echoDbm0)
    this.#followNoise(level)
    return this.#speaking ? this.#awaitStop(loud, endsMs) : this.#awaitStart(loud, endsMs)
  }

  #awaitStart(loud: boolean, endsMs: number): Activity | null {
    if (!loud && this.#loudTimes === NEVER) return null
    const times = loud ? [...this.#loudTimes, endsMs] : this.#loudTimes
    const fresh = times.filter((atMs) => atMs > endsMs - ONSET_WINDOW * FRAME_MS)
    this.#loudTimes = fresh.length === 0 ? NEVER : fresh
    const first = this.#loudTimes[0]
    if (first === undefined || this.#loudTimes.length < ONSET_FRAMES) return null
    this.#speaking = true
    this.#loudTimes = NEVER
    this.#quietFrames = 0
    this.#lastLoudMs = endsMs
    return { type: 'speech_started', sinceMs: first - FRAME_MS }
  }

  #awaitStop(loud: boolean, endsMs: number): Activity | null {
    if (loud) {
      this.#lastLoudMs = endsMs
      this.#quietFrames = 0
      return null
    }
    if (++this.#quietFrames < HANGOVER_FRAMES) return null
    this.#speaking = false
    return { type: 'speech_stopped', untilMs: this.#lastLoudMs }
  }

  #takeForNoise(level: number, endsMs: number): Activity {
    this.#levels[NOISE] = Math.min(NOISE_MAX_DBM0, level)
    this.#speaking = false
    return { type: 'speech_stopped', untilMs: endsMs }
  }

  get #noiseDbm0(): number {
    return this.#levels[NOISE] ?? NOISE_FIRST_DBM0
  }

  #followNoise(level: number): void {
    const noise = this.#noiseDbm0
    const difference = level - noise
    const rise = Math.min(difference, this.#speaking ? RISE_IN_SPEECH_DB : RISE_DB)
    this.#levels[NOISE] = Math.min(NOISE_MAX_DBM0, noise + (difference < 0 ? FALL * difference : rise))
  }

  /** Remembers the level. Returns whether those of the last half second are all about the same. */
  #isSteadyAfter(level: number): boolean {
    const levels = this.#levels
    const at = this.#frames++ % STEADY_FRAMES
    const before = levels[at] ?? 0
    const sum = (levels[SUM] ?? 0) + level - before
    const squares = (levels[SQUARES] ?? 0) + level * level - before * before
    levels[at] = level
    levels[SUM] = sum
    levels[SQUARES] = squares
    if (this.#frames < STEADY_FRAMES) return false
    const mean = sum / STEADY_FRAMES
    return squares / STEADY_FRAMES - mean * mean < STEADY_DEVIATION_DB ** 2
  }
}
