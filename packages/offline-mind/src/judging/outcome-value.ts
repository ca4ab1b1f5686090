import type { OutcomeValue } from '@parley/contract'
import type { Expecting, Value } from '../hearing/extract.ts'
import { dayOf } from '../mandate/days.ts'

interface Circumstances {
  readonly wanted: readonly Value[]
  /** The day that the order names. */
  readonly day: Value | null
  readonly expecting: Expecting
  /** The callee's, as 2026-11-30. */
  readonly today: string
  readonly timezone: string
}

const CURRENCIES: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', 'CHF ': 'CHF' }
const AMOUNT_CENTS_MAX = 100_000_000

/** What was agreed or told, typed; null where it is not countable, or could be several things. */
export function outcomeValueOf(named: readonly Value[], circumstances: Circumstances): OutcomeValue | null {
  const { wanted, expecting } = circumstances
  const money = single(named, 'money')
  const isPriced = expecting === 'money' || wanted.some(({ type }) => type === 'money')
  if (money !== null && (isPriced || wanted.length === 0)) return moneyOf(money, wanted)
  const dated = dateTimeOf(named, circumstances)
  if (dated !== null) return dated
  const digits = single(named, 'digits')
  if (digits !== null && wanted.length === 0) return { type: 'reference', reference: digits.digits.slice(0, 100) }
  const percent = single(named, 'percent')
  if (percent !== null) return { type: 'number', number: percent.percent, unit: '%' }
  const count = single(named, 'count')
  return count === null ? null : { type: 'number', number: count.count, unit: count.unit === '' ? null : count.unit }
}

/** Where several are named, nothing says which counts. */
function single<T extends Value['type']>(named: readonly Value[], type: T): Extract<Value, { type: T }> | null {
  const found = named.filter((value): value is Extract<Value, { type: T }> => value.type === type)
  const [first] = found
  return first !== undefined && found.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : null
}

function moneyOf(money: Extract<Value, { type: 'money' }>, wanted: readonly Value[]): OutcomeValue | null {
  const asked = wanted.find((value): value is Extract<Value, { type: 'money' }> => value.type === 'money')
  const currency = CURRENCIES[money.currency === '' ? (asked?.currency ?? '') : money.currency]
  const amountCents = Math.round(money.amount * 100)
  return currency === undefined || amountCents > AMOUNT_CENTS_MAX ? null : { type: 'money', amountCents, currency }
}

function dateTimeOf(named: readonly Value[], { wanted, day, today, timezone }: Circumstances): OutcomeValue | null {
  const dates = named.filter(({ type }) => type === 'date')
  const date = dates.length === 0 ? day : single(named, 'date')
  const on = date?.type === 'date' ? dayOf(date.key, today) : null
  const time = single(named, 'time')
  if (on === null) return null
  if (time === null) return dates.length === 0 ? null : { type: 'date', date: on }
  const minutes = minutesOf(time, wanted)
  if (minutes === null) return null
  const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return { type: 'date_time', at: `${on}T${clock}`, timezone }
}

/** "Half past eight" beside a table at 7 pm is in the evening; alone it could be either. */
function minutesOf(time: Extract<Value, { type: 'time' }>, wanted: readonly Value[]): number | null {
  if (time.exact) return time.minutes
  const near = wanted.find((value): value is typeof time => value.type === 'time' && value.exact)
  if (near === undefined) return null
  const later = (time.minutes + 720) % 1440
  return Math.abs(later - near.minutes) < Math.abs(time.minutes - near.minutes) ? later : time.minutes
}
