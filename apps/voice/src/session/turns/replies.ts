import type { EndReason } from '@parley/contract'
import type { Cue } from '@parley/voice-ports'
import { asksBack, consentIn } from './consent.ts'
import * as limits from '../limits.ts'
import type { Phrase } from '../speaking/phrases.ts'
import { endOfTurnMs } from './phrases.ts'
import {
  arm,
  calleeText,
  closeCalleeTurn,
  disarm,
  hangUp,
  isSaidOverOurs,
  isSettling,
  settlesByMs,
  type Draft,
} from './draft.ts'
import { asksToHold } from './hold.ts'
import { waitByPace } from './pace.ts'
import type { PendingReply, TurnState } from './state.ts'

/** From the callee's silence to a spoken reply. */

/** The callee fell silent at `sinceMs`: sets the end of turn. A likely end starts a reply at once. */
export function settle(draft: Draft, sinceMs: number, notBeforeMs = 0): void {
  const { state, effects } = draft
  const { callee } = state
  const text = calleeText(draft)
  if (text === '') return settleWithoutWords(draft, sinceMs)
  disarm(draft, 'silence', 'wordless', 'settling')
  const byWordsMs = endOfTurnMs(text, state.language)
  const waitMs = state.ear.turns ? Math.max(byWordsMs, limits.EAR_TURN_END_MS) : waitByPace(draft, text, byWordsMs)
  const graceMs = isSaidOverOurs(draft) ? state.heardOutMs + limits.ANSWER_GRACE_MS : 0
  arm(draft, 'end_of_turn', Math.max(sinceMs + waitMs, notBeforeMs, graceMs))
  if (callee.predictedText === null && !callee.speaking && !state.ear.turns) {
    callee.predictedText = text
    effects.push({ type: 'predict_turn_end', pause: callee.pause, text })
  }
  if (!state.ear.turns && byWordsMs <= limits.END_OF_TURN_MS) askEarly(draft)
}

function settleWithoutWords(draft: Draft, sinceMs: number): void {
  const { state } = draft
  const { untilMs, sinceMs: startedMs } = state.callee
  const spokeMs = untilMs === sinceMs ? untilMs - startedMs : 0
  // The sound was noise: the reply that it held up goes on.
  if (state.reply?.early) arm(draft, 'end_of_turn', sinceMs + limits.END_OF_TURN_QUICK_MS)
  else if (spokeMs >= limits.WORDLESS_SPEECH_MS && !state.onHold)
    arm(draft, 'wordless', Math.max(sinceMs + limits.WORDLESS_WAIT_MS, settlesByMs(draft) ?? 0))
  else askIfFree(draft)
}

/** Begins a reply before the end of turn is certain, if the words are for the mind. */
export function askEarly(draft: Draft): void {
  const { reply, awaiting, consent } = draft.state
  if (!reply && !awaiting && consent === 'none' && !staysOnHold(draft)) ask(draft, nextCue(draft), { early: true })
}

/** "Still checking, one moment": a callee on hold needs no further answer. */
function staysOnHold(draft: Draft): boolean {
  return draft.state.onHold && asksToHold(calleeText(draft))
}

function silenceMs({ onHold, patienceMs }: TurnState): number {
  return Math.max(patienceMs, onHold ? limits.HOLD_PROMPT_MS : limits.SILENCE_MS)
}

/** Nobody has the turn: asks about a waiting cue, or starts the silence timer. */
export function askIfFree(draft: Draft): void {
  const { state } = draft
  const free =
    state.mode === 'listening' && !state.callee.speaking && !state.parting && !state.output && calleeText(draft) === ''
  if (!free) return
  if (state.cues.length > 0 && state.consent === 'none') ask(draft, nextCue(draft), { early: false })
  else arm(draft, 'silence', draft.nowMs + silenceMs(state))
}

export function turnIsOurs(draft: Draft): void {
  if (staysOnHold(draft)) {
    closeCalleeTurn(draft)
    askIfFree(draft)
  } else if (draft.state.reply) release(draft)
  else if (calleeText(draft) === '') askIfFree(draft)
  else if (draft.state.awaiting) greet(draft)
  else if (draft.state.consent !== 'none') hearConsent(draft)
  else ask(draft, nextCue(draft), { early: false })
}

/** Speaks the disclosure while the mind prepares its opening. */
export function greet(draft: Draft): void {
  draft.state.awaiting = null
  speak(draft, 'disclosure', null)
  if (draft.state.consent === 'none') ask(draft, { type: 'opening' }, { early: true })
  else draft.state.consent = 'wanted'
}

/**
 * The opening waits for the answer. A callee who says neither yes nor no is asked once more, with the disclosure if
 * they asked back.
 */
