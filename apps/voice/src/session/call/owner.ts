import type { CallOrder, FactBody, OwnerLegEnd } from '@parley/contract'
import type { Logger } from 'pino'
import type { Carrier, Clock, Frame, Leg, LegEnd, Mouth, Ticker } from '@parley/voice-ports'
import { OWNER_ANSWER_MS, RING_IN_MIN_MS, timeLimits } from '../limits.ts'
import { announcement } from '../speaking/announcement.ts'
import { phraseLanguage } from '../speaking/phrases.ts'
import { LiveSound } from '../speaking/live-sound.ts'
import { Person } from '../speaking/person.ts'
import { mayRingIn } from '../turns/ring-in.ts'
import type { Figures } from '../reporting/figures.ts'
import type { TurnEvent, TurnState } from '../turns/state.ts'
import { carrierFacts } from './endings.ts'
import { OwnerLeg, type OwnerLegEvents } from './owner-leg.ts'
import { TimeBudget } from './time-budget.ts'

/** What happens when the owner hangs up their phone. */
export type AfterOwner = 'hand_back' | 'hang_up'
/** no_time: what is held for the call does not pay for a second leg. */
export type RingInAnswer = 'rings' | 'not_now' | 'no_time'

export interface OwnerOptions {
  readonly order: CallOrder
  readonly carrier: Carrier
  readonly clock: Clock
  readonly ticker: Ticker
  readonly mouth: Mouth
  readonly figures: Figures
  readonly log: Logger
  readonly webhookBase: string | null
  readonly language: () => string
  readonly isRecorded: () => boolean
  /** Time since the callee answered. */
  readonly elapsedMs: () => number
  readonly state: () => TurnState
  /** The callee's leg. */
  readonly leg: () => Leg
  /** Gives the callee's frames to the owner's leg; null: no more. */
  readonly lend: (onFrame: ((frame: Frame) => void) | null) => void
  readonly press: (digits: string) => void
  /** A frame of the owner's voice has left for the callee. */
  readonly sent: (audio: Uint8Array, playsMs: number) => void
  readonly report: (fact: FactBody) => void
  readonly dispatch: (event: TurnEvent) => void
  /** Contains the faults of a callback; afterEnd: also once the callee's leg is over. */
  readonly guard: (task: () => void, afterEnd?: boolean) => void
  readonly handedBack: () => void
}

/** The user behind the call, who speaks at the page or by phone; and what a second leg does to the time limit. */
export class Owner {
  readonly person: Person
  readonly #options: OwnerOptions
  readonly #budget: TimeBudget
  #ringIn: { readonly to: string; readonly after: AfterOwner } | null = null
  #leg: OwnerLeg | null = null
  #legs = 1
  #carrierCallId: string | null = null
  #limitMs: number
  #whenFree: (() => void)[] = []

  constructor(options: OwnerOptions) {
    this.#options = options
    this.#budget = new TimeBudget(options.order.limitSeconds)
    this.#limitMs = this.#budget.limitMs
    this.person = this.#makePerson()
  }

  /** Since the callee's answer. */
  get limitMs(): number {
    return this.#limitMs
  }

