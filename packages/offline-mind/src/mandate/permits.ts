import { sameDay, type Value } from '../hearing/extract.ts'
import { fold } from '../hearing/text.ts'
import { daysApart, dayOf } from './days.ts'
import type { Bound, Kind, Limits } from './limits.ts'
import type { Mandate } from './mandate.ts'

export type Permission = 'as_asked' | 'within' | 'no'

/** Whether the agent may agree to the offer. Values not mentioned stay as asked. */
export function permits(mandate: Mandate, offered: readonly Value[]): Permission {
  if (mandate.isRemoval || isPartial(mandate, offered)) return 'no'
  if (mandate.asksFirst && !offered.every((value) => isSaid(mandate, value, offered))) return 'no'
  const other = offered.filter((value) => !isAsked(mandate, value))
  if (other.length === 0) return offered.length === 0 ? 'no' : 'as_asked'
  // An offer without a price does not answer a request for one.
  if (mandate.asked.some(isPrice) && !offered.some(isPrice)) return 'no'
  return other.every((value) => allows(mandate, value, offered)) ? 'within' : 'no'
}

/** Whether the user allowed it in mid-call. */
function isSaid(mandate: Mandate, value: Value, offered: readonly Value[]): boolean {
  return mandate.said.some((limits) => decide(mandate, [limits], value, offered) === true)
}

/** Whether only one of two wanted values is offered: "a table at 7 and a cake at 8:30". */
function isPartial(mandate: Mandate, offered: readonly Value[]): boolean {
  return mandate.asked.some((asked) => {
    const several = mandate.asked.some((one) => isRival(mandate, asked, one))
    return (
      several &&
      offered.some(({ type }) => type === asked.type) &&
      !offered.some((value) => isSame(mandate, asked, value))
    )
  })
}

const isPrice = ({ type }: Value): boolean => type === 'money' || type === 'percent'

/** Whether two values exclude each other; "Saturday the 21st" is one day. */
function isRival(mandate: Mandate, asked: Value, other: Value): boolean {
  if (asked.type !== other.type || isSame(mandate, asked, other) || isSame(mandate, other, asked)) return false
  if (asked.type === 'count' && other.type === 'count') return asked.unit === other.unit
  return asked.type !== 'date' || other.type !== 'date' || asked.key.startsWith('day') === other.key.startsWith('day')
}

/** Whether a thing without a number may be agreed to: a table outside. */
export function permitsThing({ said, ordered, things, asksFirst }: Mandate, words: string): boolean {
  const named = wordsIn(words)
  if (things.some((thing) => [...wordsIn(thing)].every((word) => named.has(word)))) return true
  if (asksFirst && said.every(({ free }) => !free.includes('thing'))) return false
  const latest = said.find(({ firm, free, doubtful }) =>
    [firm, free, doubtful].some((kinds) => kinds.includes('thing')),
  )
  const all = latest === undefined ? ordered : [latest]
  return (
    all.some(({ free }) => free.includes('thing')) &&
    !all.some(({ firm, doubtful }) => [firm, doubtful].some((kinds) => kinds.includes('thing')))
  )
}

const FUNCTION_WORDS =
  /^(?:a|an|the|at|on|in|of|to|for|with|or|una?|el|la|los|las|en|de|con|o|une?|le|les|des?|du|au|avec|ou|ein\w*|der|die|das|dem|den|im|am|auf|mit|oder)$/

function wordsIn(text: string): Set<string> {
  return new Set((fold(text).match(/[\p{L}\d]+/gu) ?? []).filter((word) => !FUNCTION_WORDS.test(word)))
}

export function isAsked(mandate: Mandate, value: Value): boolean {
  return !mandate.isRemoval && mandate.asked.some((asked) => isSame(mandate, asked, value))
}

/** Rank by preference; offers only within bounds come last. */
export function rankOf(mandate: Mandate, offered: readonly Value[]): number {
  const rank = mandate.preferences.findIndex((package_) =>
    package_.every((value) => offered.some((one) => isSame(mandate, value, one))),
  )
  return rank < 0 ? mandate.preferences.length : rank
}

