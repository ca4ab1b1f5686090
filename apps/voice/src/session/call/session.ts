import { PHASES, type CallOrder, type EndReason } from '@parley/contract'
import type { Logger } from 'pino'
import type { LegEnd } from '@parley/voice-ports'
import { Agent, type AgentEvents } from '../speaking/agent.ts'
import type { SessionAdapters } from './adapters.ts'
import { containedTime, Containment, loggedFault } from './contained.ts'
import { closingOf, endedFact } from './endings.ts'
import { firstLanguage } from './language.ts'
import { dialOptions, LegControl, type LiveLegEvent } from './leg-control.ts'
import { meetMachine } from './meet-machine.ts'
import { type AfterOwner, Owner, type RingInAnswer } from './owner.ts'
import { HURRIED_CONCLUSION_MS, RING_BACKSTOP_MS, timeLimits } from '../limits.ts'
import { CalleeAudio } from '../hearing/callee-audio.ts'
import { Hearing } from '../hearing/hearing.ts'
import type { Person } from '../speaking/person.ts'
import { Playback, type PlaybackEvents } from '../speaking/playback.ts'
import { CallFacts } from '../reporting/facts.ts'
import type { CallSound } from '../reporting/sound.ts'
import { firstState, type TurnEffect, type TurnEvent } from '../turns/state.ts'
import { TurnLoop } from '../turns/loop.ts'
import { perform } from './perform.ts'
import { conclude } from './wrap-up.ts'

/** One call, from dialing to the last fact. Releases everything it owns at its end. */
export class CallSession {
  /** Resolves when the leg is over; facts may still be in flight. */
  readonly ended: Promise<EndReason>
  /** Resolves when the facts were delivered or given up. */
  readonly reported: Promise<void>
  readonly #order: CallOrder
  readonly #adapters: SessionAdapters
  readonly #log: Logger
  readonly #facts: CallFacts
  readonly #leg: LegControl
  readonly #playback: Playback
  readonly #agent: Agent
  readonly #turns: TurnLoop
  readonly #hearing: Hearing
  readonly #audio: CalleeAudio
  readonly #owner: Owner
  readonly #hurry = new AbortController()
  readonly #contained = new Containment((error) => this.#fault(error))
  readonly #guard = this.#contained.guard
  #language: string
  #answeredMs: number | null = null
  #hungUpFor: EndReason | null = null
  #closing: EndReason | null = null
  #resolveEnded: (reason: EndReason) => void

