import type { CallOrder, MandateLimits, ObjectiveReading } from '@parley/contract'
import { sayValue, type Value } from '../hearing/extract.ts'
import type { Spoken } from '../memory.ts'
import { topicOf } from '../wording/wording.ts'
import { joined, type Bound, type Kind, type Limits } from './limits.ts'
import { mandateFor, spokenIn, type Mandate } from './mandate.ts'
import { readOrder } from './reading.ts'

/** What the words of each objective are understood to allow: in figures where they tell any, and in a short text. */
export function readMandates(
  order: Pick<CallOrder, 'purpose' | 'objectives' | 'language'>,
): { mandate: ObjectiveReading['mandate']; understood: string | null }[] {
  return order.objectives.map((text) => {
    const language = spokenIn(text, order)
    const { asked: request, wants } = readOrder(text, language, null)
    const { expecting } = topicOf(request, language, { tone: 'professional', owner: '' })
    const isAlone = order.objectives.length === 1
    const wished = { text, wants, expecting, isPurpose: false, isAlone }
    const mandate = mandateFor({ ...order, context: {} }, [], wished)
    const limits = settledLimits(joined(mandate.ordered), mandate)
    const asked = wants
      .filter(({ type }) => type !== 'name' && type !== 'digits')
      .map((value) => settled(value, mandate))
    return { mandate: typed(asked, limits), understood: inWords(asked, limits, language) }
  })
}

type Time = Extract<Value, { type: 'time' }>

const HALF_DAY_MINUTES = 720

function timeIn(values: readonly Value[]): Time | undefined {
  return values.find((value): value is Time => value.type === 'time')
}

/** A time without am or pm, where the order tells which: dinner is in the evening. */
function settled(value: Value, { isEvening }: Pick<Mandate, 'isEvening'>): Value {
  if (value.type !== 'time' || value.exact || !isEvening || value.minutes >= HALF_DAY_MINUTES) return value
  return { ...value, minutes: value.minutes + HALF_DAY_MINUTES, exact: true }
}

/** "7 pm, or up to 8:30": the bound is the first half past eight after what was asked. */
function settledLimits(limits: Limits, mandate: Mandate): Limits {
  const asked = timeIn(mandate.asked.map((value) => settled(value, mandate)))
  const near = (bound: Bound): Bound => {
    const value = settled(bound.value, mandate)
    if (value.type !== 'time' || value.exact || asked?.exact !== true) return { ...bound, value }
    const halves = [value.minutes % HALF_DAY_MINUTES, (value.minutes % HALF_DAY_MINUTES) + HALF_DAY_MINUTES]
    const minutes =
      bound.side === 'most'
        ? halves.find((half) => half >= asked.minutes)
        : halves.findLast((half) => half <= asked.minutes)
    return { ...bound, value: minutes === undefined ? value : { ...value, minutes, exact: true } }
  }
  const accepted = limits.accepted.map((values) => values.map((value) => settled(value, mandate)))
  // In what is not wholly understood the agent agrees to nothing else.
  const bounds = limits.bounds.filter(({ value: { type } }) => limits.doubtful.every((kind) => kind !== type))
  return { ...limits, bounds: bounds.map(near), accepted }
}

function boundAt(limits: Limits, side: Bound['side'], kind: Value['type']): Bound | undefined {
  const found = limits.bounds.filter((bound) => bound.side === side && bound.value.type === kind)
  // The strictest counts; a day has no order here.
  return found.toSorted((a, b) => (side === 'most' ? 1 : -1) * (sizeOf(a.value) - sizeOf(b.value)))[0]
}

function sizeOf(value: Value): number {
  if (value.type === 'time') return value.minutes
  if (value.type === 'money') return value.amount
  return value.type === 'count' ? value.count : 0
}

// In figures

function typed(asked: readonly Value[], limits: Limits): ObjectiveReading['mandate'] {
  const figures: MandateLimits = {
    ...(!limits.free.includes('time') && timesOf(asked, limits)),
    ...(!limits.free.includes('money') && priceOf(limits)),
    ...(!limits.free.includes('count') && peopleOf(asked, limits)),
    ...alternativesOf(limits),
  }
  if (Object.keys(figures).length > 0) return { rule: 'within_limits', limits: figures }
  const isFirm = limits.firm.length > 0 && limits.free.length === 0 && limits.bounds.length === 0
  return isFirm ? { rule: 'exactly' } : null
}

/** A bound on one side reaches from what was asked to the bound. */
function timesOf(asked: readonly Value[], limits: Limits): MandateLimits {
  const [least, most] = [boundAt(limits, 'least', 'time'), boundAt(limits, 'most', 'time')]
  if (!least && !most) return {}
  const wanted = timeIn(asked)
  const [from, to] = [least === undefined ? wanted : atOf(least), most === undefined ? wanted : atOf(most)]
  if (from?.exact === false || to?.exact === false || (from && to && from.minutes > to.minutes)) return {}
  return { ...(from && { timeFrom: clock(from.minutes) }), ...(to && { timeTo: clock(to.minutes) }) }
}

/** Ends are included: "before 8" ends a minute earlier. */
function atOf({ side, strict, value }: Bound): Time | undefined {
  if (value.type !== 'time') return undefined
  return { ...value, minutes: value.minutes + (strict ? (side === 'most' ? -1 : 1) : 0) }
}

function clock(minutes: number): string {
  const ofDay = Math.min(Math.max(minutes, 0), 24 * 60 - 1)
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
}

const CURRENCIES: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP' }
const CENTS = 100

