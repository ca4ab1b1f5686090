import * as limits from '../limits.ts'
import {
  arm,
  calleeText,
  closeCalleeTurn,
  disarm,
  hangUp,
  isSaidOverOurs,
  onlyBackChannel,
  takeDue,
  type Draft,
} from './draft.ts'
import { handedBack, letPersonSpeak, optOutWhileHeld, takenOver, tickWhileHeld } from './held.ts'
import { earLost, endWith, hardEnd, mindHeardOptOut, optOut, beginParting, endParting, timeIsUp } from './endings.ts'
import { machineCleared, machineCue, machineSuspected } from './machines.ts'
import { notePause, unlearnPause } from './pace.ts'
import * as replies from './replies.ts'
import { beginRinging, ringInWanted, takeWhileRinging } from './ring-in.ts'
import { copyOf, type Deadline, type PendingReply, type TurnEffect, type TurnEvent, type TurnState } from './state.ts'
import { earBroken, earReady, earTurn, endOfTurnIsDue, noteSettled, settled, turnEndPredicted } from './turn-end.ts'
import { armNoise, armResume, words } from './words.ts'

/** Decides who speaks now. Pure, so that a conversation can be replayed from its events. */
export function step(state: TurnState, event: TurnEvent, nowMs: number): { state: TurnState; effects: TurnEffect[] } {
  if (state.over) return { state, effects: [] }
  const draft: Draft = { state: copyOf(state), effects: [], nowMs }
  if (state.held) takeWhileHeld(draft, event)
  else if (state.ringIn === 'ringing' && takeWhileRinging(draft, event)) return draft
  else if (state.ringIn === 'ringing') takeWhileHeld(draft, event)
  else take(draft, event)
  return draft
}

function take(draft: Draft, event: TurnEvent): void {
  switch (event.type) {
    case 'answered':
      return answered(draft)
    case 'speech_started':
      return speechStarted(draft, event)
    case 'speech_stopped':
      finalize(draft)
      return fellSilent(draft, event.untilMs)
    case 'words':
      return words(draft, event.text, event.final)
    case 'settled':
      return settled(draft, event)
    case 'ear_ready':
      return earReady(draft, event)
    case 'ear_broken':
      return earBroken(draft)
    case 'ear_turn':
      return earTurn(draft, event.state)
    case 'turn_end':
      return turnEndPredicted(draft, event.pause, event.waitMs)
    case 'digit':
      return event.digit === '9' ? optOut(draft) : words(draft, event.digit, true)
    case 'language':
      return languageChanged(draft, event.language)
    case 'reply_ready':
      return replies.replyReady(draft, event.id)
    case 'reply_closes':
      return replies.replyCloses(draft, event.id, event.reason)
    case 'reply_failed':
      return replies.replyFailed(draft, event.id)
    case 'opted_out':
      return mindHeardOptOut(draft)
    case 'played':
      return played(draft, event)
    case 'instruction':
      draft.state.cues.push({ type: 'instruction', text: event.text })
      return replies.askIfFree(draft)
    case 'patience':
      return waitPatiently(draft, event.forMs)
    case 'machine':
      return event.suspected ? machineSuspected(draft) : machineCleared(draft)
    case 'machine_waits':
      closeCalleeTurn(draft)
      return arm(draft, 'machine_hold', draft.nowMs + limits.HOLD_MAX_MS)
    case 'machine_cue':
      return machineCue(draft, event.cue)
    case 'ear_lost':
      return earLost(draft)
    case 'time_is_up':
      return timeIsUp(draft)
    case 'taken_over':
      return takenOver(draft)
    case 'handed_back':
      draft.state.yielding = false
      return undefined
    case 'ring_in':
      return ringInWanted(draft)
    case 'owner_ready':
    case 'owner_gone':
      return undefined
    case 'time_limit':
      return timeLimit(draft, event)
    case 'stop':
      return hangUp(draft, event.reason)
    case 'tick':
      return takeDue(draft, event.side, onDeadline)
  }
}

