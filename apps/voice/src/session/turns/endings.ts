import type { EndReason } from '@parley/contract'
import * as limits from '../limits.ts'
import type { Phrase } from '../speaking/phrases.ts'
import { isSecondThought } from './phrases.ts'
import { arm, disarm, hangUp, type Draft } from './draft.ts'
import { drop, speak } from './replies.ts'

/** Reasons whose goodbye the callee cannot withdraw. */
function isFirm(reason: EndReason): boolean {
  return reason !== 'agent_closed' && reason !== 'refused_to_talk'
}

/** Whether these words withdraw a goodbye; at most GOODBYES_TAKEN_BACK_MAX times. */
export function takesBack({ state }: Draft, reason: EndReason, text: string): boolean {
  if (isFirm(reason) || state.goodbyesTakenBack >= limits.GOODBYES_TAKEN_BACK_MAX || !isSecondThought(text))
    return false
  state.goodbyesTakenBack++
  return true
}

/** The goodbye was heard. A friendly one leaves the leg open for the callee's own. */
export function beginParting(draft: Draft, reason: EndReason): void {
  if (isFirm(reason)) return hangUp(draft, reason)
  draft.state.parting = { reason, sinceMs: draft.nowMs }
  return arm(draft, 'parting', draft.nowMs + limits.PARTING_MS)
}

export function endParting(draft: Draft): void {
  const { parting, callee } = draft.state
  if (!parting) return
  const latestMs = parting.sinceMs + limits.PARTING_MAX_MS
  if (callee.speaking && draft.nowMs < latestMs) arm(draft, 'parting', latestMs)
  else hangUp(draft, parting.reason)
}

/** Ends the call with a phrase of the server; drops any reply and output. */
export function endWith(draft: Draft, phrase: Phrase, reason: EndReason): void {
  const { state, effects } = draft
  if (state.reply) effects.push({ type: 'discard', id: state.reply.id })
  state.reply = null
  state.parting = null
  state.machine = false
  drop(draft)
  disarm(draft, 'parting', 'machine_hold', 'reply', 'opening_pause', 'noise', 'hold')
  speak(draft, phrase, reason)
}

/** The callee pressed 9. */
export function optOut(draft: Draft): void {
  const { output, parting } = draft.state
  if (parting?.reason === 'opted_out' || output?.closes === 'opted_out') return
  draft.effects.push({ type: 'opted_out', quote: 'Pressed 9.' })
  endWith(draft, 'opt_out', 'opted_out')
}

/** The mind understood an opt-out; its own sentence is the confirmation, if it has one. */
export function mindHeardOptOut(draft: Draft): void {
  const { output, parting } = draft.state
  if (output?.cue) {
    output.closes = 'opted_out'
    output.protected = true
  } else if (parting) parting.reason = 'opted_out'
  else endWith(draft, 'opt_out', 'opted_out')
}

/** An agent that cannot hear says so and ends the call, unless the call is ending already. */
export function earLost(draft: Draft): void {
  const { parting, output } = draft.state
  if (!parting && !output?.closes) endWith(draft, 'trouble', 'interrupted')
}

export function timeIsUp(draft: Draft): void {
  const { parting, output } = draft.state
  if (!parting && !output?.closes) endWith(draft, 'time_up', 'time_limit')
}

export function hardEnd(draft: Draft): void {
  const { parting, output } = draft.state
  hangUp(draft, parting?.reason ?? output?.closes ?? 'time_limit')
}
