import { closeCalleeTurn, disarm, type Draft, releaseOwner, takeDue } from './draft.ts'
import { earLost, hardEnd, optOut, timeIsUp } from './endings.ts'
import { discardReply, drop, greet, speak } from './replies.ts'
import type { CalleeSide, Deadline } from './state.ts'

/** Turns while the user has taken over. */

/**
 * The user is heard only once the callee has heard the whole disclosure: who is calling, that it is an AI, that the
 * call is recorded. A person behind a machine has not heard it either.
 */
export function takenOver(draft: Draft): void {
  const { state, effects } = draft
  releaseOwner(draft)
  // A reply to a machine is of no use any more.
  if (!discardReply(draft) && state.reply) {
    effects.push({ type: 'discard', id: state.reply.id })
    state.reply = null
  }
  if (state.awaiting && state.output?.phrase !== 'disclosure') {
    drop(draft)
    speak(draft, 'disclosure', null)
  }
  state.yielding = state.output?.phrase === 'disclosure'
  if (state.yielding) effects.push({ type: 'person', heard: false })
  else letPersonSpeak(draft)
}

export function letPersonSpeak(draft: Draft): void {
  const { state, effects } = draft
  drop(draft)
  // A question for consent that the agent got no answer to is asked again.
  const consent = state.consent === 'none' ? 'none' : 'wanted'
  Object.assign(state, {
    held: true,
    yielding: false,
    mode: 'holding',
    machine: false,
    parting: null,
    paused: false,
    onHold: false,
    consent,
  })
  effects.push({ type: 'person', heard: true })
  for (const name of state.deadlines.keys()) if (!OF_THE_CALL.includes(name)) disarm(draft, name)
}

export const OF_THE_CALL: readonly string[] = ['warn', 'goodbye', 'hard_end']

/** The agent announces itself and continues; a person behind a machine hears the disclosure instead. */
export function handedBack(draft: Draft): void {
  releaseOwner(draft)
  draft.state.held = false
  draft.state.mode = 'listening'
  if (draft.state.deaf) earLost(draft)
  else if (draft.state.awaiting) greet(draft)
  else speak(draft, 'handed_back', null)
}

/** The agent takes the call back to confirm the opt-out and hang up. */
export function optOutWhileHeld(draft: Draft): void {
  releaseOwner(draft)
  draft.state.held = false
  draft.state.mode = 'listening'
  optOut(draft)
}

/** The owner cannot see on a phone how much time is left: the agent takes the call back to say that it is over. */
function timeIsUpForOwner(draft: Draft): void {
  releaseOwner(draft)
  draft.state.held = false
  draft.state.mode = 'listening'
  timeIsUp(draft)
}

/** Only the hard end acts by itself for a user at the page, who sees the time left. */
export function tickWhileHeld(draft: Draft, side: CalleeSide): void {
  takeDue(draft, side, onDeadline, ({ state }) => state.held && !state.over)
}

function onDeadline(draft: Draft, name: Deadline): void {
  if (name === 'end_of_turn') closeCalleeTurn(draft)
  if (name === 'goodbye' && draft.state.ringIn === 'bridged') timeIsUpForOwner(draft)
  if (name === 'hard_end') hardEnd(draft)
}