/** While the user has taken over: keeps the callee's words and the user's instructions; says and asks nothing. */
function takeWhileHeld(draft: Draft, event: TurnEvent): void {
  const { callee } = draft.state
  switch (event.type) {
    case 'speech_started':
      callee.speaking = true
      callee.sinceMs = event.sinceMs
      return disarm(draft, 'end_of_turn')
    case 'speech_stopped':
      callee.speaking = false
      callee.untilMs = event.untilMs
      finalize(draft)
      return arm(draft, 'end_of_turn', event.untilMs + limits.END_OF_TURN_MS)
    case 'words':
    case 'ear_ready':
    case 'ear_broken':
    case 'time_limit':
    case 'stop':
      return take(draft, event)
    case 'owner_gone':
      return draft.state.ringIn === 'bridged' ? handedBack(draft) : undefined
    case 'settled':
      return noteSettled(draft, event)
    case 'digit':
      return event.digit === '9' ? optOutWhileHeld(draft) : undefined
    case 'instruction':
      draft.state.cues.push({ type: 'instruction', text: event.text })
      return undefined
    case 'language':
      draft.state.language = event.language
      return undefined
    case 'handed_back':
      return handedBack(draft)
    case 'ear_lost':
      draft.state.deaf = true
      return undefined
    case 'time_is_up':
      return hangUp(draft, 'time_limit')
    case 'tick':
      return tickWhileHeld(draft, event.side)
    default:
      return undefined
  }
}

function answered(draft: Draft): void {
  const { warnMs, goodbyeMs, hardEndMs } = draft.state.limits
  arm(draft, 'warn', draft.nowMs + warnMs)
  arm(draft, 'goodbye', draft.nowMs + goodbyeMs)
  arm(draft, 'hard_end', draft.nowMs + hardEndMs)
  replies.greet(draft)
}

/** What has passed already is not done again. */
function waitPatiently(draft: Draft, forMs: number): void {
  draft.state.patienceMs = forMs
  if (draft.state.deadlines.has('silence')) replies.askIfFree(draft)
}

function timeLimit(
  draft: Draft,
  { warnAtMs, goodbyeAtMs, hardEndAtMs }: Extract<TurnEvent, { type: 'time_limit' }>,
): void {
  const deadlines = { warn: warnAtMs, goodbye: goodbyeAtMs, hard_end: hardEndAtMs } as const
  for (const name of ['warn', 'goodbye', 'hard_end'] as const) {
    if (deadlines[name] > draft.nowMs) arm(draft, name, deadlines[name])
    else if (name === 'hard_end') return hardEnd(draft)
    else disarm(draft, name)
  }
}

// The callee's voice

function speechStarted(draft: Draft, { sinceMs, oursUntilMs }: Extract<TurnEvent, { type: 'speech_started' }>): void {
  const { state } = draft
  state.heardOutMs = Math.max(state.heardOutMs, oursUntilMs)
  const { callee } = state
  // A detector that is late finds the voice behind its first words.
  const hasBegun = callee.voicelessMs !== null && callee.voicelessMs >= sinceMs
  if (!hasBegun && isSaidOverOurs(draft)) closeCalleeTurn(draft)
  callee.voicelessMs = null
  notePause(draft, sinceMs)
  if (callee.untilMs !== null && sinceMs - callee.untilMs > limits.ANSWERED_KEPT_MS) callee.answered = null
  callee.speaking = true
  callee.sinceMs = sinceMs
  callee.pause++
  callee.predictedText = null
  callee.isPredicted = false
  disarm(draft, 'end_of_turn', 'settling', 'wordless', 'silence', 'resume')
  armNoise(draft)
  if (state.mode === 'thinking') replies.holdReply(draft)
  if (state.mode !== 'speaking') return
  state.mode = 'overlapping'
  arm(draft, 'interruption', sinceMs + limits.INTERRUPTION_MS)
}

function finalize({ state, effects, nowMs }: Draft): void {
  effects.push({ type: 'finalize' })
  state.callee.owedSinceMs = nowMs
}

function fellSilent(draft: Draft, untilMs: number): void {
  const { state } = draft
  state.callee.speaking = false
  state.callee.untilMs = untilMs
  disarm(draft, 'noise', 'interruption')
  if (state.mode === 'overlapping') state.mode = 'speaking'
  if (state.parting) arm(draft, 'parting', draft.nowMs + limits.PARTING_AFTER_SPEECH_MS)
  else if (state.mode === 'listening') replies.settle(draft, untilMs)
  else if (state.paused) armResume(draft, untilMs)
}

/** A reply that is being made in the old language is of no use. */
function languageChanged(draft: Draft, language: string): void {
  const { state } = draft
  state.language = language
  if (state.mode !== 'thinking' || state.reply?.cue.type !== 'heard') return
  replies.discardReply(draft)
  state.mode = 'listening'
  replies.settleUnlessSpeaking(draft)
}

// Speaking over one another