export function askToRecord(draft: Draft): void {
  const { state } = draft
  const again = state.consent !== 'wanted'
  const phrase = again && asksBack(calleeText(draft)) ? 'ask_record_again' : 'ask_record'
  state.consent = again ? 'asked_again' : 'asked'
  speak(draft, phrase, null)
}

function hearConsent(draft: Draft): void {
  const { consent } = draft.state
  const answer = consent === 'wanted' ? null : consentIn(calleeText(draft), draft.state.language)
  if (answer === null && consent !== 'asked_again') askToRecord(draft)
  else settleConsent(draft, answer === 'yes')
}

export function settleConsent(draft: Draft, given: boolean): void {
  closeCalleeTurn(draft)
  const { callee } = draft.state
  if (given && callee.answered) callee.answered = { ...callee.answered, consent: true }
  draft.state.consent = 'none'
  draft.effects.push({ type: 'consent', given })
  if (!given) speak(draft, 'not_recorded', null)
  ask(draft, { type: 'opening' }, { early: !given })
}

/** The opening and a warning go before an answer; an instruction waits until nothing has to be answered. */
function nextCue(draft: Draft): Cue {
  const { cues } = draft.state
  const heard: Cue = { type: 'heard', text: calleeText(draft) }
  const urgent = cues.findIndex((cue) => cue.type !== 'instruction')
  if (urgent < 0 && heard.text !== '') return heard
  const [cue] = cues.splice(Math.max(0, urgent), 1)
  return cue?.type === 'heard' ? { type: 'heard', text: `${cue.text} ${heard.text}`.trim() } : (cue ?? heard)
}

export function ask(
  draft: Draft,
  cue: Cue,
  { early, attempt = 1, bridged = false }: { early: boolean } & Partial<Pick<PendingReply, 'attempt' | 'bridged'>>,
): void {
  const { state, effects } = draft
  state.reply = { id: ++state.ids, cue, attempt, early, stage: 'asked', bridged, closes: null }
  effects.push({ type: 'ask', id: state.reply.id, cue, ahead: early && cue.type === 'heard' })
  disarm(draft, 'silence', 'wordless')
  if (!early) awaitReply(draft, state.reply)
  if (!state.output) state.mode = 'thinking'
}

function awaitReply(draft: Draft, { cue, bridged }: PendingReply): void {
  arm(draft, 'reply', draft.nowMs + limits.REPLY_TIMEOUT_MS)
  if (cue.type === 'heard' && !bridged) arm(draft, 'filler', draft.nowMs + limits.FILLER_MS)
}

/** The reply makes the callee wait: says so, once. */
export function fillWait(draft: Draft): void {
  const { state } = draft
  const { reply } = state
  if (state.mode !== 'thinking' || !reply || reply.early || reply.stage !== 'asked') return
  reply.bridged = true
  state.fillers++
  speak(draft, 'one_moment', null)
}

/** Replies to machines are spoken even while the machine talks. */
function isForMachine({ type }: Cue): boolean {
  return type === 'voicemail' || type === 'menu' || type === 'screening'
}

/** Sound has begun before the reply: it waits until the sound proves to be noise, or is discarded for its words. */
export function holdReply(draft: Draft): void {
  const { state } = draft
  const { reply, callee } = state
  if (reply && isForMachine(reply.cue)) return
  state.mode = 'listening'
  if (!reply) return
  reply.early = true
  disarm(draft, 'reply', 'filler', 'opening_pause')
  arm(draft, 'interruption', callee.sinceMs + limits.INTERRUPTION_MS)
}

/** Returns false for a reply to a machine, which is kept. */
export function discardReply(draft: Draft): boolean {
  const { reply } = draft.state
  if (!reply) return true
  if (isForMachine(reply.cue)) return false
  draft.effects.push({ type: 'discard', id: reply.id })
  forget(draft, reply)
  return true
}

/** A cue that the callee's words will not bring again is queued. */
function forget(draft: Draft, { cue }: PendingReply): void {
  draft.state.reply = null
  disarm(draft, 'reply', 'filler', 'opening_pause')
  if (cue.type === 'opening' || cue.type === 'instruction' || cue.type === 'time_nearly_up')
    draft.state.cues.unshift(cue)
}

export function release(draft: Draft): void {
  const { state } = draft
  const { reply } = state
  if (!reply) return
  reply.early = false
  if (reply.stage === 'ready') play(draft, reply)
  else {
    state.mode = 'thinking'
    awaitReply(draft, reply)
  }
}

export function replyReady(draft: Draft, id: number): void {
  const { reply, output } = draft.state
  if (reply?.id !== id) return
  reply.stage = 'ready'
  if (!reply.early && !output) play(draft, reply)
}

