import type { CallOrder, Outcome } from '@parley/contract'
import type { AttacksIn, Attack } from '@parley/sandbox/testing'
import {
  type Asked,
  type CallState,
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