/** Pauses the agent, or discards its reply, for speech that lasts and has brought no words yet. */
function interruptedByVoice(draft: Draft): void {
  const { state, effects, nowMs } = draft
  if (state.mode === 'listening' && state.callee.speaking) return void replies.discardReply(draft)
  if (state.mode !== 'overlapping' || !state.output || state.output.protected || state.output.closes) return
  const backChannelEndsMs = state.callee.sinceMs + limits.BACK_CHANNEL_MS
  if (onlyBackChannel(draft) && nowMs < backChannelEndsMs) return arm(draft, 'interruption', backChannelEndsMs)
  effects.push({ type: 'pause' })
  state.paused = true
  state.mode = 'holding'
}

function resume({ state, effects }: Draft): void {
  if (!state.paused || state.callee.speaking) return
  state.paused = false
  state.mode = 'speaking'
  effects.push({ type: 'resume' })
}

/** The callee has heard the whole output. */
function played(draft: Draft, { id, heardMs }: Extract<TurnEvent, { type: 'played' }>): void {
  const { state } = draft
  const { output } = state
  if (output?.id !== id) return
  state.output = null
  state.heardOutMs = Math.max(state.heardOutMs, heardMs)
  if (output.cue) unlearnPause(draft)
  state.paused = false
  state.mode = 'listening'
  disarm(draft, 'interruption', 'resume')
  if (output.closes) return beginParting(draft, output.closes)
  if (state.yielding) return letPersonSpeak(draft)
  if (state.ringIn === 'wanted') return beginRinging(draft)
  if (state.reply) return backToReply(draft, state.reply)
  if (state.machine) state.mode = 'holding'
  if (state.machine || state.callee.speaking) return
  if (state.consent === 'wanted' && calleeText(draft) === '') return replies.askToRecord(draft)
  const untilMs = state.callee.untilMs ?? 0
  // "Yes" answers what was just asked; the "mhm" of a while ago does not, and before the opening nothing was asked.
  const isNoAnswer =
    state.heardOutMs - untilMs > limits.ANSWER_WINDOW_MS || state.cues.some(({ type }) => type === 'opening')
  if (onlyBackChannel(draft) && isNoAnswer) closeCalleeTurn(draft)
  if (calleeText(draft) === '') replies.askIfFree(draft)
  else replies.settle(draft, untilMs)
}

/** A reply was prepared while a phrase of the server was spoken. */
function backToReply(draft: Draft, reply: PendingReply): void {
  const { state, nowMs } = draft
  if (reply.stage === 'failed') return replies.answerForMind(draft, reply)
  state.mode = 'thinking'
  if (!reply.early) return reply.stage === 'ready' ? replies.release(draft) : undefined
  if (state.callee.speaking) replies.holdReply(draft)
  else arm(draft, 'opening_pause', nowMs + limits.OPENING_PAUSE_MS)
}

// Time

function onDeadline(draft: Draft, name: Deadline): void {
  switch (name) {
    case 'end_of_turn':
      return endOfTurnIsDue(draft)
    case 'settling':
      return replies.turnIsOurs(draft)
    case 'wordless':
      return replies.admitFailure(draft)
    case 'noise':
      return fellSilent(draft, draft.nowMs)
    case 'interruption':
      return interruptedByVoice(draft)
    case 'resume':
      return resume(draft)
    case 'opening_pause':
      return replies.release(draft)
    case 'silence':
      return silence(draft)
    case 'reply':
      return replies.replyTimedOut(draft)
    case 'filler':
      return replies.fillWait(draft)
    case 'hold':
      return heldTooLong(draft)
    case 'parting':
      return endParting(draft)
    case 'machine_hold':
      return machineCleared(draft)
    case 'ringing':
      return undefined
    case 'warn':
      draft.state.cues.push({ type: 'time_nearly_up' })
      return replies.askIfFree(draft)
    case 'goodbye':
      return timeIsUp(draft)
    case 'hard_end':
      return hardEnd(draft)
  }
}

function silence(draft: Draft): void {
  const { state } = draft
  if (state.mode !== 'listening' || state.callee.speaking) return
  if (state.consent !== 'none') return replies.settleConsent(draft, false)
  state.silences++
  if (state.onHold) state.silences = Math.min(state.silences, limits.SILENCE_PROMPTS)
  if (state.silences > limits.SILENCE_PROMPTS) endWith(draft, 'silence_goodbye', 'silence')
  else replies.ask(draft, { type: 'silence', count: state.silences }, { early: false })
}

/** Nobody came back within minutes; music counts for nobody, and a voice that is just speaking is heard out. */
function heldTooLong(draft: Draft): void {
  if (draft.state.callee.speaking || calleeText(draft) !== '') arm(draft, 'hold', draft.nowMs + limits.NOISE_MS)
  else endWith(draft, 'silence_goodbye', 'silence')
}
