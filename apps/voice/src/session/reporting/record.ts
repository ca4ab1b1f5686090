import { PHASES, type CallOrder, type Outcome } from '@parley/contract'
import type { Logger } from 'pino'
import type { Clock, Conclusion } from '@parley/voice-ports'
import { isOptOut } from '@parley/offline-mind'
import { objectsToRecording } from '../turns/consent.ts'
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

const WITH_PERSON: readonly string[] = [PHASES.takingOver, PHASES.takenOver]

/** What is told and kept of a call: its stages, its words and its sound, as far as the callee lets them be kept. */
export class CallRecord {
  readonly transcript: Transcript
  readonly sound: CallSound
  readonly #order: CallOrder
  readonly #parts: RecordParts
  #answeredMs = 0
  #phase = ''
  #phaseOfAgent = ''
  /** Turns before this one are a machine's. */
  #firstTurnOfPerson = 0
  #optedOut = false

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

  /** A person speaks in the agent's place, or waits until they may. */
  takenOver(heard: boolean): void {
    if (!WITH_PERSON.includes(this.#phase)) this.#phaseOfAgent = this.#phase
    this.tellPhase(heard ? PHASES.takenOver : PHASES.takingOver)
  }

  /** The agent goes on at the stage where it was. */
  handedBack(): void {
    if (WITH_PERSON.includes(this.#phase)) this.tellPhase(this.#phaseOfAgent)
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
    if (this.#optedOut) return
    this.#optedOut = true
    this.#parts.report.add({ type: 'opted_out', quote: this.transcript.isWithheld ? '' : quote })
  }

  /** What was said until now was a machine's own text. */
  machineSpoke(): void {
    this.#firstTurnOfPerson = this.transcript.heard().length
  }

  /**
   * The line is down: nothing more will be said or understood. Whoever asked for no more calls and hung up, or asked a
   * person who had taken over, is heard here, whatever a mind has made of it. Returns whether the callee has opted out.
   */
  end(calleeUntilMs: number): boolean {
    this.transcript.end(calleeUntilMs)
    const said = this.transcript.heard().slice(this.#firstTurnOfPerson)
    const optOut = said.findLast(({ speaker, text }) => speaker === 'user' && isOptOut(text))
    if (optOut) this.optedOut(optOut.text)
    return this.#optedOut
  }

  /** The last fact, and the recording behind it. */
  async wrappedUp({ outcomes, summary }: Conclusion, language: string): Promise<void> {
    const { report } = this.#parts
    const insights = this.transcript.isWithheld ? [] : summary.insights
    report.add({ type: 'wrapped_up', outcomes: this.#shown(outcomes), summary: { ...summary, insights }, language })
    await report.flushed()
    await this.sound.keep().catch((error: unknown) => this.#parts.log.error({ err: error }, 'recording not kept'))
  }

  /** Without the callee's words, when they do not want them kept. */
  #shown(outcomes: readonly Outcome[]): Outcome[] {
    return this.transcript.isWithheld
      ? outcomes.map((outcome) => ({ ...outcome, quote: null, turn: null }))
      : [...outcomes]
  }

  #keepNothing(): void {
    if (this.transcript.isWithheld) return
    this.transcript.withhold()
    this.sound.forget().catch((error: unknown) => this.#parts.log.error({ err: error }, 'recording not discarded'))
    this.tellPhase(PHASES.notRecorded)
  }
}
