import {
  OWNER_QUESTION_MAX,
  PHASES,
  type CallOrder,
  type CallSummary,
  type Outcome,
  type Stage,
} from '@parley/contract'
import type { Logger } from 'pino'
import type { Clock, Conclusion } from '@parley/voice-ports'
import { isOptOut, VaultKeeper } from '@parley/offline-mind'
import { objectsToRecording } from '../turns/consent.ts'
import { Figures, NO_PRICES, type UnitPrices } from './figures.ts'
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
  /** Of the vendors; without them nothing has a price. */
  readonly prices?: UnitPrices
  /** What a call may cost of its vendors, in millionths of a US dollar; without it anything. */
  readonly costCapMicros?: number | undefined
  /** A stage of a reply took so long. */
  readonly onTook?: (stage: Stage, delayMs: number) => void
}

const WITH_PERSON: readonly string[] = [PHASES.takingOver, PHASES.takenOver, PHASES.ringingOwner]

/** Turns what happens in a call into facts; keeps its transcript and recording as far as the callee consents. */
export class CallFacts {
  readonly transcript: Transcript
  readonly sound: CallSound
  readonly figures: Figures
  readonly #order: CallOrder
  readonly #vault: VaultKeeper
  readonly #adapters: FactsAdapters
  #answeredMs = 0
  #isAnswered = false
  #phase = ''
  #phaseOfAgent = ''
  /** Turns before this one are a machine's. */
  #firstTurnOfPerson = 0
  #optedOut = false
  /** Since when the callee's turn tells a private value. */
  #readBack: { readonly sinceMs: number } | null = null
  /** Turns and names of what was told. */
  readonly #told = new Set<string>()

  /** `onCap`: the call has cost all that it may. */
  constructor(order: CallOrder, adapters: FactsAdapters, onCap: () => void = () => undefined) {
    this.#order = order
    this.#vault = new VaultKeeper(order.vault ?? [])
    this.#adapters = adapters
    this.transcript = new Transcript(adapters.clock, (turn) => adapters.report.add({ type: 'turn', turn }))
    const { prices = NO_PRICES, costCapMicros: capMicros, onTook } = adapters
    this.figures = new Figures({ prices, capMicros, onCap, onTook })
    this.sound = new CallSound(adapters.clock, () => adapters.recordingOf?.(order.callId) ?? null)
  }

  /** The phase reported last. */
  get phase(): string {
    return this.#phase
  }

  answered(): void {
    this.#answeredMs = this.#adapters.clock.nowMs()
    this.#isAnswered = true
    this.transcript.answered()
    this.#adapters.report.add({ type: 'answered' })
    if (this.#order.record && !this.#order.askToRecord) this.sound.record(this.#answeredMs)
  }

  tellPhase(phase: string): void {
    if (phase === this.#phase) return
    this.#phase = phase
    this.#adapters.report.add({ type: 'phase', phase: this.#vault.masked(phase) })
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
    const shown = this.#vault.masked(text)
    this.transcript.calleeSays(shown, sinceMs)
    if (shown !== text) this.#readBack = { sinceMs: this.#readBack?.sinceMs ?? sinceMs }
    if (this.#order.record && objectsToRecording(text)) this.#keepNothing()
  }

  /** The callee's turn is over. A private value that they read back is not kept either. */
  calleeDone(untilMs: number): void {
    this.transcript.calleeDone(untilMs)
    this.figures.took('end_of_turn', this.#adapters.clock.nowMs() - untilMs)
    if (this.#readBack) this.sound.silenceCallee(this.#readBack.sinceMs, untilMs)
    this.#readBack = null
  }

  reviseCallee(text: string): void {
    const shown = this.#vault.masked(text)
    this.transcript.reviseCallee(shown)
    const last = this.transcript.heard().findLast(({ speaker }) => speaker === 'user')
    if (shown !== text && last && last.endMs !== null)
      this.sound.silenceCallee(this.#answeredMs + last.startMs, this.#answeredMs + last.endMs)
  }

  /** More of the agent's words was heard; what they told of the vault is in the call's record. */
  agentHeard(text: string, sinceMs: number, estimated: boolean): void {
    this.transcript.agentHeard(text, sinceMs, estimated)
    const { agentTurn } = this.transcript
    for (const name of this.#vault.namesIn(text)) {
      const key = `${agentTurn} ${name}`
      if (!this.#told.has(key)) this.#adapters.report.add({ type: 'told', name, by: 'voice', turn: agentTurn })
      this.#told.add(key)
    }
  }

  toldByKeys(name: string): void {
    this.#adapters.report.add({ type: 'told', name, by: 'keys', turn: null })
  }

  /** Says nothing to the owner where the callee's words are not kept. */
  asksOwner(question: string): void {
    const shown = this.#vault.masked(question).trim().slice(0, OWNER_QUESTION_MAX)
    if (shown === '' || this.transcript.isWithheld) return
    this.#adapters.report.add({ type: 'asks_owner', question: shown })
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
    const shown = this.transcript.isWithheld ? '' : this.#vault.masked(quote)
    this.#adapters.report.add({ type: 'opted_out', quote: shown })
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
  async wrappedUp({ outcomes, summary, usage = [] }: Conclusion, language: string): Promise<void> {
    const { report } = this.#adapters
    for (const each of usage) this.figures.used(each)
    const figures = this.#isAnswered ? { figures: this.figures.result } : {}
    const told = { outcomes: this.#shown(outcomes), summary: this.#summaryShown(summary), language }
    report.add({ type: 'wrapped_up', ...told, ...figures })
    await report.flushed()
    await this.sound.keep().catch((error: unknown) => this.#adapters.log.error({ err: error }, 'recording not kept'))
  }

  /** Removes quotes when the callee refused to be recorded. */
  #shown(outcomes: readonly Outcome[]): Outcome[] {
    if (this.transcript.isWithheld) return outcomes.map((outcome) => ({ ...outcome, quote: null, turn: null }))
    const clean = (text: string | null) => (text === null ? null : this.#vault.masked(text))
    return outcomes.map((outcome) => ({
      ...outcome,
      quote: clean(outcome.quote),
      ...(outcome.offer !== undefined && { offer: clean(outcome.offer) }),
    }))
  }

  #summaryShown({ title, description, insights, nextSteps, actionText, ...summary }: CallSummary): CallSummary {
    const clean = (text: string) => this.#vault.masked(text)
    return {
      ...summary,
      title: clean(title),
      description: clean(description),
      insights: this.transcript.isWithheld ? [] : insights.map(clean),
      nextSteps: nextSteps.map(clean),
      actionText: actionText === null ? null : clean(actionText),
    }
  }

  #keepNothing(): void {
    if (this.transcript.isWithheld) return
    this.transcript.withhold()
    this.sound.forget().catch((error: unknown) => this.#adapters.log.error({ err: error }, 'recording not discarded'))
    this.tellPhase(PHASES.notRecorded)
  }
}
