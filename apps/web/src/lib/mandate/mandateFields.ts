import { ALTERNATIVES_MAX, type Mandate, type MandateLimits } from '@parley/contract'
import { words } from '../../words/index.ts'

export const RULES = ['as_written', 'exactly', 'within_limits', 'ask_me'] as const
export type Rule = (typeof RULES)[number]

/** ISO 4217, as offered for a highest price. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'MXN', 'BRL', 'JPY', 'CNY', 'INR'] as const

/** Limits as they are typed. */
export interface LimitFields {
  readonly price: string
  readonly currency: string
  readonly timeFrom: string
  readonly timeTo: string
  readonly dateFrom: string
  readonly dateTo: string
  readonly peopleMin: string
  readonly peopleMax: string
  /** One a line. */
  readonly alternatives: string
}

/** What may be agreed to for one objective, as it is chosen and typed. */
export interface MandateFields extends LimitFields {
  readonly rule: Rule
}

export const AS_WRITTEN: MandateFields = {
  rule: 'as_written',
  price: '',
  currency: CURRENCIES[0],
  timeFrom: '',
  timeTo: '',
  dateFrom: '',
  dateTo: '',
  peopleMin: '',
  peopleMax: '',
  alternatives: '',
}

const CENTS = 100

export function mandateFieldsOf(mandate: Mandate | null): MandateFields {
  if (mandate === null) return AS_WRITTEN
  if (mandate.rule !== 'within_limits') return { ...AS_WRITTEN, rule: mandate.rule }
  const { priceMax, alternatives = [], peopleMin, peopleMax } = mandate.limits
  const { timeFrom = '', timeTo = '', dateFrom = '', dateTo = '' } = mandate.limits
  return {
    ...AS_WRITTEN,
    rule: mandate.rule,
    timeFrom,
    timeTo,
    dateFrom,
    dateTo,
    ...(priceMax && { price: String(priceMax.amountCents / CENTS), currency: priceMax.currency }),
    ...(peopleMin !== undefined && { peopleMin: String(peopleMin) }),
    ...(peopleMax !== undefined && { peopleMax: String(peopleMax) }),
    alternatives: alternatives.join('\n'),
  }
}

/** The mandate, or why the limits cannot be used. */
export function mandateIn(fields: MandateFields): { readonly mandate: Mandate | null } | { readonly problem: string } {
  if (fields.rule === 'as_written') return { mandate: null }
  if (fields.rule !== 'within_limits') return { mandate: { rule: fields.rule } }
  const limits = limitsIn(fields)
  return typeof limits === 'string' ? { problem: limits } : { mandate: { rule: 'within_limits', limits } }
}

/** What is chosen and typed, by objective; none: as its words say. */
export type MandatesTyped = Readonly<Record<string, MandateFields>>

/** Of each objective in order; none where each is as its words say. */
export function mandatesIn(
  objectives: readonly string[],
  typed: MandatesTyped,
): { readonly mandates: (Mandate | null)[] } | { readonly problem: string } {
  const mandates: (Mandate | null)[] = []
  for (const objective of objectives) {
    const read = mandateIn(typed[objective] ?? AS_WRITTEN)
    if ('problem' in read) return { problem: words().calls.mandate.problemOf(objective, read.problem) }
    mandates.push(read.mandate)
  }
  return { mandates: mandates.some((each) => each !== null) ? mandates : [] }
}

/** The values of an order, as they would be typed; none for what is as its words say. */
export function mandatesTyped(
  objectives: readonly string[],
  mandates: readonly (Mandate | null)[],
): Record<string, MandateFields> {
  return Object.fromEntries(
    objectives.flatMap((text, place) => {
      const mandate = mandates[place] ?? null
      return mandate === null ? [] : [[text, mandateFieldsOf(mandate)]]
    }),
  )
}

function limitsIn(fields: MandateFields): MandateLimits | string {
  const { problems } = words().calls.mandate
  const price = fields.price.trim() === '' ? undefined : Number(fields.price.replace(',', '.'))
  if (price !== undefined && !(price >= 0 && price <= PRICE_MAX)) return problems.price
  const { timeFrom, timeTo, dateFrom, dateTo } = fields
  if (isAfter(timeFrom, timeTo)) return problems.times
  if (isAfter(dateFrom, dateTo)) return problems.days
  const [peopleMin, peopleMax] = [peopleIn(fields.peopleMin), peopleIn(fields.peopleMax)]
  if (Number.isNaN(peopleMin) || Number.isNaN(peopleMax)) return problems.people
  if (peopleMin !== undefined && peopleMax !== undefined && peopleMin > peopleMax) return problems.people
  const alternatives = linesIn(fields.alternatives)
  if (alternatives.length > ALTERNATIVES_MAX || alternatives.some(({ length }) => length > ALTERNATIVE_LENGTH_MAX))
    return problems.alternatives
  const limits: MandateLimits = {
    ...(price !== undefined && { priceMax: { amountCents: Math.round(price * CENTS), currency: fields.currency } }),
    ...(timeFrom && { timeFrom }),
    ...(timeTo && { timeTo }),
    ...(dateFrom && { dateFrom }),
    ...(dateTo && { dateTo }),
    ...(peopleMin !== undefined && { peopleMin }),
    ...(peopleMax !== undefined && { peopleMax }),
    ...(alternatives.length > 0 && { alternatives }),
  }
  return Object.keys(limits).length === 0 ? problems.none : limits
}

const PRICE_MAX = 1_000_000
const PEOPLE_MAX = 10_000
const ALTERNATIVE_LENGTH_MAX = 200

function isAfter(from: string, to: string): boolean {
  return from !== '' && to !== '' && from > to
}

/** NaN for what is no number of people. */
function peopleIn(text: string): number | undefined {
  if (text.trim() === '') return undefined
  const people = Number(text)
  return Number.isInteger(people) && people >= 1 && people <= PEOPLE_MAX ? people : Number.NaN
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
