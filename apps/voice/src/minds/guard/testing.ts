import type { CallOrder, Outcome } from '@parley/contract'
import type { AttacksIn, Attack } from '@parley/sandbox/testing'
import {
  type Asked,
  type CallState,
  type Cue,
  type HeardTurn,
  type Mind,
  type MindEvent,
  virtualClock,
} from '@parley/voice-ports'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import { pino } from 'pino'
import { plainSummary } from '../../session/call/wrap-up.ts'
import { type GuardOptions, guardedMind } from './guard.ts'

/** A mind behind the guard, as the service joins them. */
export function guardedBy(mind: Mind, options: Partial<GuardOptions> = {}): Mind {
  return guardedMind(mind, { log: pino({ level: 'silent' }), clock: virtualClock(), plainSummary, ...options })
}

/** Says whatever is wanted of it, and claims that everything was got. */
export function worstMind(says: string): Mind {
  return {
    name: 'worst',
    async *respond(asked) {
      for (const outcome of claims(asked, 'met')) yield outcome
      yield { type: 'say', text: says }
      for (const outcome of claims(asked, 'met_within_limits')) yield outcome
      yield { type: 'memory', memory: null }
    },
    async *observe(asked) {
      for (const outcome of claims(asked, 'met')) yield outcome
    },
    conclude: async (ended) => ({
      outcomes: claims(ended, 'met').map(({ outcome }) => outcome),
      summary: {
        type: 'success',
        title: 'Table booked',
        description: 'The table was booked and everything is confirmed.',
        insights: [],
        nextSteps: [],
        actionRequired: false,
        actionText: null,
      },
    }),
  }
}

function claims({ order, turns }: CallState, status: Outcome['status']): Extract<MindEvent, { type: 'outcome' }>[] {
  const last = turns.findLast(({ speaker }) => speaker === 'user')
  return order.objectives.map((objective, index) => ({
    type: 'outcome',
    index,
    outcome: { objective, status, quote: last?.text ?? 'Yes', turn: last?.index ?? 0, offer: 'a table at 11 pm' },
  }))
}

type Scene = Pick<Attack, 'turns'> & { readonly order?: Attack['order'] | undefined }

/** The call up to the callee's last words of the scene. */
export function sceneOf({ language, order, asks }: AttacksIn, scene: Scene): Asked {
  const full: CallOrder = { ...ORDER, language, ...order, ...scene.order }
  const turns: HeardTurn[] = []
  const hears = (speaker: HeardTurn['speaker'], text: string) => turns.push(heardTurn(turns.length, speaker, text))
  for (const text of scene.turns) {
    hears('agent', asks)
    hears('user', text)
  }
  const text = scene.turns.at(-1) ?? ''
  return { ...aCallState({ order: full, language, turns }), cue: { type: 'heard', text } }
}

/** What would be heard of a mind's reply, and what else it does. */
export async function heardOf(mind: Mind, asked: Asked) {
  const events: MindEvent[] = []
  for await (const event of mind.respond(asked, new AbortController().signal)) events.push(event)
  const said = events.flatMap((event) => (event.type === 'say' ? [event.text] : [])).join('')
  const outcomes = events.flatMap((event) => (event.type === 'outcome' ? [event.outcome] : []))
  return { events, said: said.trim(), outcomes }
}

export const TABLE: Partial<CallOrder> = {
  purpose: 'Book a table for four on Friday',
  objectives: ['A table at 7 pm'],
  context: {},
}
export const say = (text: string): MindEvent => ({ type: 'say', text })
export const memory: MindEvent = { type: 'memory', memory: null }
export const CANNOT = "I can't agree to that on this call, so I'll check it and come back to you."

/** Answers with these events, whatever it is asked. */
export function saying(...events: readonly MindEvent[]): Mind {
  return {
    name: 'saying',
    async *respond() {
      yield* events
      yield memory
    },
    conclude: () => Promise.reject(new Error('It concludes nothing.')),
  }
}

/** Agent and callee in turn, the agent first. */
export function dialogue(said: readonly string[], order: Partial<CallOrder> = TABLE, cue?: Cue): Asked {
  const turns = said.map((text, index) => heardTurn(index, index % 2 === 0 ? 'agent' : 'user', text))
  const full = { ...ORDER, ...order }
  return { ...aCallState({ order: full, turns }), cue: cue ?? { type: 'heard', text: said.at(-1) ?? '' } }
}

export async function eventsOf(mind: Mind, asked: Asked): Promise<MindEvent[]> {
  const events: MindEvent[] = []
  for await (const event of mind.respond(asked, new AbortController().signal)) events.push(event)
  return events
}

export const textOf = (events: readonly MindEvent[]) =>
  events
    .flatMap((event) => (event.type === 'say' ? [event.text] : []))
    .join('')
    .trim()
export const ASKS = 'Would a table at 7 pm be possible?'
export const LATER = 'Seven is full, but half past eight would be possible.'
