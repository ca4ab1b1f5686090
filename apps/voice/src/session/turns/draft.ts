import type { EndReason } from '@parley/contract'
import { isBackChannel } from './phrases.ts'
import type { Deadline, TurnEffect, TurnState } from './state.ts'

/** The next state in the making, with its effects. */
export interface Draft {
  readonly state: TurnState
  readonly effects: TurnEffect[]
  readonly nowMs: number
}

export function arm({ state }: Draft, name: Deadline, atMs: number): void {
  state.deadlines.set(name, atMs)
}

export function disarm({ state }: Draft, ...names: readonly Deadline[]): void {
  for (const name of names) state.deadlines.delete(name)
}

/** What the callee said in this turn so far. */
export function calleeText({ state }: Draft): string {
  return `${state.callee.settled} ${state.callee.partial}`.trim()
}

export function onlyBackChannel(draft: Draft): boolean {
  return isBackChannel(calleeText(draft))
}

/** "Mhm", begun while the agent still spoke: an answer, the lead-up to one, or neither. */
export function isSaidOverOurs(draft: Draft): boolean {
  const { output, callee, heardOutMs } = draft.state
  return onlyBackChannel(draft) && (output !== null || callee.sinceMs < heardOutMs)
}

/** For when the agent speaks, or the words were only a back-channel. */
export function closeCalleeTurn(draft: Draft): void {
  const { callee } = draft.state
  if (calleeText(draft) === '') return
  callee.answered = callee.partial || null
  callee.settled = ''
  callee.partial = ''
  draft.effects.push({
    type: 'callee_turn_over',
    untilMs: callee.speaking ? draft.nowMs : (callee.untilMs ?? draft.nowMs),
  })
}

/** Happens once: step() ignores later events. */
export function hangUp({ state, effects }: Draft, reason: EndReason): void {
  state.over = true
  state.deadlines.clear()
  effects.push({ type: 'hang_up', reason })
}