  constructor(order: CallOrder, adapters: SessionAdapters) {
    this.#order = order
    const contained = containedTime(adapters, (error) => this.#fault(error))
    this.#adapters = contained.time
    const { report } = this.#adapters
    this.#log = adapters.log.child({ callId: order.callId })
    this.#language = firstLanguage(order, adapters.mind)
    this.#turns = this.#makeTurns()
    this.#facts = new CallFacts(order, { ...this.#adapters, log: this.#log }, () => this.#capReached())
    this.#hearing = this.#makeHearing()
    this.#audio = new CalleeAudio({
      // The clock of all calls: each frame reads it.
      clock: adapters.clock,
      ticker: this.#adapters.ticker,
      sound: this.#facts.sound,
      figures: this.#facts.figures,
      guard: this.#guard,
      leavesOutSilence: () => this.#leg.leg.capabilities.silence === 'left_out',
      onFault: (error) => this.#fault(error),
      hearing: this.#hearing,
    })
    const over = Promise.withResolvers<EndReason>()
    this.#resolveEnded = over.resolve
    this.ended = over.promise
    this.reported = over.promise
      .then((reason) => this.#wrapUp(reason))
      .finally(() => contained.release(loggedFault(adapters.log)))
    report.add({ type: 'dialing' })
    this.#leg = this.#dial()
    const events = this.#playbackEvents()
    this.#playback = new Playback({ ...this.#adapters, leg: this.#leg.leg, events, outgoing: this.#audio })
    this.#owner = this.#makeOwner()
    this.#agent = this.#makeAgent()
    this.#after(order.answerTimeoutSeconds * 1000 + RING_BACKSTOP_MS, () => {
      if (this.#answeredMs === null) this.#hangUp('no_answer')
    })
  }

  get person(): Person {
    return this.#owner.person
  }

  /** The sound to listen in on. */
  get sound(): CallSound {
    return this.#facts.sound
  }

  stop(reason: 'stopped' | 'interrupted'): void {
    if (reason === 'interrupted') setTimeout(() => this.#hurry.abort(), HURRIED_CONCLUSION_MS).unref()
    this.#guard(() => this.#dispatch({ type: 'stop', reason }))
  }

  instruct(text: string): void {
    this.#guard(() => this.#dispatch({ type: 'instruction', text }))
  }

  /** Sends DTMF digits to the far end; false before the answer. */
  press(digits: string): boolean {
    if (this.#answeredMs === null) return false
    this.#guard(() => void this.#leg.press(digits))
    return true
  }

  /** Puts the callee through to an E.164 number; false where that cannot be tried. */
  transfer(to: string): boolean {
    return this.#answeredMs !== null && !this.#contained.isOver && this.#leg.transfer(to)
  }

  /** Takes over for the user, or hands back to the agent; false before the answer. */
  letSpeak(who: 'person' | 'agent'): boolean {
    if (this.#answeredMs === null || this.#contained.isOver) return false
    this.#guard(() => (who === 'person' ? this.person.takeOver() : this.#owner.handBack()))
    return true
  }

  /** Rings the owner's phone, and puts the callee through to it. */
  ringIn(to: string, after: AfterOwner): RingInAnswer {
    return this.#answeredMs === null || this.#contained.isOver ? 'not_now' : this.#owner.ringIn(to, after)
  }

  // The leg

  #dial(): LegControl {
    const { carrier, clock, webhookBase = null } = this.#adapters
    return new LegControl({
      carrier,
      clock,
      log: this.#log,
      dial: dialOptions(this.#order, this.#language, webhookBase),
      onEvent: (event) => this.#guard(() => this.#onLeg(event)),
      frames: this.#audio,
      onHungUp: () => this.#guard(() => this.#disconnect()),
      onEnded: (end) => this.#guard(() => this.#end(end), true),
    })
  }

  #onLeg(event: LiveLegEvent): void {
    switch (event.type) {
      case 'placed':
        return this.#adapters.report.add({ type: 'placed', carrierCallId: event.carrierCallId })
      case 'ringing':
        this.#adapters.report.add({ type: 'ringing' })
        this.#agent.prepare()
        return this.#hearing.open()
      case 'answered':
        return this.#answered()
      case 'media':
        return event.state === 'down' ? this.#audio.rest() : undefined
      case 'digit':
        // The agent, not the user, confirms an opt-out.
        if (event.digit === '9') this.person.close()
        else this.#owner.pressed(event.digit)
        return this.#dispatch({ type: 'digit', digit: event.digit })
      case 'mark':
        return this.#playback.marked(event.name)
      case 'machine':
        return this.#hearing.carrierJudged(event.verdict)
    }
  }

  #answered(): void {
    if (this.#answeredMs !== null) return
    this.#answeredMs = this.#adapters.clock.nowMs()
    this.#facts.answered()
    this.#facts.tellPhase(PHASES.greeting)
    this.#agent.prepare()
    this.#hearing.open()
    this.#dispatch({ type: 'answered' })
  }

  #hangUp(reason: EndReason): void {
    if (this.#hungUpFor !== null || this.#contained.isOver) return
    this.#hungUpFor = reason
    this.#leg.hangUp()
    // Nobody is spoken to while the carrier confirms.
    this.#owner.close()
    this.#guard(() => this.#agent.close())
  }

  /** The connection is over: what was said is known, though not yet how long it was. */
  #disconnect(): void {
    if (this.#contained.isOver) return
    this.#contained.end()
    this.#turns.close()
    this.#owner.close()
    this.#hearing.close()
    this.#audio.close()
    this.#agent.close()
    const { callee } = this.#turns.state
    const nowMs = this.#adapters.clock.nowMs()
    const optedOut = this.#facts.end(callee.speaking ? nowMs : (callee.untilMs ?? nowMs))
    this.#closing = optedOut ? 'opted_out' : closingOf(this.#turns.state)
  }

  #end(end: LegEnd): void {
    this.#disconnect()
    this.#owner.whenFree(() => this.#guard(() => this.#tellEnd(end), true))
  }

  #tellEnd(end: LegEnd): void {
    const { cause, connectedMs } = end
    const answered = this.#answeredMs !== null
    const fact = endedFact(end, { answered, hungUpFor: this.#hungUpFor, closing: this.#closing })
    this.#adapters.report.add(fact)
    const { fillers } = this.#turns.state
    const { underruns } = this.#playback
    this.#log.info(
      { reason: fact.reason, cause, connectedMs: Math.round(connectedMs), fillers, underruns },
      'call ended',
    )
    this.#resolveEnded(fact.reason)
  }

  async #wrapUp(endReason: EndReason): Promise<void> {
    await this.#agent.concluded()
    const { state, questions } = this.#agent
    const ended = { ...state, endReason, questions }
    const conclusion = await conclude(this.#adapters.mind, ended, this.#hurry.signal, this.#log)
    await this.#facts.wrappedUp(conclusion, this.#language)
  }

  // The callee

  #makeHearing(): Hearing {
    return new Hearing({
      ...this.#adapters,
      turnEnd: this.#adapters.turnEnd ?? null,
      order: this.#order,
      figures: this.#facts.figures,
      log: this.#log,
      after: (delayMs, task) => this.#after(delayMs, task),
      guard: this.#guard,
      language: () => this.#language,
      carriesText: () => this.#leg.leg.capabilities.text,
      turns: () => this.#facts.transcript.heard(),
      isPersonSpeaking: () => this.person.speaks,
      soundedMs: () => this.#audio.soundedMs,
      dispatch: (event) => this.#dispatch(event),
      onSign: (sign) => meetMachine(sign, this.#facts, (event) => this.#dispatch(event)),
      onLanguage: (language) => this.#speakLanguage(language),
    })
  }

  #speakLanguage(language: string): void {
    if (language === this.#language || this.#adapters.mind.speaks?.(language) === false) return
    this.#language = language
    this.#agent.speakLanguage(language)
    this.#hearing.setLanguage(language)
    this.#dispatch({ type: 'language', language })
  }

  // The agent

  #makeAgent(): Agent {
    const { mind, mouth, clock } = this.#adapters
    const { transcript, figures } = this.#facts
    const own = { order: this.#order, transcript, figures, playback: this.#playback, log: this.#log }
    const options = { ...own, mind, mouth, clock, timeLeftMs: () => this.#timeLeftMs() }
    const tell = (event: TurnEvent) => this.#guard(() => this.#dispatch(event))
    const events: AgentEvents = {
      ready: (id) => tell({ type: 'reply_ready', id }),
      closes: (id, reason) => tell({ type: 'reply_closes', id, reason }),
      failed: (id) => tell({ type: 'reply_failed', id }),
      press: (digits) => void this.#leg.press(digits),
      told: (name) => this.#facts.toldByKeys(name),
      asksOwner: (question) => this.#facts.asksOwner(question),
      outcomes: (outcomes) => this.#facts.outcomes(outcomes),
      phase: (phase) => this.#facts.tellPhase(phase),
      language: (language) => this.#speakLanguage(language),
      transfer: (to) => void this.#leg.transfer(to),
      wait: (forMs) => tell({ type: 'patience', forMs }),
      optedOut: (quote) => {
        this.#facts.optedOut(quote)
        tell({ type: 'opted_out' })
      },
    }
    return new Agent({ ...options, events }, this.#language)
  }

  #playbackEvents(): PlaybackEvents {
    return {
      dropped: () => this.#facts.sound.dropped(),
      heard: (text, sinceMs, estimated) => {
        this.#hearing.said(text)
        this.#facts.agentHeard(text, sinceMs, estimated)
      },
      itemHeard: (itemId, heardMs) => this.#agent.itemHeard(itemId, heardMs),
      played: (id) => {
        this.#agent.played(id)
        const { clock } = this.#adapters
        this.#dispatch({ type: 'played', id, heardMs: Math.min(clock.nowMs(), this.#audio.soundedMs) })
      },
      stalled: (id) => this.#agent.stalled(id),
    }
  }

  #timeLeftMs(): number {
    return this.#owner.limitMs - this.#elapsedMs
  }

  /** Since the answer. */
  get #elapsedMs(): number {
    return this.#answeredMs === null ? 0 : this.#adapters.clock.nowMs() - this.#answeredMs
  }

  #makeOwner(): Owner {
    return new Owner({
      ...this.#adapters,
      order: this.#order,
      figures: this.#facts.figures,
      log: this.#log,
      webhookBase: this.#adapters.webhookBase ?? null,
      language: () => this.#language,
      isRecorded: () => this.#facts.sound.isRecording,
      elapsedMs: () => this.#elapsedMs,
      state: () => this.#turns.state,
      leg: () => this.#leg.leg,
      lend: (onFrame) => this.#audio.lend(onFrame),
      press: (digits) => void this.#leg.press(digits),
      sent: (audio, playsMs) => this.#audio.sent(audio, playsMs),
      report: (fact) => this.#adapters.report.add(fact),
      dispatch: (event) => this.#dispatch(event),
      guard: this.#guard,
      handedBack: () => this.#facts.handedBack(),
    })
  }

  #capReached(): void {
    this.#log.warn({ costMicros: this.#facts.figures.costMicros }, 'the call has cost all that it may')
    this.#guard(() => this.#dispatch({ type: 'time_is_up' }))
  }

  // Taking turns

  #dispatch(event: TurnEvent): void {
    this.#turns.dispatch(event)
  }

  #makeTurns(): TurnLoop {
    const { limitSeconds, record, askToRecord } = this.#order
    const recording = record && askToRecord ? 'wanted' : 'none'
    return new TurnLoop({
      clock: this.#adapters.clock,
      first: firstState(this.#language, timeLimits(limitSeconds), recording),
      perform: (effect) => this.#perform(effect),
      onStepped: ({ parting, output }) => {
        if (!parting && !output?.closes) return
        this.#facts.tellPhase(this.#facts.phase === PHASES.voicemail ? PHASES.voicemail : PHASES.wrappingUp)
      },
      isOver: () => this.#contained.isOver,
      guard: this.#guard,
      side: () => (this.#audio.isLate ? 'unheard' : this.#hearing.isLoud ? 'loud' : 'quiet'),
    })
  }

  #perform(effect: TurnEffect): void {
    const [agent, playback, hearing, facts, owner] = [
      this.#agent,
      this.#playback,
      this.#hearing,
      this.#facts,
      this.#owner,
    ]
    const { state } = this.#turns
    perform({ agent, playback, hearing, facts, owner, state, hangUp: (reason) => this.#hangUp(reason) }, effect)
  }

  /** It ends this call as interrupted. */
  #fault(error: unknown): void {
    this.#log.error({ err: error }, 'session fault')
    this.#hangUp('interrupted')
  }

  #after(delayMs: number, task: () => void): void {
    this.#contained.after(this.#adapters.clock, delayMs, task)
  }
}
