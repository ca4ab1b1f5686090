import { isMet, type Outcome, OutcomeValue, type OutcomeStatus } from '@parley/contract'
import type { CallState, HeardTurn } from '@parley/voice-ports'
import type { ToldValue } from './tools.ts'

/** What a model tells about one objective, by its number from 1. */
export interface ToldOutcome {
  readonly objective: number
  readonly status: OutcomeStatus
  readonly quote: string | null
  readonly offer?: string | null | undefined
  readonly value?: ToldValue | null | undefined
}

const QUOTE_MAX = 500
const OFFER_MAX = 300

/** As the port has it; null where there is no such objective, or an offer is not named. */
export function outcomeFrom(told: ToldOutcome, state: CallState): { index: number; outcome: Outcome } | null {
  const index = told.objective - 1
  const objective = state.order.objectives[index]
  if (objective === undefined) return null
  if (told.status === 'open') return { index, outcome: openOutcome(objective) }
  const { quote, turn } = locate(told.quote, state.turns)
  const offer = told.offer?.trim().slice(0, OFFER_MAX) || null
  const status = told.status
  if (status === 'offered' && (offer ?? quote) === null) return null
  const agreed = status === 'offered' ? (offer ?? quote) : status === 'met_within_limits' ? offer : null
  const value = isMet(told) ? valueFrom(told.value, state.timezone) : null
  return {
    index,
    outcome: { objective, status, quote, turn, ...(agreed !== null && { offer: agreed }), ...(value && { value }) },
  }
}

export function openOutcome(objective: string): Outcome {
  return { objective, status: 'open', quote: null, turn: null }
}

/** Letters and figures alone. */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** The callee's turn that a quote stands in, the last first. One written differently is replaced by the whole turn. */
function locate(given: string | null, turns: readonly HeardTurn[]): Pick<Outcome, 'quote' | 'turn'> {
  const quote = given?.trim().slice(0, QUOTE_MAX) ?? ''
  const words = folded(quote)
  if (words === '') return { quote: quote || null, turn: null }
  const callees = turns.filter(({ speaker }) => speaker === 'user')
  const exact = callees.findLast(({ text }) => text.includes(quote))
  if (exact) return { quote, turn: exact.index }
  const alike = callees.findLast(({ text }) => ` ${folded(text)} `.includes(` ${words} `))
  return alike ? { quote: alike.text, turn: alike.index } : { quote, turn: null }
}

function valueFrom(told: ToldValue | null | undefined, timezone: string): OutcomeValue | null {
  if (!told) return null
  const { type, text, unit } = told
  const number = Number(text.replace(',', '.'))
  const shapes = {
    date_time: { type, at: text.slice(0, 16), timezone },
    date: { type, date: text.slice(0, 10) },
    money: { type, amountCents: Math.round(number * 100), currency: unit?.toUpperCase() },
    number: { type, number, unit },
    name: { type, name: text },
    reference: { type, reference: text },
  }
  return OutcomeValue.safeParse(shapes[type]).data ?? null
}
