import type { EndReason } from '@parley/contract'
import type { Cue } from '../minds/port.ts'
import * as limits from './limits.ts'
import type { Line } from './lines.ts'
import { endOfTurnMs, isBackChannel, isInterruption, isSecondThought, wordsOf } from './phrases.ts'
import { calleeText, type Deadline, type PendingReply, type TurnEffect, type TurnEvent, type TurnState } from './turn-state.ts'

/** Who speaks now: pure, so that a conversation can be replayed from its events. */
export function step(state: TurnState, event: TurnEvent, nowMs: number): { state: TurnState; effects: TurnEffect[] } {
  if (state.over) return { state, effects: [] }
  const talk = new Talk(structuredClone(state), nowMs)
  talk.take(event)
  return { state: talk.state, effects: talk.effects }
}

/** Endings that nothing said over them can take back. */
function isFirm(reason: EndReason): boolean {
  return reason !== 'agent_closed' && reason !== 'refused_to_talk'
}

class Talk {
  readonly state: TurnState
  readonly effects: TurnEffect[] = []
  readonly #nowMs: number

  constructor(state: TurnState, nowMs: number) {
    this.state = state
    this.#nowMs = nowMs
  }

  take(event: TurnEvent): void {
    switch (event.type) {
      case 'answered':
        return this.#answered()
      case 'speech_started':
        return this.#speechStarted(event.sinceMs)
      case 'speech_stopped':
        return this.#speechStopped(event.untilMs)
      case 'words':
        return this.#words(event.text, event.final)
      case 'digit':
        return event.digit === '9' ? this.#optOut('Pressed 9.') : this.#words(event.digit, true)
      case 'language':
        this.state.language = event.language
        return undefined
      case 'reply_ready':
        return this.#replyReady(event.id)
      case 'reply_closes':
        return this.#replyCloses(event.id, event.reason)
      case 'reply_failed':
        return this.#replyFailed(event.id)
      case 'opted_out':
        return this.#mindHeardOptOut()
      case 'played':
        return this.#played(event.id)
      case 'instruction':
        this.state.cues.push({ type: 'instruction', text: event.text })
        return this.#askIfFree()
      case 'machine':
        return this.#machine(event.suspected)
      case 'machine_cue':
        return this.#machineCue(event.cue)
      case 'stop':
        return this.#hangUp(event.reason)
      case 'tick':
        return this.#tick()
    }
  }

  // The callee

