import type { EndReason } from '@parley/contract'
import { DOUBT_MS, EAR_OUTAGE_MAX_MS, HOLD_MAX_MS } from '../limits.ts'
import { asksToHold } from './hold.ts'
import { isBackChannel } from './phrases.ts'
import { type CalleeSide, type Deadline, earliest, type TurnEffect, type TurnState } from './state.ts'

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

/**
 * Gives each deadline that is due, in order, for as long as `isOn`. One that the callee's side contradicts is looked at
 * again a little later.
 */
export function takeDue(
  draft: Draft,
  side: CalleeSide,
  onDeadline: (draft: Draft, name: Deadline) => void,
  isOn: (draft: Draft) => boolean = () => true,
): void {
  const { state, nowMs } = draft
  for (let due = earliest(state); due && due.atMs <= nowMs && isOn(draft); due = earliest(state)) {
    disarm(draft, due.name)
    if (isDoubtful(due.name, side)) arm(draft, due.name, nowMs + DOUBT_MS)
    else onDeadline(draft, due.name)
  }
}

/**
 * A callee who draws breath to go on is not answered, and one who has just stopped does not interrupt. Of one who is not
 * heard neither is known.
 */
function isDoubtful(name: Deadline, side: CalleeSide): boolean {
  if (name === 'end_of_turn' || name === 'settling') return side !== 'quiet'
  if (name === 'interruption') return side !== 'loud'
  return name === 'silence' && side === 'unheard'
}

/** What the callee said in this turn so far. */
export function calleeText({ state }: Draft): string {
  return `${state.callee.settled} ${state.callee.partial}`.trim()
}

export function onlyBackChannel(draft: Draft): boolean {
  return isBackChannel(calleeText(draft))
}

/**
 * "Mhm", begun while the agent was still heard: an answer, the lead-up to one, or neither. Of words whose voice was not
 * detected during an output it is not known when they were said.
 */
export function isSaidOverOurs(draft: Draft): boolean {
  const { output, callee, heardOutMs } = draft.state
  const isUndetected = output !== null && callee.sinceMs < output.sinceMs
  return onlyBackChannel(draft) && (isUndetected || callee.sinceMs < heardOutMs)
}

/** For when the agent speaks, or the words were only a back-channel. */
export function closeCalleeTurn(draft: Draft): void {
  const { callee } = draft.state
  const text = calleeText(draft)
  if (text === '') return
  if (callee.partial !== '') {
    const { text: known = '', before = callee.settled, turns = 0 } = callee.answered ?? {}
    const said = `${known} ${callee.partial}`.trim()
    callee.answered = { text: said, before, turns: turns + 1, pause: callee.pause, consent: false }
  }
  noteHold(draft, asksToHold(text))
  callee.settled = ''
  callee.partial = ''
  draft.effects.push({
    type: 'callee_turn_over',
    untilMs: callee.speaking ? draft.nowMs : (callee.untilMs ?? draft.nowMs),
  })
}

/** A callee who asked to hold is away until they say something else. */
function noteHold(draft: Draft, onHold: boolean): void {
  draft.state.onHold = onHold
  if (onHold) arm(draft, 'hold', draft.nowMs + HOLD_MAX_MS)
  else disarm(draft, 'hold')
}

/** When the words of the callee's last speech are not waited for any longer; null where the ear owes none. */
export function settlesByMs({ state: { callee, ear } }: Draft): number | null {
  if (callee.owedSinceMs === null) return null
  const dueMs = Math.max(callee.owedSinceMs + ear.settlesWithinMs, ear.behindUntilMs)
  return Math.min(dueMs, callee.owedSinceMs + Math.max(EAR_OUTAGE_MAX_MS, ear.settlesWithinMs))
}

/** Whether the ear still owes words of the callee's last speech. */
export function isSettling(draft: Draft): boolean {
  return draft.nowMs < (settlesByMs(draft) ?? 0)
}

/** The owner's phone is hung up, rings no more, or is not rung after all. */
export function releaseOwner({ state, effects }: Draft): void {
  if (state.ringIn === 'none') return
  state.ringIn = 'none'
  effects.push({ type: 'release_owner' })
}

/** Happens once: step() ignores later events. */
export function hangUp({ state, effects }: Draft, reason: EndReason): void {
  state.over = true
  state.deadlines.clear()
  effects.push({ type: 'hang_up', reason })
}