function allows(mandate: Mandate, value: Value, offered: readonly Value[]): boolean {
  for (const limits of mandate.said) {
    const verdict = decide(mandate, [limits], value, offered)
    if (verdict !== null) return verdict
  }
  return decide(mandate, mandate.ordered, value, offered) ?? isBetter(mandate, value)
}

/** The joint verdict of limits on a value; null where they do not mention it. */
function decide(mandate: Mandate, all: readonly Limits[], value: Value, offered: readonly Value[]): boolean | null {
  const kind = value.type
  if (kind === 'digits' || kind === 'name') return null
  if (all.some(({ refused }) => refused.some((one) => isSame(mandate, one, value)))) return false
  if (all.some(({ doubtful }) => doubtful.includes(kind))) return false
  const granted = all.map((limits) => grants(mandate, limits, kind, value, offered))
  if (all.some(({ firm }, at) => firm.includes(kind) && granted[at] !== true)) return false
  const bounds = all.flatMap((limits) => limits.bounds.filter((bound) => isAbout(bound, value)))
  if (bounds.some((bound) => !isInside(mandate, bound, value))) return false
  return granted.includes(true) ? true : null
}

/** A bound on people says nothing about nights. */
function isAbout({ value: own }: Bound, value: Value): boolean {
  if (own.type !== 'count' || value.type !== 'count') return own.type === value.type
  return own.unit === value.unit || own.unit === '' || value.unit === ''
}

function grants(mandate: Mandate, limits: Limits, kind: Kind, value: Value, offered: readonly Value[]): boolean {
  if (limits.accepted.some((package_) => fitsPackage(mandate, package_, value, offered))) return true
  if (limits.firm.includes(kind) && limits.bounds.every((bound) => bound.value.type !== kind)) return false
  const isNarrowed =
    !mandate.said.includes(limits) && mandate.ordered.some((other) => other !== limits && names(other, kind))
  if (limits.free.includes(kind) && !isNarrowed) return true
  const bounds = limits.bounds.filter((bound) => isAbout(bound, value))
  return (
    bounds.length > 0 && bounds.every((bound) => isInside(mandate, bound, value)) && isOnTheWay(mandate, bounds, value)
  )
}

/** Whether limits name alternatives; then "flexible" elsewhere widens nothing. */
function names({ accepted, bounds }: Limits, kind: Kind): boolean {
  return (
    bounds.some(({ value }) => value.type === kind) ||
    accepted.some((package_) => package_.some(({ type }) => type === kind))
  )
}

/** "Saturday at 8 is fine" does not permit Saturday at 7. */
function fitsPackage(mandate: Mandate, package_: readonly Value[], value: Value, offered: readonly Value[]): boolean {
  if (!package_.some((one) => isSame(mandate, one, value))) return false
  return package_.every((one) => {
    const other = offered.find(({ type }) => type === one.type) ?? mandate.asked.find(({ type }) => type === one.type)
    return package_.some((same) => same.type === one.type && other !== undefined && isSame(mandate, same, other))
  })
}

/** Whether a value lies between the one asked for and its bound: "7 pm, or up to 8:30" does not permit six. */
function isOnTheWay(mandate: Mandate, bounds: readonly Bound[], value: Value): boolean {
  if (value.type !== 'time' && value.type !== 'date' && value.type !== 'count') return true
  const [side] = bounds.map((bound) => bound.side)
  const asked = mandate.asked.find(
    ({ type, ...rest }) =>
      type === value.type && (!('unit' in rest) || value.type !== 'count' || rest.unit === value.unit),
  )
  if (asked === undefined || side === undefined || bounds.some((bound) => bound.side !== side)) return true
  return (
    isInside(mandate, { side: side === 'most' ? 'least' : 'most', strict: false, value: asked }, value) ||
    bounds.some((bound) => isSame(mandate, bound.value, asked))
  )
}

/** A lower price or a higher discount is better than asked. */
function isBetter(mandate: Mandate, value: Value): boolean {
  const firm = mandate.ordered.some((limits) => limits.firm.includes('money') || limits.firm.includes('percent'))
  if (firm || mandate.isSale || (value.type !== 'money' && value.type !== 'percent')) return false
  const asked = mandate.asked.find(({ type }) => type === value.type)
  return (
    asked !== undefined &&
    isInside(mandate, { side: value.type === 'money' ? 'most' : 'least', strict: false, value: asked }, value)
  )
}

