import type { EndReason } from '@parley/contract'
import { isBackChannel } from './phrases.ts'
import type { Deadline, TurnEffect, TurnState } from './state.ts'

/** A state on its way to the next, with what has to be done for it. */
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

/** "Mhm", begun while the agent still spoke: it may answer what was asked, or lead up to an answer, or neither. */
export function isSaidOverOurs(draft: Draft): boolean {
  const { output, callee, heardOutMs } = draft.state
  return onlyBackChannel(draft) && (output !== null || callee.sinceMs < heardOutMs)
}

/** The agent speaks now, or what was said was only a sign of listening. */
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

/** Once: nothing is done for a state that is over. */
export function hangUp({ state, effects }: Draft, reason: EndReason): void {
  state.over = true
  state.deadlines.clear()
  effects.push({ type: 'hang_up', reason })
}
