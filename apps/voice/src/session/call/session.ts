import { PHASES, type CallOrder, type EndReason } from '@parley/contract'
import type { Logger } from 'pino'
import type { Carrier, Ear, EarEvent, EndCause, Frame, Leg, LegEvent, Mind, Mouth } from '@parley/voice-ports'
import { ActivityDetector, createToneDetector, EchoGuard, levelDbm0, type Ticker } from '@parley/voice-ports'
import { Agent, type AgentEvents } from '../speaking/agent.ts'
import { containedTime } from './contained.ts'
import { closingOf, END_MESSAGES, endReason } from './endings.ts'
import { resolveLanguage } from './language.ts'
import { HANG_UP_BACKSTOP_MS, HURRIED_CONCLUSION_MS, RING_BACKSTOP_MS, timeLimits } from '../limits.ts'
import { KeptEar } from '../hearing/kept-ear.ts'
import { MachineListener } from '../hearing/listener.ts'
import type { MachineSign } from '../hearing/machine.ts'
import { Person } from '../speaking/person.ts'
import { Playback, type PlaybackEvents } from '../speaking/playback.ts'
import { CallFacts, type FactsAdapters } from '../reporting/facts.ts'
import type { CallSound } from '../reporting/sound.ts'
import { firstState, type TurnEffect, type TurnEvent } from '../turns/state.ts'
import { TurnLoop } from '../turns/loop.ts'
import { conclude } from './wrap-up.ts'

export interface SessionAdapters extends FactsAdapters {
  readonly carrier: Carrier
  readonly ear: Ear
  readonly mouth: Mouth
  readonly mind: Mind
  readonly ticker: Ticker
}

/** One call, from dialing to the last fact. Releases everything it owns at its end. */
export class CallSession {
  /** Resolves when the leg is over; facts may still be in flight. */
  readonly ended: Promise<EndReason>
  /** Resolves when the facts were delivered or given up. */
  readonly reported: Promise<void>
  readonly person: Person
  readonly #order: CallOrder
  readonly #adapters: SessionAdapters
  readonly #log: Logger
  readonly #facts: CallFacts
  readonly #leg: Leg
  readonly #playback: Playback
  readonly #agent: Agent
  readonly #turns: TurnLoop
  readonly #machine: MachineListener
  readonly #ear: KeptEar
  readonly #activity = new ActivityDetector()
  readonly #echo = new EchoGuard()
  readonly #tones = createToneDetector(['single'])
  readonly #hurry = new AbortController()
  readonly #timers = new Set<() => void>()
  #language: string
  #answeredMs: number | null = null
  #hungUpFor: EndReason | null = null
  #over = false
  #resolveEnded: (reason: EndReason) => void

