import { PHASES, type CallOrder, type Outcome } from '@parley/contract'
import type { Logger } from 'pino'
import type { Clock } from '../audio/clock.ts'
import type { Conclusion } from '../minds/port.ts'
import { objectsToRecording } from './consent.ts'
import type { RecordingSink } from './recording.ts'
import type { Report } from './report.ts'
import { CallSound } from './sound.ts'
import { Transcript } from './transcript.ts'

export interface RecordParts {
  readonly clock: Clock
  readonly report: Pick<Report, 'add' | 'flushed'>
  /** Where the recording of a call goes; without it none is made. */
  readonly recordingOf?: ((callId: string) => RecordingSink) | undefined
  readonly log: Logger
}

/** What is told and kept of a call: its stages, its words and its sound, as far as the callee lets them be kept. */
export class CallRecord {
  readonly transcript: Transcript
  readonly sound: CallSound
  readonly #order: CallOrder
  readonly #parts: RecordParts
  #answeredMs = 0
  #phase = ''

  constructor(order: CallOrder, parts: RecordParts) {
    this.#order = order
    this.#parts = parts
    this.transcript = new Transcript(parts.clock, (turn) => parts.report.add({ type: 'turn', turn }))
    this.sound = new CallSound(parts.clock, () => parts.recordingOf?.(order.callId) ?? null)
  }

  /** The stage that was told last. */
  get phase(): string {
    return this.#phase
  }

  answered(): void {
    this.#answeredMs = this.#parts.clock.nowMs()
    this.transcript.answered()
    this.#parts.report.add({ type: 'answered' })
    if (this.#order.record && !this.#order.askToRecord) this.sound.record(this.#answeredMs)
  }

  tellPhase(phase: string): void {
    if (phase === this.#phase) return
    this.#phase = phase
    this.#parts.report.add({ type: 'phase', phase })
  }

  calleeSays(text: string, sinceMs: number): void {
    this.transcript.calleeSays(text, sinceMs)
    if (this.#order.record && objectsToRecording(text)) this.#keepNothing()
  }

  /** The callee's answer to whether the call may be recorded. */
  consent(given: boolean): void {
    if (!given) return this.#keepNothing()
    this.sound.record(this.#answeredMs)
    this.tellPhase(PHASES.greeting)
  }

  outcomes(outcomes: readonly Outcome[]): void {
    this.#parts.report.add({ type: 'outcomes', outcomes: this.#shown(outcomes) })
  }

  optedOut(quote: string): void {
    this.#parts.report.add({ type: 'opted_out', quote: this.transcript.isWithheld ? '' : quote })
  }

  /** The last fact, and the recording behind it. */
  async wrappedUp({ outcomes, summary }: Conclusion, language: string): Promise<void> {
    const { report } = this.#parts
    const insights = this.transcript.isWithheld ? [] : summary.insights
    report.add({ type: 'wrapped_up', outcomes: this.#shown(outcomes), summary: { ...summary, insights }, language })
    await report.flushed()
    await this.sound.keep()
  }

  /** Without the callee's words, when they do not want them kept. */
  #shown(outcomes: readonly Outcome[]): Outcome[] {
    return this.transcript.isWithheld ? outcomes.map((outcome) => ({ ...outcome, quote: null, turn: null })) : [...outcomes]
  }

  #keepNothing(): void {
    if (this.transcript.isWithheld) return
    this.transcript.withhold()
    this.sound.forget().catch((error: unknown) => this.#parts.log.error({ err: error }, 'recording not discarded'))
    this.tellPhase(PHASES.notRecorded)
  }
}
