import {
  ActivityDetector,
  levelDbm0,
  type Activity,
  type Judged,
  type SpeechDetector,
  type SpeechJudging,
} from '@parley/voice-ports'

/** With a detector of speech, fainter sound is looked at: a quiet caller is told from noise by it, not by the level. */
const FAINTEST_JUDGED_DBM0 = -52
const ABOVE_NOISE_JUDGED_DB = 6

/** Silero's own threshold for the start of speech, and the lower one for its end. */
const SPEECH = 0.5
const STILL_SPEECH = 0.35
/** Windows of speech in a row that begin it: a cough or a click has one. */
const SPEECH_WINDOWS = 2
/** Loud sound without speech in it for this long ends the speech: music or a television goes on behind the callee. */
const NOT_SPEECH_MS = 320
/** The sound before it became loud is judged too: the model knows a voice by how it begins. */
const PRE_ROLL_FRAMES = 8
/** A speech start is taken from the level where it is no earlier than this before the first window of speech. */
const ONSET_MS = 200
/** Sound that has just become loud counts as loud until so much of it is judged: it may be the callee who goes on. */
const UNJUDGED_MS = 200
/** Without a verdict for this long the level decides: the detector is overloaded or gone. */
const VERDICT_LATE_MS = 200

/** Who is this much quieter than the callee is behind them. */
const BEHIND_DB = 12
/** The callee's level counts once it was heard for this long ... */
const LEVEL_KNOWN_FRAMES = 50
const LEVEL_WEIGHT = 0.05
/** ... and until it was not heard for this long: then somebody further away may be the callee. */
const LEVEL_FORGOTTEN_MS = 10_000

/**
 * Finds the callee's speech: the level is the gate, and a learned detector, asked only while it is loud, decides whether
 * that is speech. Without one the level decides alone.
 */
export class VoiceActivity {
  readonly #level: ActivityDetector
  readonly #judging: SpeechJudging | null
  readonly #onJudged: (activity: Activity) => void
  readonly #preRoll: { readonly audio: Uint8Array; readonly endsMs: number }[] = []
  /** Since when it is loud; null while it is quiet. */
  #loudSinceMs: number | null = null
  #speaking = false
  #windows = 0
  #windowsSinceMs = 0
  #lastSpeechMs = 0
  /** The end of the sound that was judged; while none of this stretch was, where it was found to be loud. */
  #lastVerdictMs = 0
  #calleeDbm0 = 0
  #calleeFrames = 0
  #calleeHeardMs = 0

  /** `onJudged` gets what a verdict brings; what a level brings is returned by push(). */
  constructor(detector: SpeechDetector | null, onJudged: (activity: Activity) => void) {
    this.#level = detector
      ? new ActivityDetector({ faintestDbm0: FAINTEST_JUDGED_DBM0, aboveNoiseDb: ABOVE_NOISE_JUDGED_DB })
      : new ActivityDetector()
    this.#onJudged = onJudged
    this.#judging = detector?.open((judged) => this.#judged(judged)) ?? null
  }

  /** Whether the callee is above the noise now, or may be. */
  get loud(): boolean {
    return this.#level.loud && (this.#judging === null || this.#speaking || this.#isUnjudged)
  }

  get #isUnjudged(): boolean {
    return this.#loudSinceMs === null || this.#lastVerdictMs - this.#loudSinceMs <= UNJUDGED_MS
  }

  /** `endsMs` is the end of the sound; sound up to `echoDbm0` is the agent's own echo; `level` is in dBm0. */
  push(audio: Uint8Array, endsMs: number, echoDbm0 = -Infinity, level = levelDbm0(audio)): Activity | null {
    if (!this.#judging) return this.#level.push(level, endsMs, echoDbm0)
    const found = this.#level.push(level, endsMs, Math.max(echoDbm0, this.#behindDbm0(endsMs)))
    this.#judge(audio, endsMs, found)
    // Not the pauses between words: digital silence is no level at all.
    const isVoice = this.#speaking && this.#level.loud && level > FAINTEST_JUDGED_DBM0
    if (isVoice) this.#followCallee(level, endsMs)
    if (found?.type === 'speech_stopped') return this.#fallQuiet(found)
    return this.#isVerdictLate(endsMs) ? this.#start(this.#loudSinceMs ?? endsMs, endsMs) : null
  }

  close(): void {
    this.#judging?.close()
  }

  #judge(audio: Uint8Array, endsMs: number, found: Activity | null): void {
    if (this.#loudSinceMs !== null) return this.#judging?.push(audio, endsMs)
    this.#preRoll.push({ audio, endsMs })
    if (this.#preRoll.length > PRE_ROLL_FRAMES) this.#preRoll.shift()
    if (found?.type !== 'speech_started') return
    this.#loudSinceMs = found.sinceMs
    this.#lastVerdictMs = endsMs
    this.#windows = 0
    for (const before of this.#preRoll.splice(0)) this.#judging?.push(before.audio, before.endsMs)
  }

  #judged({ endsMs, speech }: Judged): void {
    this.#lastVerdictMs = Math.max(this.#lastVerdictMs, endsMs)
    if (this.#loudSinceMs === null) return
    if (this.#speaking) this.#goOn(endsMs, speech)
    else this.#awaitSpeech(endsMs, speech)
  }

  #awaitSpeech(endsMs: number, speech: number): void {
    if (speech < SPEECH) {
      this.#windows = 0
      return
    }
    if (++this.#windows === 1) this.#windowsSinceMs = endsMs
    if (this.#windows < SPEECH_WINDOWS) return
    const sinceMs = Math.max(this.#loudSinceMs ?? endsMs, this.#windowsSinceMs - ONSET_MS)
    this.#onJudged(this.#start(sinceMs, endsMs))
  }

  #goOn(endsMs: number, speech: number): void {
    if (speech >= STILL_SPEECH) this.#lastSpeechMs = Math.max(this.#lastSpeechMs, endsMs)
    if (endsMs - this.#lastSpeechMs < NOT_SPEECH_MS) return
    this.#speaking = false
    this.#windows = 0
    this.#onJudged({ type: 'speech_stopped', untilMs: this.#lastSpeechMs })
  }

  #start(sinceMs: number, nowMs: number): Activity {
    this.#speaking = true
    this.#lastSpeechMs = nowMs
    return { type: 'speech_started', sinceMs }
  }

  #fallQuiet(stopped: Activity): Activity | null {
    const wasSpeaking = this.#speaking
    this.#speaking = false
    this.#loudSinceMs = null
    return wasSpeaking ? stopped : null
  }

  #isVerdictLate(endsMs: number): boolean {
    return this.#loudSinceMs !== null && !this.#speaking && endsMs - this.#lastVerdictMs > VERDICT_LATE_MS
  }

  #followCallee(level: number, endsMs: number): void {
    this.#calleeHeardMs = endsMs
    this.#calleeDbm0 = this.#calleeFrames === 0 ? level : this.#calleeDbm0 + LEVEL_WEIGHT * (level - this.#calleeDbm0)
    this.#calleeFrames++
  }

  /** Sound up to this level is behind the callee. */
  #behindDbm0(endsMs: number): number {
    if (endsMs - this.#calleeHeardMs > LEVEL_FORGOTTEN_MS) this.#calleeFrames = 0
    return this.#calleeFrames < LEVEL_KNOWN_FRAMES ? -Infinity : this.#calleeDbm0 - BEHIND_DB
  }
}
