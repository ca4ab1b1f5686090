import * as limits from '../limits.ts'
import { consentIn } from './consent.ts'
import { arm, calleeText, disarm, onlyBackChannel, type Draft } from './draft.ts'
import { takesBack } from './endings.ts'
import { learnPause } from './pace.ts'
import { endOfTurnMs, isInterruption, wordsOf } from './phrases.ts'
import * as replies from './replies.ts'
import { revisionOf } from './revision.ts'
import type { Answered } from './state.ts'

/** What the callee's words change, as the ear revises and settles them. */

export function words(draft: Draft, heard: string, final: boolean): void {
  const { callee } = draft.state
  const before = calleeText(draft)
  const text = beyondAnswered(draft, heard, final)
  if (final) callee.settled = `${callee.settled} ${text}`.trim()
  callee.partial = final ? '' : text
  const now = calleeText(draft)
  if (now === '') return
  const hasVoice = callee.speaking || replies.isLate(draft)
  if (before === '') callee.voicelessMs = hasVoice ? null : draft.nowMs
  draft.effects.push({ type: 'callee_words', text: now, sinceMs: hasVoice ? callee.sinceMs : draft.nowMs })
  if (isOthersTurn(draft)) return
  if (wordsOf(now).join(' ') !== wordsOf(before).join(' ')) newWords(draft, now)
  else newMarks(draft, before, now)
}

/** Most ears punctuate their finals alone: a comma says that the callee goes on, a question mark that they wait. */
function newMarks(draft: Draft, before: string, now: string): void {
  const { language, deadlines, callee, ear } = draft.state
  const isWaitedFor = deadlines.has('end_of_turn') || deadlines.has('settling')
  if (!isWaitedFor || callee.isPredicted || ear.turns) return
  if (endOfTurnMs(before, language) !== endOfTurnMs(now, language)) replies.settleUnlessSpeaking(draft)
}

/** The user speaks, or is rung: the callee's words are not for the agent. */
function isOthersTurn({ state }: Draft): boolean {
  return state.held || state.ringIn === 'ringing'
}

/** Ends sound that never stops or never brings words, so that it cannot stall the call. */
export function armNoise(draft: Draft): void {
  arm(draft, 'noise', draft.nowMs + (calleeText(draft) === '' ? limits.NOISE_MS : limits.NOISE_AFTER_WORDS_MS))
}

export function armResume(draft: Draft, untilMs: number): void {
  arm(draft, 'resume', untilMs + (onlyBackChannel(draft) ? limits.RESUME_AFTER_BACK_CHANNEL_MS : limits.RESUME_MS))
}

/** Removes the words that were answered before the ear made them final; answers them again if they mean more now. */
function beyondAnswered(draft: Draft, text: string, final: boolean): string {
  const { callee } = draft.state
  const known = callee.answered
  if (known === null) return text
  // An ear that takes its words back, or brought an echo, leaves what was answered as it is.
  if (text === '') {
    if (final) callee.answered = null
    return ''
  }
  const { rest, changed, similar } = revisionOf(known.text, text)
  if (!final) return similar || wordsOf(known.text).join(' ').startsWith(wordsOf(text).join(' ')) ? rest : text
  callee.answered = null
  // Other words after another stretch of speech: the ear never made the answered ones final.
  if (!similar && known.pause !== callee.pause) return text
  if (known.consent) weighConsentAgain(draft, text)
  if (!changed && rest !== '') return rest
  if (known.turns === 1) draft.effects.push({ type: 'callee_turn_revised', text: `${known.before} ${text}`.trim() })
  if (changed) answerAgain(draft, known, text)
  return ''
}

/** A yes whose final says otherwise is none. */
function weighConsentAgain({ state, effects }: Draft, text: string): void {
  if (consentIn(text, state.language) !== 'yes') effects.push({ type: 'consent', given: false })
}

/** The answer under way is to words that were not said. */
function answerAgain(draft: Draft, { before }: Answered, text: string): void {
  const { state } = draft
  if (isOthersTurn(draft) || state.machine || state.parting || state.consent !== 'none') return
  replies.discardReply(draft)
  state.cues = [
    ...state.cues.filter(({ type }) => type !== 'heard'),
    { type: 'heard', text: `${before} ${text}`.trim() },
  ]
  const { output } = state
  if (output?.cue && !output.protected && output.closes === null) replies.drop(draft)
  if (state.mode === 'thinking') state.mode = 'listening'
  replies.askIfFree(draft)
}

function newWords(draft: Draft, text: string): void {
  const { state } = draft
  state.silences = 0
  state.patienceMs = 0
  // The prediction was about other words.
  state.callee.isPredicted = false
  learnPause(draft)
  if (state.callee.speaking) armNoise(draft)
  if (state.parting) return wordsAfterGoodbye(draft, text)
  if (state.machine || isForFiller(draft)) return
  if (state.output && !state.paused) return wordsOverOurs(draft, text)
  if (state.paused && onlyBackChannel(draft)) return state.callee.speaking ? undefined : armResume(draft, draft.nowMs)
  if (state.paused) replies.drop(draft)
  if (!replies.discardReply(draft)) return
  state.mode = 'listening'
  replies.settleUnlessSpeaking(draft)
}

/** An "okay" to our "one moment" asks nothing new. */
function isForFiller(draft: Draft): boolean {
  const { reply, output } = draft.state
  return reply?.bridged === true && onlyBackChannel(draft) && (output === null || output.phrase === 'one_moment')
}

function wordsOverOurs(draft: Draft, text: string): void {
  const { output } = draft.state
  // A reply made during the output does not know these words.
  replies.discardReply(draft)
  if (!output || output.protected || !isInterruption(text)) return
  if (output.closes !== null && !takesBack(draft, output.closes, text)) return
  replies.drop(draft)
  replies.settleUnlessSpeaking(draft)
}

function wordsAfterGoodbye(draft: Draft, text: string): void {
  const { parting } = draft.state
  if (!parting || !takesBack(draft, parting.reason, text)) return
  draft.state.parting = null
  disarm(draft, 'parting')
  replies.settleUnlessSpeaking(draft)
}
