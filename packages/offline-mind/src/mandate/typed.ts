import type { CallOrder, Mandate as TypedMandate, MandateLimits } from '@parley/contract'
import type { Value } from '../hearing/extract.ts'
import type { Spoken } from '../memory.ts'
import { countable } from './bounds.ts'
import { NO_LIMITS, type Bound, type Limits } from './limits.ts'
import { EVERYTHING } from './whole.ts'

/** What a person chose for an objective, beside what its words say. */
export interface Typed {
  readonly rule: TypedMandate['rule'] | null
  readonly limits: Limits
  /** Also welcome, without a number in it: "a table on the terrace". */
  readonly things: readonly string[]
}

const NOTHING: Typed = { rule: null, limits: NO_LIMITS, things: [] }

/** The choice for the objective of these words; the purpose follows where all objectives have the same strict rule. */
export function typedFor(
  { objectives, mandates = [] }: Pick<CallOrder, 'objectives' | 'mandates'>,
  text: string,
  isPurpose: boolean,
  language: Spoken,
): Typed {
  const index = isPurpose ? -1 : objectives.indexOf(text)
  const chosen = index < 0 ? strictest(mandates, objectives.length) : (mandates[index] ?? null)
  if (chosen === null) return NOTHING
  switch (chosen.rule) {
    case 'exactly':
    case 'ask_me':
      return { rule: chosen.rule, limits: { ...NO_LIMITS, firm: EVERYTHING }, things: [] }
    case 'within_limits':
      return { rule: chosen.rule, ...readTyped(chosen.limits, language) }
  }
}

function strictest(mandates: readonly (TypedMandate | null)[], count: number): TypedMandate | null {
  const [first] = mandates
  if (count === 0 || mandates.length < count || !first || first.rule === 'within_limits') return null
  return mandates.every((each) => each?.rule === first.rule) ? first : null
}

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£', CHF: 'CHF ' }

function readTyped(limits: MandateLimits, language: Spoken): Pick<Typed, 'limits' | 'things'> {
  const { priceMax, timeFrom, timeTo, dateFrom, dateTo, peopleMin, peopleMax, alternatives = [] } = limits
  const bound = (side: Bound['side'], value: Value | undefined): Bound[] =>
    value === undefined ? [] : [{ side, strict: false, value }]
  const people = (count: number | undefined): Value | undefined =>
    count === undefined ? undefined : { type: 'count', count, unit: 'people' }
  const price: Value | undefined = priceMax && {
    type: 'money',
    amount: priceMax.amountCents / 100,
    currency: SIGNS[priceMax.currency] ?? priceMax.currency.toLowerCase(),
    per: 'total',
  }
  const accepted = alternatives.map((text) => countable(text, language, 'time')).filter(({ length }) => length > 0)
  return {
    limits: {
      ...NO_LIMITS,
      accepted,
      bounds: [
        ...bound('most', price),
        ...bound('least', timeOf(timeFrom)),
        ...bound('most', timeOf(timeTo)),
        ...bound('least', dateOf(dateFrom)),
        ...bound('most', dateOf(dateTo)),
        ...bound('least', people(peopleMin)),
        ...bound('most', people(peopleMax)),
      ],
    },
    things: alternatives.filter((text) => countable(text, language, 'time').length === 0),
  }
}

function timeOf(clock: string | undefined): Value | undefined {
  if (clock === undefined) return undefined
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return { type: 'time', minutes: hours * 60 + minutes, exact: true }
}

function dateOf(day: string | undefined): Value | undefined {
  if (day === undefined) return undefined
  const [, month = 0, date = 0] = day.split('-').map(Number)
  return { type: 'date', key: `${month}-${date}`, said: day }
}
