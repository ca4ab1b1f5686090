import { PHASES, type CallOrder, type Outcome } from '@parley/contract'
import type { Logger } from 'pino'
import type { Clock, Conclusion } from '@parley/voice-ports'
import { isOptOut } from '@parley/offline-mind'
import { objectsToRecording } from '../turns/consent.ts'
import type { RecordingSink } from './recording.ts'
import type { Report } from './report.ts'
import { CallSound } from './sound.ts'
import { Transcript } from './transcript.ts'

export interface FactsAdapters {
  readonly clock: Clock
  readonly report: Pick<Report, 'add' | 'flushed'>
  /** Where the recording of a call goes; without it none is made. */
  readonly recordingOf?: ((callId: string) => RecordingSink) | undefined
  readonly log: Logger
}

const WITH_PERSON: readonly string[] = [PHASES.takingOver, PHASES.takenOver, PHASES.ringingOwner]

/** Turns what happens in a call into facts; keeps its transcript and recording as far as the callee consents. */
export class CallFacts {
  readonly transcript: Transcript
  readonly sound: CallSound
  readonly #order: CallOrder
  readonly #adapters: FactsAdapters
  #answeredMs = 0
  #phase = ''
  #phaseOfAgent = ''
  /** Turns before this one are a machine's. */
  #firstTurnOfPerson = 0
  #optedOut = false

  constructor(order: CallOrder, adapters: FactsAdapters) {
    this.#order = order
    this.#adapters = adapters
    this.transcript = new Transcript(adapters.clock, (turn) => adapters.report.add({ type: 'turn', turn }))
    this.sound = new CallSound(adapters.clock, () => adapters.recordingOf?.(order.callId) ?? null)
  }

  /** The phase reported last. */
  get phase(): string {
    return this.#phase
  }

  answered(): void {
    this.#answeredMs = this.#adapters.clock.nowMs()
    this.transcript.answered()
    this.#adapters.report.add({ type: 'answered' })
    if (this.#order.record && !this.#order.askToRecord) this.sound.record(this.#answeredMs)
  }

  tellPhase(phase: string): void {
    if (phase === this.#phase) return
    this.#phase = phase
    this.#adapters.report.add({ type: 'phase', phase })
  }

  /** The user has taken over; `heard` is false until the disclosure was played. */
  takenOver(heard: boolean): void {
    if (!WITH_PERSON.includes(this.#phase)) this.#phaseOfAgent = this.#phase
    this.tellPhase(heard ? PHASES.takenOver : PHASES.takingOver)
  }

  /** The owner's phone rings while the callee waits. */
  ringsOwner(): void {
    if (!WITH_PERSON.includes(this.#phase)) this.#phaseOfAgent = this.#phase
    this.tellPhase(PHASES.ringingOwner)
  }

  /** Restores the agent's phase where the owner has not spoken. */
  ownerLeft(): void {
    if (this.#phase === PHASES.ringingOwner) this.tellPhase(this.#phaseOfAgent)
  }

  /** Restores the agent's phase. */
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
    this.#adapters.report.add({ type: 'outcomes', outcomes: this.#shown(outcomes) })
  }

  optedOut(quote: string): void {
    if (this.#optedOut) return
    this.#optedOut = true
    this.#adapters.report.add({ type: 'opted_out', quote: this.transcript.isWithheld ? '' : quote })
  }

  /** All turns so far are a machine's text. */
  machineSpoke(): void {
    this.#firstTurnOfPerson = this.transcript.heard().length
  }

  /**
   * The leg is over. Searches the last words for an opt-out that no mind answered: the callee hung up at once, or said
   * it to the user who had taken over. Returns whether the callee opted out.
   */
  end(calleeUntilMs: number): boolean {
    this.transcript.end(calleeUntilMs)
    const said = this.transcript.heard().slice(this.#firstTurnOfPerson)
    const optOut = said.findLast(({ speaker, text }) => speaker === 'user' && isOptOut(text))
    if (optOut) this.optedOut(optOut.text)
    return this.#optedOut
  }

  /** Sends the last fact, then hands the recording over. */
  async wrappedUp({ outcomes, summary }: Conclusion, language: string): Promise<void> {
    const { report } = this.#adapters
    const insights = this.transcript.isWithheld ? [] : summary.insights
    report.add({ type: 'wrapped_up', outcomes: this.#shown(outcomes), summary: { ...summary, insights }, language })
    await report.flushed()
    await this.sound.keep().catch((error: unknown) => this.#adapters.log.error({ err: error }, 'recording not kept'))
  }

  /** Removes quotes when the callee refused to be recorded. */
  #shown(outcomes: readonly Outcome[]): Outcome[] {
    return this.transcript.isWithheld
      ? outcomes.map((outcome) => ({ ...outcome, quote: null, turn: null }))
      : [...outcomes]
  }

  #keepNothing(): void {
    if (this.transcript.isWithheld) return
    this.transcript.withhold()
    this.sound.forget().catch((error: unknown) => this.#adapters.log.error({ err: error }, 'recording not discarded'))
    this.tellPhase(PHASES.notRecorded)
  }
}
