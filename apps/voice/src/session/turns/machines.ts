import * as limits from '../limits.ts'
import { arm, closeCalleeTurn, disarm, type Draft } from './draft.ts'
import * as replies from './replies.ts'
import type { MachineCue } from './state.ts'

// Answering machines, menus and call screening.

export function machineSuspected(draft: Draft): void {
  const { state, nowMs } = draft
  if (state.machine || state.parting || state.output?.closes) return
  state.machine = true
  replies.discardReply(draft)
  if (state.output && !state.output.protected) replies.drop(draft)
  if (!state.output) state.mode = 'holding'
  disarm(draft, 'end_of_turn', 'settling', 'silence', 'wordless')
  arm(draft, 'machine_hold', nowMs + limits.MACHINE_HOLD_MS)
}

/** The suspected machine is a person. */
export function machineCleared(draft: Draft): void {
  const { state } = draft
  if (!state.machine) return
  state.machine = false
  disarm(draft, 'machine_hold')
  if (state.output) return
  state.mode = 'listening'
  replies.settleUnlessSpeaking(draft)
}

export function machineCue(draft: Draft, cue: MachineCue): void {
  const { state, nowMs } = draft
  if (state.parting || state.output?.closes) return
  replies.discardReply(draft)
  replies.drop(draft)
  closeCalleeTurn(draft)
  state.machine = true
  // The opening is for a person; they will be greeted anew.
  state.cues = state.cues.filter(({ type }) => type !== 'opening')
  arm(draft, 'machine_hold', nowMs + limits.MACHINE_HOLD_MS)
  if (cue.type !== 'voicemail') state.awaiting = cue.type
  // The recorded message needs the disclosure too; the first one was not recorded.
  else replies.speak(draft, 'disclosure', null)
  replies.ask(draft, cue, { early: false })
}
