import * as limits from '../limits.ts'
import { arm, closeCalleeTurn, disarm, type Draft, releaseOwner, takeDue } from './draft.ts'
import { earLost, endWith, hardEnd, optOut, timeIsUp } from './endings.ts'
import { OF_THE_CALL, letPersonSpeak } from './held.ts'
import { discardReply, drop, speak } from './replies.ts'
import type { Deadline, TurnEvent, TurnState } from './state.ts'

/** Turns while the owner's phone rings: the callee waits, is told so, and is not answered. */

/** Whether the owner's phone may be rung now. */
export function mayRingIn({ held, yielding, ringIn, parting, output, over }: TurnState): boolean {
  return !held && !yielding && ringIn === 'none' && !parting && !output?.closes && !over
}

/** Waits for the end of the disclosure; a person behind a machine has not heard it yet. */
export function ringInWanted(draft: Draft): void {
  const { state } = draft
  if (!mayRingIn(state)) return
  state.ringIn = 'wanted'
  if (state.awaiting && state.output?.phrase !== 'disclosure') {
    drop(draft)
    speak(draft, 'disclosure', null)
    state.awaiting = null
  }
  if (state.output?.phrase !== 'disclosure') beginRinging(draft)
}

export function beginRinging(draft: Draft): void {
  const { state, effects } = draft
  if (!discardReply(draft) && state.reply) {
    effects.push({ type: 'discard', id: state.reply.id })
    state.reply = null
  }
  drop(draft)
  for (const name of state.deadlines.keys()) if (!OF_THE_CALL.includes(name)) disarm(draft, name)
  // A question for consent that the agent got no answer to is asked again.
  const consent = state.consent === 'none' ? 'none' : 'wanted'
  Object.assign(state, { ringIn: 'ringing', machine: false, paused: false, onHold: false, consent })
  effects.push({ type: 'ring_owner' })
  tellToWait(draft, 'connecting')
}

function tellToWait(draft: Draft, phrase: 'connecting' | 'one_moment'): void {
  speak(draft, phrase, null)
  if (draft.state.output) draft.state.output.protected = true
}

/** Events that the ringing changes; the others are for turns.ts, which takes them as during a take-over. */
export function takeWhileRinging(draft: Draft, event: TurnEvent): boolean {
  const { state } = draft
  switch (event.type) {
    case 'played':
      if (state.output?.id !== event.id) return true
      state.output = null
      state.mode = 'holding'
      arm(draft, 'ringing', draft.nowMs + limits.RINGING_PROMPT_MS)
      return true
    case 'digit':
      if (event.digit === '9') giveUpRinging(draft, () => optOut(draft))
      return true
    case 'opted_out':
      giveUpRinging(draft, () => endWith(draft, 'opt_out', 'opted_out'))
      return true
    case 'owner_ready':
      state.ringIn = 'bridged'
      letPersonSpeak(draft)
      return true
    case 'owner_gone':
      releaseOwner(draft)
      agentGoesOn(draft)
      return true
    case 'taken_over':
      giveUpRinging(draft, () => letPersonSpeak(draft))
      return true
    case 'tick':
      takeDue(draft, event.side, onDeadline, isRinging)
      return true
    default:
      return false
  }
}

/** The owner is not reached: the agent says so and continues. */
function agentGoesOn(draft: Draft): void {
  disarm(draft, 'ringing')
  drop(draft)
  draft.state.mode = 'listening'
  if (draft.state.deaf) earLost(draft)
  else speak(draft, 'not_reached', null)
}

/** Ends the ringing for something that cannot wait. */
function giveUpRinging(draft: Draft, then: () => void): void {
  releaseOwner(draft)
  disarm(draft, 'ringing')
  draft.state.mode = 'listening'
  then()
}

/** A function of the state as it is now, whatever a deadline has changed. */
function isRinging({ state }: Draft): boolean {
  return state.ringIn === 'ringing' && !state.over
}

function onDeadline(draft: Draft, name: Deadline): void {
  switch (name) {
    case 'end_of_turn':
      return closeCalleeTurn(draft)
    case 'ringing':
      return tellToWait(draft, 'one_moment')
    case 'warn':
      draft.state.cues.push({ type: 'time_nearly_up' })
      return undefined
    case 'goodbye':
      return giveUpRinging(draft, () => timeIsUp(draft))
    case 'hard_end':
      return hardEnd(draft)
    default:
      return undefined
  }
}
