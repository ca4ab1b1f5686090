import { isDeepStrictEqual } from 'node:util'
import { extract, marked, type Expecting, type Value } from '../hearing/extract.ts'
import type { Spoken } from '../memory.ts'
import type { Bound } from './limits.ts'
import { LIMIT_WORDS } from './words.ts'

/** Half an hour, for "around seven" and "a bit later". */
export const NEAR_MINUTES = 30
/** Largest distance in words between a bound and its value. */
const WORDS_MAX = 6

const OF_TIME =
  /\b(?:lat\w+|earl\w+|sooner|before|after|until|till?|by|tarde|antes|despues|tard|avant|apres|spat\w+|fruh\w+|vor|nach)\b/

export interface Bounded {
  readonly bounds: readonly Bound[]
  /** The clause without its bounds. */
  readonly rest: string
}

interface Found {
  readonly value: Value
  readonly length: number
}

export function countable(text: string, language: Spoken, hint: Expecting): Value[] {
  return extract(text, language, hint).filter(({ type }) => type !== 'digits' && type !== 'name')
}

/** The clause without the value that ends at a place in it. */
function withoutLast(clause: string, end: number, value: Value, language: Spoken, hint: Expecting): string {
  const starts = [...clause.slice(0, end).matchAll(/\S+/g)].map(({ index }) => index)
  const start = starts.findLast((at) =>
    isDeepStrictEqual(countable(` ${clause.slice(at, end)}`, language, hint)[0], value),
  )
  return start === undefined ? clause : `${clause.slice(0, start)} ${clause.slice(end)}`
}

const LINKED = /^(?:(?:at|on|about|around|a|an|the|of|say|only|las?|el|los|de|um|am|den|dem|le|vers|gegen) )*§/

/** The value at the start of a text, and the length that names it. */
function valueAtStart(text: string, language: Spoken, hint: Expecting): Found | null {
  const lengths = [...text.matchAll(/\S+/g)].slice(0, WORDS_MAX).map((match) => match.index + match[0].length)
  const read = (length: number): Value | undefined => countable(` ${text.slice(0, length)}`, language, hint)[0]
  const value = read(lengths.at(-1) ?? 0)
  if (value === undefined) return null
  const length = lengths.find((end) => isDeepStrictEqual(read(end), value))
  // A word between the two must not be skipped: "until my wife is home at 9".
  if (length !== undefined && !LINKED.test(marked(text.slice(0, length), language, hint))) return null
  // Includes the unit, even where the number alone would do.
  const whole = lengths.findLast((end) => end > (length ?? 0) && marked(text.slice(0, end), language, hint) === '§')
  return length === undefined ? null : { value, length: whole ?? length }
}

/** Bounds in a folded clause: "up to half past eight", "between 7 and 8", "120 dollars at most". */
export function boundsIn(clause: string, language: Spoken, hint: Expecting): Bounded {
  const words = LIMIT_WORDS[language]
  const bounds: Bound[] = []
  let rest = takeBetween(clause, language, hint, bounds)
  const before: readonly (readonly [RegExp, Bound['side'] | 'near', boolean])[] = [
    [words.least, 'least', false],
    [words.most, 'most', false],
    [words.leastStrict, 'least', true],
    [words.mostStrict, 'most', true],
    [words.around, 'near', false],
  ]
  for (const [pattern, side, strict] of before) {
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      const end = match.index + match[0].length
      const expecting = OF_TIME.test(match[0]) ? 'time' : hint
      const found = valueAtStart(rest.slice(end).split(/\bbut\b/)[0] ?? '', language, expecting)
      if (found === null) break
      bounds.push(...(side === 'near' ? around(found.value) : [{ side, strict, value: found.value }]))
      rest = `${rest.slice(0, match.index)} ${rest.slice(end + found.length)}`
    }
  }
  for (const [pattern, side] of [
    [words.leastAfter, 'least'],
    [words.mostAfter, 'most'],
  ] as const) {
    const match = pattern.exec(rest)
    const value = match === null ? undefined : countable(rest.slice(0, match.index), language, hint).at(-1)
    if (match === null || value === undefined) continue
    bounds.push({ side, strict: false, value })
    rest = `${withoutLast(rest.slice(0, match.index), match.index, value, language, hint)} ${rest.slice(match.index + match[0].length)}`
  }
  return { bounds, rest: rest.replace(/\s+/g, ' ').trim() }
}

function takeBetween(clause: string, language: Spoken, hint: Expecting, bounds: Bound[]): string {
  const match = LIMIT_WORDS[language].between.exec(clause)
  const to = match === null ? null : valueAtStart(match[2] ?? '', language, hint ?? 'time')
  if (match === null || to === null) return clause
  const type = to.value.type
  const expecting = type === 'time' || type === 'money' || type === 'percent' || type === 'count' ? type : null
  const from = countable(match[1] ?? '', language, expecting)[0]
  if (from?.type !== type) return clause
  bounds.push(
    { side: 'least', strict: false, value: alike(from, to.value) },
    { side: 'most', strict: false, value: to.value },
  )
  return `${clause.slice(0, match.index)} ${(match[2] ?? '').slice(to.length)}`
}

/** In "between 7 and 8:30 pm" both are in the evening, in "between 100 and 120 dollars" both are dollars. */
function alike(from: Value, to: Value): Value {
  if (from.type === 'time' && to.type === 'time' && to.exact && !from.exact) {
    const later = from.minutes + 720
    return { ...from, minutes: later <= to.minutes && later < 1440 ? later : from.minutes, exact: true }
  }
  if (from.type === 'money' && to.type === 'money' && from.currency === '') return { ...to, amount: from.amount }
  return from.type === 'count' && to.type === 'count' ? { ...from, unit: to.unit } : from
}

function around(value: Value): Bound[] {
  if (value.type !== 'time') return []
  return (['least', 'most'] as const).map((side) => ({
    side,
    strict: false,
    value: shifted(value, side === 'most' ? NEAR_MINUTES : -NEAR_MINUTES),
  }))
}

export function shifted(value: Extract<Value, { type: 'time' }>, minutes: number): Value {
  return { ...value, minutes: (value.minutes + minutes + 1440) % 1440 }
}