/** Values that cannot be compared are outside. */
function isInside(mandate: Mandate, bound: Bound, value: Value): boolean {
  const between = difference(mandate, bound.value, value)
  if (between === null) return false
  const signed = bound.side === 'most' ? -between : between
  return bound.strict ? signed > 0 : signed >= 0
}

/** Distance of a value above another. */
function difference(mandate: Mandate, from: Value, value: Value): number | null {
  if (from.type === 'time' && value.type === 'time')
    return minutesOf(mandate, value, from) - minutesOf(mandate, from, value)
  if (from.type === 'money' && value.type === 'money')
    return isComparablePrice(mandate, from, value) ? value.amount - from.amount : null
  if (from.type === 'percent' && value.type === 'percent') return value.percent - from.percent
  if (from.type === 'count' && value.type === 'count')
    return from.unit === value.unit || from.unit === '' || value.unit === '' ? value.count - from.count : null
  if (from.type === 'date' && value.type === 'date') return daysBetween(from.key, value.key, mandate.today)
  return null
}

function daysBetween(from: string, to: string, today: string | null): number | null {
  const isDay = [from, to].some((key) => /^\d+-\d+$/.test(key))
  const days = today === null || !isDay ? [] : [dayOf(from, today), dayOf(to, today)]
  const [first, last] = days
  if (first && last) return daysApart(first, last)
  for (const pattern of [/^day(\d)$/, /^-(\d+)$/, /^\+(\d+)$/]) {
    const [a, b] = [pattern.exec(from), pattern.exec(to)]
    if (a !== null && b !== null) return Number(b[1]) - Number(a[1])
  }
  const [a, b] = [/^(\d+)-(\d+)$/.exec(from), /^(\d+)-(\d+)$/.exec(to)]
  return a !== null && b !== null ? (Number(b[1]) - Number(a[1])) * 31 + Number(b[2]) - Number(a[2]) : null
}

type Time = Extract<Value, { type: 'time' }>

/** Minutes of a time without am or pm: nearest to the time asked for, else to the other, else the usual half. */
function minutesOf(mandate: Mandate, time: Time, other: Time): number {
  if (time.exact) return time.minutes
  const asked = mandate.asked.find((value): value is Time => value.type === 'time' && value.exact)
  const anchor =
    asked ??
    [...mandate.ordered, ...mandate.said]
      .flatMap(({ bounds }) => bounds.map(({ value }) => value))
      .find((value): value is Time => value.type === 'time' && value.exact)
  const near = anchor ?? (other.exact && !mandate.isEvening ? other : undefined)
  if (near === undefined)
    return time.minutes >= 720 || time.minutes < 60 || (time.minutes >= 480 && !mandate.isEvening)
      ? time.minutes
      : time.minutes + 720
  const later = (time.minutes + 720) % 1440
  return Math.abs(later - near.minutes) < Math.abs(time.minutes - near.minutes) ? later : time.minutes
}

type Money = Extract<Value, { type: 'money' }>

function isComparablePrice(mandate: Mandate, from: Money, value: Money): boolean {
  if (from.currency !== '' && value.currency !== '' && from.currency !== value.currency) return false
  if (from.per === value.per || value.per === undefined) return true
  if (from.per !== undefined || value.per === 'total') return from.per === undefined
  // 40 dollars per person are 160 for four.
  const several = mandate.asked.some((asked) => asked.type === 'count' && asked.count > 1)
  return !several
}

/** Exactly the value asked for: same currency, day and half of the day. */
function isSame(mandate: Mandate, asked: Value, value: Value): boolean {
  if (asked.type === 'money' && value.type === 'money')
    return isComparablePrice(mandate, asked, value) && asked.amount === value.amount
  if (asked.type === 'date' && value.type === 'date') return sameDay(asked.key, value.key)
  if (asked.type === 'time' && value.type === 'time')
    return minutesOf(mandate, asked, value) === minutesOf(mandate, value, asked)
  if (asked.type === 'count' && value.type === 'count')
    return asked.count === value.count && (asked.unit === value.unit || asked.unit === '' || value.unit === '')
  return asked.type === 'percent' && value.type === 'percent' && asked.percent === value.percent
}
