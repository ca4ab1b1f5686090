import { CallLanguage, type EndReason, type Outcome } from '@parley/contract'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import type { Cue, HeardTurn } from '@parley/voice-ports'
import { createScriptedMind } from '../index.ts'
import type { OrderOfMandate } from './orders-of-mandate.ts'

type Order = Omit<OrderOfMandate, 'title' | 'outcomes' | 'utterances'>

/** The callee's answer to the agent's last words; null when they have nothing more to say. */
export type Answering = (said: string, round: number) => string | null

const ROUNDS_MAX = 12

/**
 * Plays a whole call as the session would: every reply is used and heard. The callee answers by function or from a
 * list.
 */
export async function play(
  { purpose, objectives, mandates, context = {}, language = 'en' }: Order,
  utterances: readonly string[] | Answering,
) {
  const mind = createScriptedMind()
  const { signal } = new AbortController()
  const order = {
    ...ORDER,
    tone: 'professional' as const,
    purpose,
    objectives: [...objectives],
    ...(mandates && { mandates }),
    context: { ...context },
    language: CallLanguage.parse(language),
  }
  const turns: HeardTurn[] = []
  const told = new Map<number, Outcome>()
  let memory: unknown
  let ended: EndReason | null = null
  const hears = (speaker: HeardTurn['speaker'], text: string) => turns.push(heardTurn(turns.length, speaker, text))
  const answering: Answering = typeof utterances === 'function' ? utterances : (_, round) => utterances[round] ?? null
  let cue: Cue = { type: 'opening' }
  for (let round = 0; round < ROUNDS_MAX && ended === null; round += 1) {
    if (cue.type === 'heard') hears('user', cue.text)
    for await (const event of mind.respond(
      { ...aCallState({ order, language, turns: [...turns], memory }), cue },
      signal,
    )) {
      if (event.type === 'say') hears('agent', event.text)
      if (event.type === 'memory') ({ memory } = event)
      if (event.type === 'outcome') told.set(event.index, event.outcome)
      if (event.type === 'hang_up') ended = event.reason
    }
    const text = answering(turns.findLast(({ speaker }) => speaker === 'agent')?.text ?? '', round)
    if (text === null) break
    cue = text.startsWith('[') ? { type: 'instruction', text: text.slice(1, -1) } : { type: 'heard', text }
  }
  const conclusion = await mind.conclude(
    { ...aCallState({ order, language, turns, memory }), endReason: ended ?? 'callee_hung_up' },
    signal,
  )
  return { turns, told, said: turns.flatMap(({ speaker, text }) => (speaker === 'agent' ? [text] : [])), ...conclusion }
}
