import { CallLanguage, type EndReason, type Outcome } from '@parley/contract'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import type { Cue, HeardTurn, Mind } from '@parley/voice-ports'
import { createScriptedMind } from '../index.ts'
import { ORDERS_OF_REQUESTS } from './orders-of-mandate-requests.ts'
import { ORDERS_OF_RESTRICTIONS } from './orders-of-mandate-restricted.ts'
import { ORDERS_OF_TALK } from './orders-of-mandate-talk.ts'
import { ORDERS_OF_OTHER_THINGS } from './orders-of-mandate-things.ts'
import { ORDERS_WITH_CHOSEN_MANDATES } from './orders-of-mandate-typed.ts'
import { ORDERS_OF_WORDS } from './orders-of-mandate-words.ts'
import { ORDERS_OF_TIME, type OrderOfMandate } from './orders-of-mandate.ts'

export const ORDERS: readonly OrderOfMandate[] = [
  ...ORDERS_OF_TIME,
  ...ORDERS_OF_TALK,
  ...ORDERS_OF_OTHER_THINGS,
  ...ORDERS_OF_RESTRICTIONS,
  ...ORDERS_OF_REQUESTS,
  ...ORDERS_OF_WORDS,
  ...ORDERS_WITH_CHOSEN_MANDATES,
]

type Order = Omit<OrderOfMandate, 'title' | 'outcomes' | 'utterances'>

/** The callee's answer to the agent's last words; null when they have nothing more to say. */
export type Answering = (said: string, round: number) => string | null

const ROUNDS_MAX = 12

/**
 * Plays a whole call as the session would: every reply is used and heard. The callee answers by function or from a
 * list.
 */
export function play(order: Order, utterances: readonly string[] | Answering) {
  return playWith(createScriptedMind(), order, utterances)
}

/** The same with any mind. */
export async function playWith(
  mind: Mind,
  { purpose, objectives, mandates, context = {}, language = 'en' }: Order,
  utterances: readonly string[] | Answering,
) {
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
    let spoken = ''
    for await (const event of mind.respond(
      { ...aCallState({ order, language, turns: [...turns], memory }), cue },
      signal,
    )) {
      if (event.type === 'say') spoken += event.text
      if (event.type === 'memory') ({ memory } = event)
      if (event.type === 'outcome') told.set(event.index, event.outcome)
      if (event.type === 'hang_up') ended = event.reason
    }
    if (spoken !== '') hears('agent', spoken)
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