function play(draft: Draft, reply: PendingReply): void {
  const { state, effects } = draft
  closeCalleeTurn(draft)
  state.reply = null
  state.failures = 0
  disarm(draft, 'reply', 'filler', 'end_of_turn', 'settling', 'silence', 'wordless')
  const closes = reply.cue.type === 'voicemail' ? 'voicemail' : reply.closes
  const { id, cue } = reply
  state.output = { id, sinceMs: draft.nowMs, cue, phrase: null, protected: isForMachine(cue), closes }
  state.mode = state.callee.speaking ? 'overlapping' : 'speaking'
  effects.push({ type: 'play', id })
}

/** The callee must hear that a machine speaks, at the beginning and after a take-over. */
const UNINTERRUPTIBLE: readonly Phrase[] = ['disclosure', 'handed_back']

/** Speaks a phrase of the server. */
export function speak(draft: Draft, phrase: Phrase, closes: EndReason | null): void {
  const { state, effects } = draft
  closeCalleeTurn(draft)
  disarm(draft, 'end_of_turn', 'settling', 'filler', 'silence', 'wordless')
  state.output = {
    id: ++state.ids,
    sinceMs: draft.nowMs,
    cue: null,
    phrase,
    protected: UNINTERRUPTIBLE.includes(phrase) || closes !== null,
    closes,
  }
  state.mode = state.callee.speaking ? 'overlapping' : 'speaking'
  effects.push({ type: 'speak', id: state.output.id, phrase })
}

/** Stops the output and drops the rest of it. */
export function drop(draft: Draft): void {
  const { state, effects } = draft
  if (!state.output) return
  effects.push({ type: 'drop' })
  state.output = null
  state.paused = false
  state.mode = 'listening'
  disarm(draft, 'interruption', 'resume')
}

export function replyCloses({ state: { reply, output } }: Draft, id: number, told: EndReason): void {
  const closing = [reply, output].find((candidate) => candidate?.id === id)
  if (!closing || closing.closes !== null) return
  closing.closes = closing.cue?.type === 'time_nearly_up' ? 'time_limit' : told
}

export function replyTimedOut(draft: Draft): void {
  const { reply } = draft.state
  if (!reply) return
  draft.effects.push({ type: 'discard', id: reply.id })
  replyFailed(draft, reply.id)
}

export function replyFailed(draft: Draft, id: number): void {
  const { state } = draft
  const { reply } = state
  if (reply?.id !== id) return
  reply.stage = 'failed'
  disarm(draft, 'reply', 'filler')
  if (!reply.early) {
    if (!state.output) answerForMind(draft, reply)
    return
  }
  // Not needed yet: asked for again at the end of turn.
  forget(draft, reply)
  if (state.mode === 'thinking') state.mode = 'listening'
  if (!state.deadlines.has('end_of_turn')) askIfFree(draft)
}

/** Bridges the silence with a phrase and asks for the reply once more. */
export function answerForMind(draft: Draft, reply: PendingReply): void {
  if (reply.cue.type === 'voicemail') return hangUp(draft, 'voicemail')
  if (reply.attempt === 1) {
    draft.state.reply = null
    if (!reply.bridged) speak(draft, 'one_moment', null)
    return ask(draft, reply.cue, { early: false, attempt: 2, bridged: true })
  }
  forget(draft, reply)
  return admitFailure(draft)
}

/** Asks the callee to repeat; after FAILURES_MAX failures in a row ends the call. */
export function admitFailure(draft: Draft): void {
  const { state } = draft
  state.failures++
  if (state.failures >= limits.FAILURES_MAX) speak(draft, 'trouble', 'interrupted')
  else speak(draft, 'say_again', null)
}

export function settleUnlessSpeaking(draft: Draft): void {
  const { callee } = draft.state
  // Words that the ear has settled, or is about to, need no wait for more.
  const notBeforeMs = callee.partial === '' || isSettling(draft) ? 0 : draft.nowMs + limits.LATE_WORDS_MS
  if (!callee.speaking) settle(draft, spokenAtMs(draft), notBeforeMs)
}

/** When the words just heard were said. */
function spokenAtMs(draft: Draft): number {
  const { untilMs } = draft.state.callee
  return untilMs !== null && isLate(draft) ? untilMs : draft.nowMs
}

/** Some ears bring words after their sound; some carriers bring words without sound. */
export function isLate(draft: Draft): boolean {
  const { untilMs } = draft.state.callee
  return untilMs !== null && (isSettling(draft) || draft.nowMs - untilMs < limits.WORDLESS_WAIT_MS)
}