  #answered(): void {
    const { warnMs, goodbyeMs, hardEndMs } = this.state.limits
    this.#arm('warn', this.#nowMs + warnMs)
    this.#arm('goodbye', this.#nowMs + goodbyeMs)
    this.#arm('hard_end', this.#nowMs + hardEndMs)
    this.#speak('disclosure', null)
    this.#ask({ type: 'opening' }, { early: true })
  }

  #speechStarted(sinceMs: number): void {
    const { state } = this
    if (state.output && this.#onlyBackChannel()) this.#closeCalleeTurn()
    state.callee.speaking = true
    state.callee.sinceMs = sinceMs
    this.#disarm('end_of_turn', 'wordless', 'silence', 'resume')
    this.#armNoise()
    if (state.mode === 'thinking' && this.#discardReply()) state.mode = 'listening'
    if (state.mode !== 'speaking') return
    state.mode = 'overlapping'
    this.#arm('interruption', sinceMs + limits.INTERRUPTION_MS)
  }

  #speechStopped(untilMs: number): void {
    this.#fellSilent(untilMs)
    this.effects.push({ type: 'finalize' })
  }

  #fellSilent(untilMs: number): void {
    const { state } = this
    state.callee.speaking = false
    state.callee.untilMs = untilMs
    this.#disarm('noise', 'interruption')
    if (state.mode === 'overlapping') state.mode = 'speaking'
    if (state.parting) return this.#arm('parting', this.#nowMs + limits.PARTING_AFTER_SPEECH_MS)
    if (state.mode === 'listening') this.#settle(untilMs)
    if (state.paused) this.#armResume(untilMs)
  }

  #armResume(untilMs: number): void {
    this.#arm('resume', untilMs + (this.#onlyBackChannel() ? limits.RESUME_AFTER_BACK_CHANNEL_MS : limits.RESUME_MS))
  }

  #words(heard: string, final: boolean): void {
    const { callee } = this.state
    const before = wordsOf(calleeText(this.state)).join(' ')
    const text = this.#beyondAnswered(heard, final)
    if (final) callee.settled = `${callee.settled} ${text}`.trim()
    callee.partial = final ? '' : text
    const now = calleeText(this.state)
    if (now === '') return
    this.effects.push({ type: 'callee_words', text: now, sinceMs: callee.speaking ? callee.sinceMs : (callee.untilMs ?? this.#nowMs) })
    if (wordsOf(now).join(' ') !== before) this.#newWords(now)
  }

  /** Without the part that was answered before the ear had settled it. */
  #beyondAnswered(text: string, final: boolean): string {
    const { callee } = this.state
    if (callee.answered === null) return text
    const answered = callee.answered
    if (final) callee.answered = null
    if (text.startsWith(answered)) return text.slice(answered.length).trim()
    if (wordsOf(answered).join(' ').startsWith(wordsOf(text).join(' '))) return ''
    if (!final) return text
    this.effects.push({ type: 'callee_turn_revised', text })
    return ''
  }

  #newWords(text: string): void {
    const { state } = this
    state.silences = 0
    if (state.callee.speaking) this.#armNoise()
    if (state.parting) return this.#wordsAfterGoodbye(text)
    if (state.machine) return
    if (state.output === null || state.paused) {
      if (state.paused && !this.#onlyBackChannel()) this.#drop()
      else if (state.paused) return state.callee.speaking ? undefined : this.#armResume(this.#nowMs)
      if (state.mode === 'thinking' && !this.#discardReply()) return
      state.mode = 'listening'
      if (!state.callee.speaking) this.#settle(this.#spokenAtMs())
      return
    }
    // A reply made during the output does not know these words.
    this.#discardReply()
    if (this.#mayInterrupt(text) && isInterruption(text)) {
      this.#drop()
      if (!state.callee.speaking) this.#settle(this.#spokenAtMs())
    }
  }

  #wordsAfterGoodbye(text: string): void {
    const { parting } = this.state
    if (!parting || isFirm(parting.reason) || !isSecondThought(text)) return
    this.state.parting = null
    this.#disarm('parting')
    if (!this.state.callee.speaking) this.#settle(this.#spokenAtMs())
  }

  /** When the words just heard were said: some ears bring them late, some carriers bring them without sound. */
  #spokenAtMs(): number {
    const { untilMs } = this.state.callee
    const isLate = untilMs !== null && this.#nowMs - untilMs < limits.WORDLESS_WAIT_MS
    return isLate ? untilMs : this.#nowMs
  }

  /** The callee fell silent at `sinceMs`: from when on is it our turn? */
  #settle(sinceMs: number): void {
    const { state } = this
    const text = calleeText(state)
    if (text === '') {
      const speechMs = sinceMs - state.callee.sinceMs
      if (speechMs >= limits.WORDLESS_SPEECH_MS) this.#arm('wordless', sinceMs + limits.WORDLESS_WAIT_MS)
      else this.#askIfFree()
      return
    }
    this.#disarm('silence', 'wordless')
    const waitMs = endOfTurnMs(text, state.language)
    this.#arm('end_of_turn', Math.max(sinceMs + waitMs, this.#nowMs + Math.min(waitMs, limits.LATE_WORDS_MS)))
    if (waitMs <= limits.END_OF_TURN_MS && !state.reply) this.#ask(this.#nextCue(text), { early: true })
  }

  #closeCalleeTurn(): void {
    const { callee } = this.state
    if (calleeText(this.state) === '') return
    callee.answered = callee.partial || null
    callee.settled = ''
    callee.partial = ''
    this.effects.push({ type: 'callee_turn_over', untilMs: callee.speaking ? this.#nowMs : (callee.untilMs ?? this.#nowMs) })
  }

  #onlyBackChannel(): boolean {
    return isBackChannel(calleeText(this.state))
  }

  // The agent

  /** What the mind is asked when the turn is ours. */
  #nextCue(text: string): Cue {
    const { cues } = this.state
    const urgent = cues.findIndex((cue) => cue.type !== 'instruction')
    if (urgent < 0 && text !== '') return { type: 'heard', text }
    const [cue] = cues.splice(Math.max(0, urgent), 1)
    return cue ?? { type: 'heard', text }
  }

  #askIfFree(): void {
    const { state } = this
    const free = state.mode === 'listening' && !state.callee.speaking && !state.parting && !state.output && calleeText(state) === ''
    if (!free) return
    if (state.cues.length > 0) this.#ask(this.#nextCue(''), { early: false })
    else this.#arm('silence', this.#nowMs + limits.SILENCE_MS)
  }

  #ask(cue: Cue, { early, attempt = 1 }: { early: boolean; attempt?: PendingReply['attempt'] }): void {
    const { state } = this
    state.reply = { id: ++state.ids, cue, attempt, early, stage: 'asked', closes: null }
    this.effects.push({ type: 'ask', id: state.reply.id, cue })
    this.#disarm('silence', 'wordless')
    if (!early) this.#arm('reply', this.#nowMs + limits.REPLY_TIMEOUT_MS)
    if (!state.output) state.mode = 'thinking'
  }

  /** False when there is a reply that must be said whatever the callee does. */
  #discardReply(): boolean {
    const { reply } = this.state
    if (!reply) return true
    if (reply.cue.type === 'voicemail') return false
    this.effects.push({ type: 'discard', id: reply.id })
    this.#forgetReply(reply)
    return true
  }

  #forgetReply({ cue }: PendingReply): void {
    this.state.reply = null
    this.#disarm('reply', 'opening_pause')
    // What was not said by the callee does not come again by itself.
    if (cue.type === 'opening' || cue.type === 'instruction' || cue.type === 'time_nearly_up') this.state.cues.unshift(cue)
  }

  #release(): void {
    const { reply } = this.state
    if (!reply) return
    reply.early = false
    if (reply.stage === 'ready') this.#play(reply)
    else this.#arm('reply', this.#nowMs + limits.REPLY_TIMEOUT_MS)
  }

  #replyReady(id: number): void {
    const { reply, output } = this.state
    if (reply?.id !== id) return
    reply.stage = 'ready'
    if (!reply.early && !output) this.#play(reply)
  }

  #play(reply: PendingReply): void {
    const { state } = this
    this.#closeCalleeTurn()
    state.reply = null
    state.failures = 0
    this.#disarm('reply', 'end_of_turn', 'silence', 'wordless')
    const message = reply.cue.type === 'voicemail'
    state.output = { id: reply.id, cue: reply.cue, protected: message, closes: message ? 'voicemail' : reply.closes }
    state.mode = state.callee.speaking ? 'overlapping' : 'speaking'
    this.effects.push({ type: 'play', id: reply.id })
  }

  #replyCloses(id: number, told: EndReason): void {
    const { reply, output } = this.state
    const closing = [reply, output].find((candidate) => candidate?.id === id)
    if (!closing || closing.closes !== null) return
    closing.closes = closing.cue?.type === 'time_nearly_up' ? 'time_limit' : told
  }

  #replyFailed(id: number): void {
    const { state } = this
    const { reply } = state
    if (reply?.id !== id) return
    reply.stage = 'failed'
    this.#disarm('reply')
    if (reply.early) {
      // Nobody waits for it yet: it is asked again when the turn is ours.
      this.#forgetReply(reply)
      if (state.mode === 'thinking') state.mode = 'listening'
      if (state.deadlines.end_of_turn === undefined) this.#askIfFree()
    } else if (!state.output) this.#answerForMind(reply)
  }

  /** A sentence instead of silence, and a second try behind it. */
  #answerForMind(reply: PendingReply): void {
    this.#forgetReply(reply)
    if (reply.cue.type === 'voicemail') return this.#hangUp('voicemail')
    if (reply.attempt === 1) {
      this.#speak('one_moment', null)
      this.state.cues = this.state.cues.filter((cue) => cue !== reply.cue)
      return this.#ask(reply.cue, { early: false, attempt: 2 })
    }
    this.state.failures++
    if (this.state.failures >= limits.FAILURES_MAX) this.#speak('trouble', 'interrupted')
    else this.#speak('say_again', null)
  }

  /** A line of the server's own. */
  #speak(line: Line, closes: EndReason | null): void {
    const { state } = this
    this.#closeCalleeTurn()
    this.#disarm('end_of_turn', 'silence', 'wordless')
    state.output = { id: ++state.ids, cue: null, protected: line === 'disclosure' || closes !== null, closes }
    state.mode = state.callee.speaking ? 'overlapping' : 'speaking'
    this.effects.push({ type: 'speak', id: state.output.id, line })
  }

  #played(id: number): void {
    const { state } = this
    const { output } = state
    if (output?.id !== id) return
    state.output = null
    state.paused = false
    state.mode = 'listening'
    this.#disarm('interruption', 'resume')
    if (output.closes) return this.#part(output.closes)
    if (state.machine && !state.reply) {
      state.mode = 'holding'
      return
    }
    if (state.reply) return this.#backToReply(state.reply)
    if (state.callee.speaking) return
    const untilMs = state.callee.untilMs ?? 0
    if (this.#onlyBackChannel() && this.#nowMs - untilMs > limits.ANSWER_WINDOW_MS) this.#closeCalleeTurn()
    if (calleeText(state) === '') this.#askIfFree()
    else this.#settle(untilMs)
  }

  #backToReply(reply: PendingReply): void {
    this.state.mode = 'thinking'
    if (reply.stage === 'failed') this.#answerForMind(reply)
    else if (reply.early && this.state.callee.speaking) {
      this.#discardReply()
      this.state.mode = 'listening'
    } else if (reply.early) this.#arm('opening_pause', this.#nowMs + limits.OPENING_PAUSE_MS)
    else if (reply.stage === 'ready') this.#play(reply)
  }

  // Interruptions

  #mayInterrupt(text: string): boolean {
    const { output } = this.state
    if (!output || output.protected) return false
    if (output.closes === null) return true
    return !isFirm(output.closes) && isSecondThought(text)
  }

  /** Speech, not known to be words yet, over the agent's own for long enough. */
  #interruptedByVoice(): void {
    const { state } = this
    if (state.mode !== 'overlapping' || !state.output || state.output.protected || state.output.closes) return
    const backChannelEndsMs = state.callee.sinceMs + limits.BACK_CHANNEL_MS
    if (this.#onlyBackChannel() && this.#nowMs < backChannelEndsMs) return this.#arm('interruption', backChannelEndsMs)
    this.effects.push({ type: 'pause' })
    state.paused = true
    state.mode = 'holding'
  }

  #resume(): void {
    const { state } = this
    if (!state.paused || state.callee.speaking) return
    state.paused = false
    state.mode = 'speaking'
    this.effects.push({ type: 'resume' })
  }

  #drop(): void {
    const { state } = this
    if (!state.output) return
    this.effects.push({ type: 'drop' })
    state.output = null
    state.paused = false
    state.mode = 'listening'
    this.#disarm('interruption', 'resume')
  }

  // Machines

  #machine(suspected: boolean): void {
    const { state } = this
    if (state.machine === suspected || state.parting) return
    state.machine = suspected
    if (!suspected) {
      this.#disarm('machine_hold')
      if (state.mode === 'holding' && !state.paused) state.mode = 'listening'
      if (state.mode === 'listening' && !state.callee.speaking) this.#settle(this.#spokenAtMs())
      return
    }
    this.#discardReply()
    if (state.output && !state.output.protected) this.#drop()
    if (!state.output) state.mode = 'holding'
    this.#disarm('end_of_turn', 'silence', 'wordless')
    this.#arm('machine_hold', this.#nowMs + limits.MACHINE_HOLD_MS)
  }

  #machineCue(cue: Cue): void {
    const { state } = this
    if (state.parting || state.output?.closes) return
    this.#discardReply()
    this.#drop()
    this.#disarm('machine_hold')
    this.#closeCalleeTurn()
    if (cue.type === 'voicemail') {
      state.cues = []
      // Whoever plays the message has not heard the first one.
      this.#speak('disclosure', null)
    } else state.machine = false
    this.#ask(cue, { early: false })
  }

  // Endings

  #mindHeardOptOut(): void {
    const { output, parting } = this.state
    if (output?.cue) {
      output.closes = 'opted_out'
      output.protected = true
    } else if (parting) parting.reason = 'opted_out'
    else this.#endWith('opt_out', 'opted_out')
  }

  #optOut(quote: string): void {
    if (this.state.parting?.reason === 'opted_out' || this.state.output?.closes === 'opted_out') return
    this.effects.push({ type: 'opted_out', quote })
    this.#endWith('opt_out', 'opted_out')
  }

  #endWith(line: Line, reason: EndReason): void {
    this.#discardReply()
    this.#drop()
    this.state.reply = null
    this.state.parting = null
    this.state.machine = false
    this.#disarm('parting', 'machine_hold', 'reply', 'opening_pause')
    this.#speak(line, reason)
  }

  #part(reason: EndReason): void {
    if (isFirm(reason)) return this.#hangUp(reason)
    this.state.parting = { reason, sinceMs: this.#nowMs }
    this.#arm('parting', this.#nowMs + limits.PARTING_MS)
  }

  #parted(): void {
    const { parting, callee } = this.state
    if (!parting) return
    const latestMs = parting.sinceMs + limits.PARTING_MAX_MS
    if (callee.speaking && this.#nowMs < latestMs) this.#arm('parting', latestMs)
    else this.#hangUp(parting.reason)
  }

  #hangUp(reason: EndReason): void {
    this.state.over = true
    this.state.deadlines = {}
    this.effects.push({ type: 'hang_up', reason })
  }

  // Time

  #tick(): void {
    while (!this.state.over) {
      const due = earliest(this.state)
      if (!due || due.atMs > this.#nowMs) return
      delete this.state.deadlines[due.name]
      this.#due(due.name)
    }
  }

  #due(name: Deadline): void {
    const { state } = this
    switch (name) {
      case 'end_of_turn':
        if (state.reply) return this.#release()
        return this.#ask(this.#nextCue(calleeText(state)), { early: false })
      case 'wordless':
        return this.#speak('say_again', null)
      case 'noise':
        return this.#fellSilent(this.#nowMs)
      case 'interruption':
        return this.#interruptedByVoice()
      case 'resume':
        return this.#resume()
      case 'opening_pause':
        return this.#release()
      case 'silence':
        return this.#silence()
      case 'reply':
        if (state.reply) this.effects.push({ type: 'discard', id: state.reply.id })
        return state.reply ? this.#replyFailed(state.reply.id) : undefined
      case 'parting':
        return this.#parted()
      case 'machine_hold':
        return this.#machine(false)
      case 'warn':
        state.cues.push({ type: 'time_nearly_up' })
        return this.#askIfFree()
      case 'goodbye':
        return state.parting || state.output?.closes ? undefined : this.#endWith('time_up', 'time_limit')
      case 'hard_end':
        return this.#hangUp(state.parting?.reason ?? state.output?.closes ?? 'time_limit')
    }
  }

  #silence(): void {
    const { state } = this
    if (state.mode !== 'listening' || state.callee.speaking) return
    state.silences++
    if (state.silences > limits.SILENCE_PROMPTS) this.#speak('silence_goodbye', 'silence')
    else this.#ask({ type: 'silence', count: state.silences }, { early: false })
  }

  #armNoise(): void {
    this.#arm('noise', this.#nowMs + (calleeText(this.state) === '' ? limits.NOISE_MS : limits.NOISE_AFTER_WORDS_MS))
  }

  #arm(name: Deadline, atMs: number): void {
    this.state.deadlines[name] = atMs
  }

  #disarm(...names: Deadline[]): void {
    for (const name of names) delete this.state.deadlines[name]
  }
}

function earliest(state: TurnState): { name: Deadline; atMs: number } | null {
  let first: { name: Deadline; atMs: number } | null = null
  for (const name of Object.keys(state.deadlines) as Deadline[]) {
    const atMs = state.deadlines[name]
    if (atMs !== undefined && (first === null || atMs < first.atMs)) first = { name, atMs }
  }
  return first
}