  ringIn(to: string, after: AfterOwner): RingInAnswer {
    const { elapsedMs, state, dispatch } = this.#options
    if (this.#leg || this.#ringIn || !mayRingIn(state())) return 'not_now'
    if (this.#budget.sharedMs(elapsedMs()) < RING_IN_MIN_MS) return 'no_time'
    this.#ringIn = { to, after }
    dispatch({ type: 'ring_in' })
    return 'rings'
  }

  handBack(): void {
    if (this.person.speaks) this.person.handBack()
    else this.#leg?.hangUp()
  }

  /** The turns say that the callee has been told. */
  dial(): void {
    const { order, language, isRecorded, elapsedMs, webhookBase, lend } = this.#options
    if (!this.#ringIn || this.#leg) return
    const leg = ++this.#legs
    const owner = new OwnerLeg({
      ...this.#options,
      dial: {
        // Its own: the carrier must not take it for the callee's leg.
        callId: `${order.callId}-${leg}`,
        to: this.#ringIn.to,
        from: order.from ?? null,
        userId: order.userId,
        language: language(),
        answerTimeoutMs: OWNER_ANSWER_MS,
        limitMs: this.#budget.sharedMs(elapsedMs()),
        detectMachine: true,
        webhookBase,
      },
      announcement: {
        ...announcement(language(), order.callee, isRecorded()),
        language: phraseLanguage(language()),
        voiceId: order.voiceId,
      },
      events: this.#legEvents(leg),
    })
    this.#leg = owner
    lend((frame) => owner.hear(frame))
  }

  /** The callee knows who is calling: the user is heard from here on. */
  letThrough(): void {
    this.person.letThrough()
    this.#leg?.putThrough()
  }

  /** A key of the callee. */
  pressed(digit: string): void {
    this.#leg?.press(digit)
  }

  /** The owner's phone is not wanted any more. */
  release(): void {
    this.#ringIn = null
    this.#leg?.hangUp()
  }

  /** The callee's leg is over, or is being hung up. */
  close(): void {
    this.person.close()
    this.release()
  }

  /** Runs the task once no second leg is connected and its duration is known. */
  whenFree(task: () => void): void {
    if (this.#leg) this.#whenFree.push(task)
    else task()
  }

  #legEvents(leg: number): OwnerLegEvents {
    const { report, guard, dispatch, press } = this.#options
    return {
      placed: (carrierCallId) => {
        this.#carrierCallId = carrierCallId
        guard(() => report({ type: 'leg', leg, carrierCallId, connectedSeconds: null }), true)
      },
      answered: () => guard(() => this.#share()),
      accepted: () => guard(() => this.person.takeOver('phone', this)),
      voice: (audio) => guard(() => this.person.speak(audio, this)),
      digit: (digit) => guard(() => press(digit)),
      gone: () => guard(() => this.#gone(dispatch)),
      ended: (end, outcome) => guard(() => this.#ended(leg, end, outcome), true),
    }
  }

  /** Both legs are connected from here on. */
  #share(): void {
    const { elapsedMs } = this.#options
    const sharedMs = this.#budget.sharedMs(elapsedMs())
    if (sharedMs < RING_IN_MIN_MS / 2) return this.#leg?.hangUp()
    this.#limit(Math.min(this.#budget.limitMs, elapsedMs() + sharedMs))
  }

  #gone(dispatch: OwnerOptions['dispatch']): void {
    const ringIn = this.#ringIn
    this.#ringIn = null
    if (!ringIn) return
    if (!this.person.speaks) dispatch({ type: 'owner_gone' })
    else if (ringIn.after === 'hang_up') dispatch({ type: 'stop', reason: 'stopped' })
    else this.person.handBack()
  }

  #ended(leg: number, end: LegEnd, outcome: OwnerLegEnd): void {
    const { report, lend } = this.#options
    this.#leg = null
    lend(null)
    this.#budget.spend(end.connectedMs)
    const [connectedSeconds, carrierCallId] = [end.connectedMs / 1000, this.#carrierCallId]
    report({ type: 'leg', leg, carrierCallId, connectedSeconds, end: outcome, carrier: carrierFacts(end) })
    this.#carrierCallId = null
    this.#limit(this.#budget.limitMs)
    for (const task of this.#whenFree.splice(0)) task()
  }

  #limit(limitMs: number): void {
    if (limitMs === this.#limitMs) return
    this.#limitMs = limitMs
    const { clock, elapsedMs, dispatch, guard } = this.#options
    const { warnMs, goodbyeMs, hardEndMs } = timeLimits(limitMs / 1000)
    const sinceMs = clock.nowMs() - elapsedMs()
    const [warnAtMs, goodbyeAtMs, hardEndAtMs] = [sinceMs + warnMs, sinceMs + goodbyeMs, sinceMs + hardEndMs]
    guard(() => dispatch({ type: 'time_limit', warnAtMs, goodbyeAtMs, hardEndAtMs }))
  }

  #makePerson(): Person {
    const { clock, ticker, leg, sent, dispatch, guard, handedBack } = this.#options
    let live: LiveSound | null = null
    return new Person({
      clock,
      ticker,
      send: (audio) => {
        live ??= new LiveSound(clock, leg())
        const playsMs = live.send(audio)
        if (playsMs !== null) sent(audio, playsMs)
      },
      changed: (speaks, by) => {
        const taken = by === 'phone' ? 'owner_ready' : 'taken_over'
        guard(() => dispatch({ type: speaks ? taken : 'handed_back' }))
        if (!speaks) handedBack()
      },
    })
  }
}