/** A price a night or a head is none in all. */
function priceOf(limits: Limits): MandateLimits {
  const value = boundAt(limits, 'most', 'money')?.value
  if (value?.type !== 'money' || (value.per !== undefined && value.per !== 'total')) return {}
  const currency = CURRENCIES[value.currency] ?? value.currency.toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) return {}
  return { priceMax: { amountCents: Math.round(value.amount * CENTS), currency } }
}

function peopleOf(asked: readonly Value[], limits: Limits): MandateLimits {
  const [least, most] = [boundAt(limits, 'least', 'count')?.value, boundAt(limits, 'most', 'count')?.value]
  if (!least && !most) return {}
  const wanted = peopleIn(asked.find(({ type }) => type === 'count'))
  const [peopleMin, peopleMax] = [least ? peopleIn(least) : wanted, most ? peopleIn(most) : wanted]
  if ((least && peopleMin === undefined) || (most && peopleMax === undefined)) return {}
  if (peopleMin !== undefined && peopleMax !== undefined && peopleMin > peopleMax) return {}
  return { ...(peopleMin !== undefined && { peopleMin }), ...(peopleMax !== undefined && { peopleMax }) }
}

function peopleIn(value: Value | undefined): number | undefined {
  return value?.type === 'count' && value.unit === 'people' && value.count > 0 ? value.count : undefined
}

function alternativesOf({ accepted }: Limits): MandateLimits {
  const texts = accepted.map((values) => values.map((value) => sayValue(value, 'en')).join(' '))
  return texts.length === 0 ? {} : { alternatives: texts }
}

// In words

interface Phrases {
  readonly upTo: string
  readonly from: string
  readonly to: string
  readonly before: string
  readonly after: string
  readonly or: string
  readonly otherwise: string
  readonly atMost: string
  readonly atLeast: string
  readonly people: string
  readonly only: string
  readonly any: Readonly<Partial<Record<Kind, string>>>
}

const PHRASES: Readonly<Record<Spoken, Phrases>> = {
  en: {
    upTo: 'up to',
    from: 'from',
    to: 'to',
    before: 'before',
    after: 'after',
    or: 'or',
    otherwise: 'otherwise',
    atMost: 'at most',
    atLeast: 'at least',
    people: 'people',
    only: 'nothing else',
    any: { time: 'any time', date: 'any day', money: 'any price', count: 'any number' },
  },
  es: {
    upTo: 'hasta las',
    from: 'desde las',
    to: 'hasta las',
    before: 'antes de las',
    after: 'después de las',
    or: 'o',
    otherwise: 'si no',
    atMost: 'como máximo',
    atLeast: 'como mínimo',
    people: 'personas',
    only: 'nada más',
    any: { time: 'cualquier hora', date: 'cualquier día', money: 'cualquier precio', count: 'cualquier número' },
  },
  fr: {
    upTo: "jusqu'à",
    from: 'à partir de',
    to: 'à',
    before: 'avant',
    after: 'après',
    or: 'ou',
    otherwise: 'sinon',
    atMost: 'au plus',
    atLeast: 'au moins',
    people: 'personnes',
    only: 'rien d’autre',
    any: { time: 'toute heure', date: 'tout jour', money: 'tout prix', count: 'tout nombre' },
  },
  de: {
    upTo: 'bis',
    from: 'ab',
    to: 'bis',
    before: 'vor',
    after: 'nach',
    or: 'oder',
    otherwise: 'sonst',
    atMost: 'höchstens',
    atLeast: 'mindestens',
    people: 'Personen',
    only: 'nichts anderes',
    any: { time: 'jede Uhrzeit', date: 'jeder Tag', money: 'jeder Preis', count: 'jede Zahl' },
  },
}

const BOUNDED = ['date', 'time', 'count', 'money', 'percent'] as const

/** null where the words tell nothing countable. */
function inWords(asked: readonly Value[], limits: Limits, language: Spoken): string | null {
  const words = PHRASES[language]
  const bounds = BOUNDED.flatMap((kind) => {
    const said = boundInWords(limits, kind, words, language)
    if (said === '') return []
    const isBeside = kind !== 'money' && asked.some(({ type }) => type === kind)
    return [isBeside ? `${words.or} ${said}` : said]
  })
  const parts = [
    ...asked.map((value) => say(value, words, language)),
    ...bounds,
    ...limits.free
      .flatMap((kind) => words.any[kind] ?? [])
      .map((each) => (asked.length > 0 ? `${words.or} ${each}` : each)),
    ...limits.accepted.map(
      (values) => `${words.otherwise} ${values.map((value) => say(value, words, language)).join(' ')}`,
    ),
  ]
  const isFirm = limits.firm.length > 0 && limits.free.length === 0
  const all = [...new Set([...parts, ...(isFirm && parts.length > 0 ? [words.only] : [])])]
  return all.length === 0 ? null : all.join(', ')
}

function boundInWords(limits: Limits, kind: (typeof BOUNDED)[number], words: Phrases, language: Spoken): string {
  const [least, most] = [boundAt(limits, 'least', kind), boundAt(limits, 'most', kind)]
  const said = (bound: Bound) => say(bound.value, words, language)
  const isOfTime = kind === 'time' || kind === 'date'
  if (isOfTime && least && most && !least.strict && !most.strict)
    return `${words.from} ${said(least)} ${words.to} ${said(most)}`
  const from = isOfTime ? (least?.strict ? words.after : words.from) : words.atLeast
  const upTo = isOfTime ? (most?.strict ? words.before : words.upTo) : words.atMost
  return [...(least ? [`${from} ${said(least)}`] : []), ...(most ? [`${upTo} ${said(most)}`] : [])].join(', ')
}

function say(value: Value, { people }: Phrases, language: Spoken): string {
  const said = sayValue(value, language)
  return value.type === 'count' && value.unit === 'people' ? `${said} ${people}` : said
}
