import { closeCalleeTurn, disarm, type Draft } from './draft.ts'
import { hardEnd, optOut } from './endings.ts'
import { discardReply, drop, greet, speak } from './replies.ts'
import { earliest } from './state.ts'

/** While a person speaks in the agent's place. */

/**
 * Nobody hears the person before the callee has heard to its end who is calling, that it is an AI, and that the call is
 * recorded. Whoever comes to the line behind a machine has not heard it either.
 */
export function takenOver(draft: Draft): void {
  const { state, effects } = draft
  // What was to be said to a machine is of no use any more, and nothing else is held back for it.
  if (!discardReply(draft) && state.reply) {
    effects.push({ type: 'discard', id: state.reply.id })
    state.reply = null
  }
  if (state.awaiting && state.output?.line !== 'disclosure') {
    drop(draft)
    speak(draft, 'disclosure', null)
  }
  state.yielding = state.output?.line === 'disclosure'
  if (state.yielding) effects.push({ type: 'person', heard: false })
  else letPersonSpeak(draft)
}

export function letPersonSpeak(draft: Draft): void {
  const { state, effects } = draft
  drop(draft)
  // What was not asked to its end, or not answered to the agent, is asked anew.
  const consent = state.consent === 'none' ? 'none' : 'wanted'
  Object.assign(state, {
    held: true,
    yielding: false,
    mode: 'holding',
    machine: false,
    parting: null,
    paused: false,
    consent,
  })
  effects.push({ type: 'person', heard: true })
  for (const name of state.deadlines.keys()) if (!OF_THE_CALL.includes(name)) disarm(draft, name)
}

const OF_THE_CALL: readonly string[] = ['warn', 'goodbye', 'hard_end']

/** The agent says that it is there again, and goes on with what is asked, or with what it had not said yet. */
export function handedBack(draft: Draft): void {
  draft.state.held = false
  draft.state.mode = 'listening'
  if (draft.state.awaiting) greet(draft)
  else speak(draft, 'handed_back', null)
}

/** The agent takes the call back: it is the one that confirms, and hangs up. */
export function optOutWhileHeld(draft: Draft): void {
  draft.state.held = false
  draft.state.mode = 'listening'
  optOut(draft)
}

/** Only the end of the call comes by itself; how near it is, the person sees. */
export function tickWhileHeld(draft: Draft): void {
  for (
    let due = earliest(draft.state);
    due && due.atMs <= draft.nowMs && !draft.state.over;
    due = earliest(draft.state)
  ) {
    disarm(draft, due.name)
    if (due.name === 'end_of_turn') closeCalleeTurn(draft)
    if (due.name === 'hard_end') hardEnd(draft)
  }
}
