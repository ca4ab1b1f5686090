import * as limits from '../limits.ts'
import { arm, calleeText, disarm, isSaidOverOurs, isSettling, type Draft } from './draft.ts'
import { wordsOf } from './phrases.ts'
import * as replies from './replies.ts'
import type { TurnEvent } from './state.ts'

/** The end of the callee's turn: by the words, by a prediction, or by the ear itself. */

/** The silence was long enough; the ear may still owe words. */
export function endOfTurnIsDue(draft: Draft): void {
  const { settlesByMs } = draft.state.callee
  if (settlesByMs !== null && isSettling(draft)) arm(draft, 'settling', settlesByMs)
  else replies.turnIsOurs(draft)
}

/** The ear has given everything: words that come from here on are new ones. */
export function settled(draft: Draft): void {
  const { state } = draft
  state.callee.settlesByMs = null
  state.callee.answered = null
  if (!state.deadlines.has('settling')) return
  disarm(draft, 'settling')
  replies.turnIsOurs(draft)
}

/** Words that are owed come once the next connection has heard the sound again. */
export function earBroken(draft: Draft): void {
  const { state, nowMs } = draft
  state.ear = { ...state.ear, isBroken: true }
  if (state.callee.settlesByMs === null) return
  state.callee.settlesByMs = nowMs + limits.EAR_OUTAGE_MS
  if (state.deadlines.has('settling')) arm(draft, 'settling', state.callee.settlesByMs)
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
      callee.settlesByMs = null
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
  const boundedMs = Math.max(0, Math.min(limits.END_OF_TURN_THINKING_MS, waitMs))
  arm(draft, 'end_of_turn', Math.max(nowMs, (callee.untilMs ?? nowMs) + boundedMs))
  if (boundedMs <= limits.END_OF_TURN_MS) replies.askEarly(draft)
}
