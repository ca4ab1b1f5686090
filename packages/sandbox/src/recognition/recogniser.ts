import { ActivityDetector, FRAME_BYTES, FRAME_MS, levelDbm0 } from '@parley/voice-ports'
import type { ScriptedWord, SpeechScript } from './script.ts'

/** Silence that ends an utterance whose times are estimated. */
const PAUSE_MS = 600

/** Gives the words of a script when their sound comes: at its own pace, from where speech begins. */
export class Recogniser {
  readonly #script: SpeechScript
  readonly #activity = new ActivityDetector()
  #rest: Uint8Array = new Uint8Array(0)
  /** Where the sound of the script's words begins; null before. */
  #beginsMs: number | null = null
  #heardMs = 0
  #isSpeaking = false
  #startedMs: number | null = null
  #stoppedMs: number | null = null
  #isOver = false

  constructor(script: SpeechScript) {
    this.#script = script
  }

  /** Sound that came over this connection. */
  get heardMs(): number {
    return this.#heardMs
  }

  get isSpeaking(): boolean {
    return this.#isSpeaking
  }

  /** When the latest stretch of speech began. */
  get startedMs(): number | null {
    return this.#startedMs
  }

  /** Silence since speech; null: there was none yet, or it goes on. */
  get silentMs(): number | null {
    return this.#stoppedMs === null || this.#isSpeaking ? null : this.#heardMs - this.#stoppedMs
  }

  get language(): string {
    return this.#script.language
  }

  /** Words whose sound has ended and that were not taken yet; times since the beginning of the connection. */
  get words(): readonly ScriptedWord[] {
    const beginsMs = this.#beginsMs
    if (beginsMs === null) return []
    return this.#script.words
      .map((word) => ({ ...word, startMs: word.startMs + beginsMs, endMs: word.endMs + beginsMs }))
      .filter(({ endMs }) => endMs <= this.#heardMs || this.#isOver)
  }

  push(audio: Uint8Array): void {
    const all = new Uint8Array(this.#rest.length + audio.length)
    all.set(this.#rest)
    all.set(audio, this.#rest.length)
    let at = 0
    for (; at + FRAME_BYTES <= all.length; at += FRAME_BYTES) this.#frame(all.subarray(at, at + FRAME_BYTES))
    this.#rest = all.slice(at)
  }

  /** These words are final. */
  take(count: number): void {
    const last = this.words[count - 1]
    if (!last) return
    this.#script.finalise(count)
    // What is left of the utterance goes on from there; another begins with the speech that follows, also without a pause.
    const next = this.#isSpeaking ? this.#heardMs : null
    this.#beginsMs = this.#script.isMidway ? last.endMs : next
    this.#isOver = false
  }

  #frame(frame: Uint8Array): void {
    this.#heardMs += FRAME_MS
    const activity = this.#activity.push(levelDbm0(frame), this.#heardMs)
    if (activity?.type === 'speech_started') {
      this.#isSpeaking = true
      this.#startedMs = activity.sinceMs
      this.#beginsMs ??= activity.sinceMs
    }
    if (activity?.type === 'speech_stopped') {
      this.#isSpeaking = false
      // That was the end of the utterance before.
      if (!this.#script.isMidway && this.words.length === 0) this.#beginsMs = null
      this.#stoppedMs = activity.untilMs
    }
    if (this.#beginsMs !== null && (this.silentMs ?? 0) >= PAUSE_MS && !this.#script.isTimed) this.#isOver = true
  }
}
