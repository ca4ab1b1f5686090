import type { LiveCall } from '../calls/call.ts'
import { Refusal } from './errors.ts'

const PAGE_DEFAULT = 50
const PAGE_MAX = 1000
const DAY_MS = 24 * 3_600_000

/** One page of a list in the shape of the 2010 API; `name` is the field of its items. */
export function page<T>(
  name: string,
  path: string,
  query: URLSearchParams,
  items: readonly T[],
  show: (item: T) => unknown,
): Readonly<Record<string, unknown>> {
  const size = numberOf(query, 'PageSize', PAGE_DEFAULT, 1, PAGE_MAX)
  const at = numberOf(query, 'Page', 0, 0, 1_000_000)
  const start = at * size
  const shown = items.slice(start, start + size)
  const uriOf = (number: number) => {
    const asked = new URLSearchParams(query)
    asked.set('PageSize', String(size))
    asked.set('Page', String(number))
    return `${path}?${asked.toString()}`
  }
  return {
    [name]: shown.map(show),
    first_page_uri: uriOf(0),
    next_page_uri: start + size < items.length ? uriOf(at + 1) : null,
    previous_page_uri: at > 0 ? uriOf(at - 1) : null,
    uri: uriOf(at),
    page: at,
    page_size: size,
    start,
    end: Math.max(start, start + shown.length - 1),
  }
}

/** The calls that a query asks for, newest first. */
export function filtered(calls: Iterable<LiveCall>, query: URLSearchParams): LiveCall[] {
  const equals = (name: string, value: string | null) => !query.has(name) || query.get(name) === value
  const started = timesOf(query, 'StartTime')
  const ended = timesOf(query, 'EndTime')
  return [...calls]
    .filter(
      (call) =>
        equals('To', call.to) &&
        equals('From', call.from) &&
        equals('Status', call.status) &&
        equals('ParentCallSid', call.order.parent) &&
        started(call.startedAt) &&
        ended(call.endedAt),
    )
    .toReversed()
}

/** The filters `Name`, `Name<` and `Name>` of a time; a date without a time is the whole day. */
function timesOf(query: URLSearchParams, name: string): (at: Date | null) => boolean {
  const bounds = ['', '<', '>'].flatMap((sign) => {
    const text = query.get(name + sign)
    return text === null ? [] : [{ sign, atMs: timeOf(name, text), isDay: /^\d{4}-\d{2}-\d{2}$/.test(text) }]
  })
  return (at) =>
    bounds.every(({ sign, atMs, isDay }) => {
      if (!at) return false
      // Dates are shown in whole seconds.
      const whole = Math.floor(at.getTime() / 1000) * 1000
      if (sign === '<') return whole < atMs
      if (sign === '>') return whole >= atMs
      return whole >= atMs && whole < atMs + (isDay ? DAY_MS : 1000)
    })
}

function timeOf(name: string, text: string): number {
  const atMs = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(atMs)) throw new Refusal(20001, `${name} is not a date as YYYY-MM-DD.`)
  return atMs
}

function numberOf(query: URLSearchParams, name: string, otherwise: number, least: number, most: number): number {
  const value = Number(query.get(name) ?? otherwise)
  if (!Number.isSafeInteger(value) || value < least) throw new Refusal(20001, `${name} is not valid.`)
  return Math.min(value, most)
}
