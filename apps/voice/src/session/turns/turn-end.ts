import * as limits from '../limits.ts'
import { arm, calleeText, disarm, isSaidOverOurs, settlesByMs, type Draft } from './draft.ts'
import { wordsOf } from './phrases.ts'
import * as replies from './replies.ts'
import type { EarManners, TurnEvent } from './state.ts'

/** The end of the callee's turn: by the words, by a prediction, or by the ear itself. */

/** The silence was long enough; the ear may still owe words. */
export function endOfTurnIsDue(draft: Draft): void {
  const byMs = settlesByMs(draft)
  if (byMs !== null && draft.nowMs < byMs) arm(draft, 'settling', byMs)
  else replies.turnIsOurs(draft)
}

type Settled = Extract<TurnEvent, { type: 'settled' }>

/** The ear has given everything: words that come from here on are new ones. */
export function settled(draft: Draft, event: Settled): void {
  noteSettled(draft, event)
  if (!draft.state.deadlines.has('settling')) return
  disarm(draft, 'settling')
  replies.turnIsOurs(draft)
}

export function noteSettled({ state }: Draft, { isBehind = false }: Settled): void {
  state.callee.owedSinceMs = null
  state.callee.answered = null
  if (!isBehind) state.ear = { ...state.ear, behindUntilMs: 0 }
}

/** Words that are owed come once the next connection has heard the sound again. */
export function earBroken(draft: Draft): void {
  draft.state.ear = { ...draft.state.ear, behindUntilMs: Infinity }
  waitAnew(draft)
}

/** An ear hears: the first one, or the next, which is given what was missed. */
export function earReady(draft: Draft, { settlesWithinMs, turns }: EarManners): void {
  const { ear } = draft.state
  const behindUntilMs = ear.behindUntilMs === 0 ? 0 : draft.nowMs + limits.EAR_CATCHES_UP_MS
  draft.state.ear = { settlesWithinMs, turns, behindUntilMs }
  waitAnew(draft)
}

/** The waits for words that are owed follow the ear. */
function waitAnew(draft: Draft): void {
  const { deadlines, callee } = draft.state
  const byMs = settlesByMs(draft)
  if (byMs === null) return
  if (deadlines.has('settling')) arm(draft, 'settling', Math.max(draft.nowMs, byMs))
  if (deadlines.has('wordless'))
    arm(draft, 'wordless', Math.max(draft.nowMs, byMs, (callee.untilMs ?? 0) + limits.WORDLESS_WAIT_MS))
}

export function earTurn(draft: Draft, told: Extract<TurnEvent, { type: 'ear_turn' }>['state']): void {
  const { state, nowMs } = draft
  const { reply, callee } = state
  const isCallees = (state.mode === 'listening' || reply?.early === true) && !state.output && !state.machine
  if (!isCallees || state.parting || calleeText(draft) === '') return
  switch (told) {
    case 'started':
      return undefined
    case 'eager':
      return replies.askEarly(draft)
    case 'resumed':
      replies.discardReply(draft)
      state.mode = 'listening'
      disarm(draft, 'settling')
      return callee.speaking
        ? disarm(draft, 'end_of_turn')
        : arm(draft, 'end_of_turn', nowMs + limits.END_OF_TURN_UNFINISHED_MS)
    case 'ended':
      if (isSaidOverOurs(draft)) return undefined
      callee.owedSinceMs = null
      disarm(draft, 'end_of_turn', 'settling', 'interruption')
      return replies.turnIsOurs(draft)
  }
}

/** A prediction counts for the pause and the words that it was asked about, and not after the turn is over. */
export function turnEndPredicted(draft: Draft, pause: number, waitMs: number): void {
  const { state, nowMs } = draft
  const { callee } = state
  const text = calleeText(draft)
  const isLate = pause !== callee.pause || callee.speaking || !state.deadlines.has('end_of_turn')
  if (isLate || callee.predictedText === null || state.ear.turns || isSaidOverOurs(draft)) return
  if (wordsOf(text).join(' ') !== wordsOf(callee.predictedText).join(' ')) return
  callee.isPredicted = true
  const boundedMs = Math.max(0, Math.min(limits.END_OF_TURN_THINKING_MS, waitMs))
  arm(draft, 'end_of_turn', Math.max(nowMs, (callee.untilMs ?? nowMs) + boundedMs))
  if (boundedMs <= limits.END_OF_TURN_MS) replies.askEarly(draft)
}
