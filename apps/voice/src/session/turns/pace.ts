import * as limits from '../limits.ts'
import { calleeText, onlyBackChannel, type Draft } from './draft.ts'
import { endOfTurnMs, wordsOf } from './phrases.ts'

/** How long this callee pauses behind a sentence and then goes on: learned from each time, for the rest of the call. */

/** Speech has begun: notes the pause before it, if it parts one turn and not two. */
export function notePause(draft: Draft, sinceMs: number): void {
  const { callee, output, language } = draft.state
  const pauseMs = sinceMs - (callee.untilMs ?? -Infinity)
  const text = calleeText(draft)
  // Who begins right after us has not heard us yet: we took a pause for the end of the turn.
  const goesOn = output
    ? sinceMs - output.sinceMs < limits.REACTION_MS
    : text !== '' && endOfTurnMs(text, language) <= limits.END_OF_TURN_MS
  callee.pauseMs = goesOn && pauseMs <= limits.END_OF_TURN_PATIENT_MS ? pauseMs : null
}

/** The speech behind the pause has brought words. */
export function learnPause(draft: Draft): void {
  const { callee } = draft.state
  if (callee.pauseMs === null || onlyBackChannel(draft)) return
  callee.wentOnAfterMs = Math.max(callee.wentOnAfterMs, callee.pauseMs)
  callee.pauseMs = null
}

/** A reply was heard to its end: one long pause does not slow down a whole call. */
export function unlearnPause({ state: { callee } }: Draft): void {
  callee.wentOnAfterMs = Math.max(0, callee.wentOnAfterMs - limits.PAUSE_FORGOTTEN_MS)
}

/** A finished sentence may be followed by another one, in a long turn or after a pause like those before. */
export function waitByPace({ state: { callee } }: Draft, text: string, byWordsMs: number): number {
  if (byWordsMs !== limits.END_OF_TURN_MS) return byWordsMs
  const isTelling = wordsOf(text).length >= limits.TELLING_WORDS
  const patientMs = Math.min(limits.END_OF_TURN_PATIENT_MS, callee.wentOnAfterMs + limits.PAUSE_MARGIN_MS)
  return Math.max(byWordsMs, patientMs, isTelling ? limits.END_OF_TURN_TELLING_MS : 0)
}