  constructor(order: CallOrder, adapters: SessionAdapters) {
    this.#order = order
    this.#adapters = containedTime(adapters, (task) => this.#guard(task, true))
    const { carrier, clock, ticker, report } = this.#adapters
    this.#log = adapters.log.child({ callId: order.callId })
    this.#language = resolveLanguage(order.language, order.callee)
    this.#turns = this.#makeTurns()
    this.#machine = new MachineListener({
      clock,
      after: (delayMs, task) => this.#after(delayMs, task),
      isPersonSpeaking: () => this.person.speaks,
      onSign: (sign) => this.#meetMachine(sign),
    })
    this.#ear = new KeptEar({
      ear: this.#adapters.ear,
      clock,
      log: this.#log,
      after: (delayMs, task) => this.#after(delayMs, task),
      language: () => this.#language,
      onEvent: (event) => this.#guard(() => this.#onEar(event)),
      onLost: () => this.#guard(() => this.#dispatch({ type: 'ear_lost' })),
    })
    this.#facts = new CallFacts(order, { ...this.#adapters, log: this.#log })
    const over = Promise.withResolvers<EndReason>()
    this.#resolveEnded = over.resolve
    this.ended = over.promise
    this.reported = over.promise.then((reason) => this.#wrapUp(reason))
    report.add({ type: 'dialing' })
    this.#leg = this.#dial()
    const { capabilities } = carrier
    this.#playback = new Playback({ clock, ticker, leg: this.#leg, capabilities, events: this.#playbackEvents() })
    this.person = this.#makePerson()
    this.#agent = this.#makeAgent()
    this.#after(order.answerTimeoutSeconds * 1000 + RING_BACKSTOP_MS, () => {
      if (this.#answeredMs === null) this.#hangUp('no_answer')
    })
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
    this.#guard(() => this.#leg.sendDigits(digits))
    return true
  }

  /** Takes over for the user, or hands back to the agent; false before the answer. */
  letSpeak(who: 'person' | 'agent'): boolean {
    if (this.#answeredMs === null || this.#over) return false
    this.#guard(() => (who === 'person' ? this.person.takeOver() : this.person.handBack()))
    return true
  }

  // The leg

  #dial(): Leg {
    const { callee, callId, userId, answerTimeoutSeconds } = this.#order
    const answerTimeoutMs = answerTimeoutSeconds * 1000
    const options = { callId, to: callee, userId, language: this.#language, answerTimeoutMs }
    return this.#adapters.carrier.dial(options, this.#adapters.clock, (event) => this.#guard(() => this.#onLeg(event)))
  }

  #onLeg(event: LegEvent): void {
    switch (event.type) {
      case 'ringing':
        this.#adapters.report.add({ type: 'ringing' })
        this.#agent.prepare()
        return this.#ear.open()
      case 'answered':
        return this.#answered()
      case 'frame':
        return this.#answeredMs === null ? undefined : this.#hear(event.frame)
      case 'digit':
        // The agent, not the user, confirms an opt-out.
        if (event.digit === '9') this.person.close()
        return this.#dispatch({ type: 'digit', digit: event.digit })
      case 'mark':
        return this.#playback.marked(event.name)
      case 'ended':
        return this.#end(event.cause, event.connectedMs)
    }
  }

  #answered(): void {
    if (this.#answeredMs !== null) return
    this.#answeredMs = this.#adapters.clock.nowMs()
    this.#facts.answered()
    this.#facts.tellPhase(PHASES.greeting)
    this.#agent.prepare()
    this.#ear.open()
    this.#dispatch({ type: 'answered' })
  }

  #hangUp(reason: EndReason): void {
    if (this.#hungUpFor !== null || this.#over) return
    this.#hungUpFor = reason
    this.#guard(() => this.#leg.hangUp())
    const startedMs = this.#answeredMs
    this.#after(HANG_UP_BACKSTOP_MS, () =>
      this.#end('local', startedMs === null ? 0 : this.#adapters.clock.nowMs() - startedMs),
    )
  }

  #end(cause: EndCause, connectedMs: number): void {
    if (this.#over) return
    this.#over = true
    for (const cancel of this.#timers) cancel()
    this.#turns.close()
    this.person.close()
    this.#ear.close()
    this.#agent.close()
    const { callee } = this.#turns.state
    const nowMs = this.#adapters.clock.nowMs()
    const optedOut = this.#facts.end(callee.speaking ? nowMs : (callee.untilMs ?? nowMs))
    const closing = optedOut ? 'opted_out' : closingOf(this.#turns.state)
    const reason = endReason({ cause, answered: this.#answeredMs !== null, hungUpFor: this.#hungUpFor, closing })
    const message = END_MESSAGES[reason]
    this.#adapters.report.add({ type: 'ended', reason, message, connectedSeconds: connectedMs / 1000 })
    this.#log.info({ reason, cause, connectedMs: Math.round(connectedMs) }, 'call ended')
    this.#resolveEnded(reason)
  }

  async #wrapUp(endReason: EndReason): Promise<void> {
    await this.#agent.concluded()
    const { state, questions } = this.#agent
    const ended = { ...state, endReason, questions }
    const conclusion = await conclude(this.#adapters.mind, ended, this.#hurry.signal, this.#log)
    await this.#facts.wrappedUp(conclusion, this.#language)
  }

  // The callee

  #hear(frame: Frame): void {
    this.#facts.sound.callee(frame.audio)
    const nowMs = this.#adapters.clock.nowMs()
    const level = levelDbm0(frame.audio)
    const activity = this.#activity.push(level, nowMs, this.#echo.expected(level, nowMs))
    if (activity?.type === 'speech_started') this.#dispatch(activity)
    this.#ear.push(frame)
    if (activity?.type === 'speech_stopped') this.#dispatch(activity)
    if (activity) this.#machine.hear(activity)
    if (this.#machine.isConversing) return
    for (const tone of this.#tones.push(frame.audio)) this.#machine.hear({ type: 'tone', tone })
  }

  #onEar(event: Exclude<EarEvent, { type: 'failed' }>): void {
    switch (event.type) {
      case 'words':
        this.#dispatch(event)
        return this.#machine.hear(event)
      case 'language':
        return this.#order.language === 'auto' ? this.#speakLanguage(event.language) : undefined
    }
  }

  #speakLanguage(language: string): void {
    if (language === this.#language) return
    this.#language = language
    this.#agent.speakLanguage(language)
    this.#dispatch({ type: 'language', language })
  }

  #meetMachine(sign: MachineSign): void {
    switch (sign.type) {
      case 'suspected':
      case 'person':
        return this.#dispatch({ type: 'machine', suspected: sign.type === 'suspected' })
      case 'waits':
        this.#facts.tellPhase(PHASES.onHold)
        return this.#dispatch({ type: 'machine_waits' })
      case 'cue':
        this.#facts.machineSpoke()
        this.#facts.tellPhase(PHASES[sign.cue.type])
        return this.#dispatch({ type: 'machine_cue', cue: sign.cue })
      case 'fax':
        return this.#dispatch({ type: 'stop', reason: 'fax' })
    }
  }

  // The agent

  #makeAgent(): Agent {
    const { mind, mouth, clock } = this.#adapters
    const { transcript } = this.#facts
    const timeLeftMs = () => this.#timeLeftMs()
    const own = { order: this.#order, transcript, playback: this.#playback, log: this.#log }
    const options = { ...own, mind, mouth, clock, timeLeftMs }
    const tell = (event: TurnEvent) => this.#guard(() => this.#dispatch(event))
    const events: AgentEvents = {
      ready: (id) => tell({ type: 'reply_ready', id }),
      closes: (id, reason) => tell({ type: 'reply_closes', id, reason }),
      failed: (id) => tell({ type: 'reply_failed', id }),
      press: (digits) => this.#leg.sendDigits(digits),
      outcomes: (outcomes) => this.#facts.outcomes(outcomes),
      phase: (phase) => this.#facts.tellPhase(phase),
      language: (language) => this.#speakLanguage(language),
      optedOut: (quote) => {
        this.#facts.optedOut(quote)
        tell({ type: 'opted_out' })
      },
    }
    return new Agent({ ...options, events }, this.#language)
  }

  #playbackEvents(): PlaybackEvents {
    return {
      sent: (audio) => this.#sent(audio),
      heard: (text, sinceMs, estimated) => this.#facts.transcript.agentHeard(text, sinceMs, estimated),
      itemHeard: (itemId, heardMs) => this.#agent.itemHeard(itemId, heardMs),
      played: (id) => {
        this.#agent.played(id)
        this.#dispatch({ type: 'played', id })
      },
      stalled: (id) => this.#agent.stalled(id),
    }
  }

  #timeLeftMs(): number {
    const spentMs = this.#answeredMs === null ? 0 : this.#adapters.clock.nowMs() - this.#answeredMs
    return this.#order.limitSeconds * 1000 - spentMs
  }

  /** A frame was sent to the callee. */
  #sent(audio: Uint8Array): void {
    this.#echo.sent(levelDbm0(audio), this.#adapters.clock.nowMs())
    this.#facts.sound.ours(audio)
  }

  #makePerson(): Person {
    const { clock, ticker } = this.#adapters
    return new Person({
      clock,
      ticker,
      send: (audio) => {
        this.#leg.send({ audio })
        this.#sent(audio)
      },
      changed: (speaks) => {
        this.#guard(() => this.#dispatch({ type: speaks ? 'taken_over' : 'handed_back' }))
        if (!speaks) this.#facts.handedBack()
      },
    })
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
      isOver: () => this.#over,
      guard: (task) => this.#guard(task),
      isLoud: () => this.#activity.loud,
    })
  }

  #perform(effect: TurnEffect): void {
    switch (effect.type) {
      case 'ask':
        return this.#agent.ask(effect.id, effect.cue)
      case 'discard':
        return this.#agent.discard(effect.id)
      case 'play':
        if (this.#turns.state.output?.cue?.type === 'heard') this.#machine.hear({ type: 'conversation' })
        return this.#agent.play(effect.id)
      case 'speak':
        if (effect.phrase.startsWith('ask_record')) this.#facts.tellPhase(PHASES.askingToRecord)
        return this.#agent.speak(effect.id, effect.phrase)
      case 'pause':
        return this.#playback.pause()
      case 'resume':
        return this.#playback.resume()
      case 'drop':
        return this.#agent.drop()
      case 'finalize':
        return this.#ear.finalize()
      case 'callee_words':
        return this.#facts.calleeSays(effect.text, effect.sinceMs)
      case 'callee_turn_over':
        this.#facts.transcript.calleeDone(effect.untilMs)
        return this.#turns.state.machine ? undefined : this.#agent.observe()
      case 'callee_turn_revised':
        return this.#facts.transcript.reviseCallee(effect.text)
      case 'opted_out':
        return this.#facts.optedOut(effect.quote)
      case 'person':
        if (effect.heard) this.person.letThrough()
        return this.#facts.takenOver(effect.heard)
      case 'consent':
        return this.#facts.consent(effect.given)
      case 'hang_up':
        return this.#hangUp(effect.reason)
    }
  }

  // The floor

  /** Contains a fault: it ends this call as interrupted, and no other call. */
  #guard(task: () => void, afterEnd = false): void {
    try {
      if (!this.#over || afterEnd) task()
    } catch (error) {
      this.#log.error({ err: error }, 'session fault')
      this.#hangUp('interrupted')
    }
  }

  #after(delayMs: number, task: () => void): void {
    const cancel = this.#adapters.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      this.#guard(task)
    })
    this.#timers.add(cancel)
  }
}
