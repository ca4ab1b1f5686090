import { type Clock, MediaTimeline } from '@parley/voice-ports'
import { Recording, type RecordingSink, type SoundTap } from './recording.ts'

/** The same for all calls, most of which nobody listens to: each frame looks at it. */
const NO_TAPS: readonly SoundTap[] = []

/** Passes the sound of a call on to its listeners and its recording. */
export class CallSound implements SoundTap {
  /** Where the callee's media time lies in the call. */
  readonly timeline = new MediaTimeline()
  readonly #clock: Clock
  readonly #sinkFor: () => RecordingSink | null
  #taps = NO_TAPS
  #recording: Recording | null = null

  constructor(clock: Clock, sinkFor: () => RecordingSink | null) {
    this.#clock = clock
    this.#sinkFor = sinkFor
  }

  get listeners(): number {
    return this.#taps.length - (this.#recording ? 1 : 0)
  }

  get isRecording(): boolean {
    return this.#recording !== null
  }

  callee(audio: Uint8Array, mediaMs: number): void {
    for (const tap of this.#taps) tap.callee(audio, mediaMs)
  }

  ours(audio: Uint8Array, playsMs: number, isPrivate = false): void {
    for (const tap of this.#taps) tap.ours(audio, playsMs, isPrivate)
  }

  /** The callee has told a private value between these call times: it is not kept. */
  silenceCallee(fromMs: number, untilMs: number): void {
    this.#recording?.silence('callee', fromMs, untilMs)
  }

  dropped(): void {
    for (const tap of this.#taps) tap.dropped?.()
  }

  /** Returns a function that ends it. */
  follow(tap: SoundTap): () => void {
    this.#taps = [...this.#taps, tap]
    return () => this.#leave(tap)
  }

  record(answeredMs: number): void {
    const sink = this.#recording ? null : this.#sinkFor()
    if (!sink) return
    this.#recording = new Recording({ clock: this.#clock, timeline: this.timeline, answeredMs, sink })
    this.#taps = [...this.#taps, this.#recording]
  }

  /** Hands the recording over. */
  async keep(): Promise<void> {
    await this.#stopRecording()?.keep()
  }

  /** Stops and deletes the recording. */
  async forget(): Promise<void> {
    await this.#stopRecording()?.discard()
  }

  #stopRecording(): Recording | null {
    const recording = this.#recording
    this.#recording = null
    if (recording) this.#leave(recording)
    return recording
  }

  #leave(tap: SoundTap): void {
    const others = this.#taps.filter((other) => other !== tap)
    this.#taps = others.length === 0 ? NO_TAPS : others
  }
}
