import { knownFrom } from '../conversation/context-entries.ts'
import type { Expecting, Value } from '../hearing/extract.ts'
import { fold } from '../hearing/text.ts'
import type { Spoken } from '../memory.ts'
import { countable } from './bounds.ts'
import { joined, NO_LIMITS, type Bound, type Limits } from './limits.ts'
import { readNote } from './reading.ts'
import { EVERYTHING, isWhole, restrictionAt, touchedBy } from './whole.ts'

export function readContext(context: Readonly<Record<string, unknown>>, language: Spoken, hint: Expecting): Limits {
  return joined(knownFrom(context).map(({ key, value }) => fromEntry(key, value, language, hint)))
}

/** A value with further words grants nothing. */
function fromEntry(key: string, value: string, language: Spoken, hint: Expecting): Limits {
  const read = (expecting: Expecting): readonly Value[] | null =>
    isWhole(fold(value), language, expecting) ? countable(value, language, expecting) : null
  const doubt = (values: readonly Value[] | null): Limits => ({
    ...NO_LIMITS,
    doubtful: values === null ? touchedBy(fold(value), countable(value, language, hint), language) : [],
  })
  const bound = (side: Bound['side'], expecting: Expecting): Limits => {
    const values = read(expecting)
    const found = values?.[0]
    return found === undefined || values?.length !== 1
      ? doubt(values)
      : { ...NO_LIMITS, bounds: [{ side, strict: false, value: found }] }
  }
  const accepted = (): Limits => {
    const values = read('time')
    return values === null ? doubt(values) : { ...NO_LIMITS, accepted: values.map((one) => [one]) }
  }
  if (DENYING.test(key) && !/\b(?:not|no) (?:after|before|later|earlier)\b/.test(key)) {
    const values = countable(value, language, hint)
    const doubtful = values.length === 0 ? EVERYTHING : touchedBy(fold(value), values, language)
    return { ...NO_LIMITS, refused: values, doubtful }
  }
  if (/flexib|alternativ/.test(key)) {
    if (/^(?:no|none|false|never)\b/i.test(value)) return { ...NO_LIMITS, firm: EVERYTHING }
    if (/^(?:yes|true|very|fully)(?: flexible)?[.!]?$/i.test(value))
      return { ...NO_LIMITS, free: [/da(?:te|y)/.test(key) ? 'date' : 'time'] }
    return accepted()
  }
  if (/acceptable|also possible|second choice|fallback/.test(key)) return accepted()
  if (/latest|no later|not after/.test(key)) return bound('most', 'time')
  if (/earliest|not before|no earlier/.test(key)) return bound('least', 'time')
  if (/min\w* discount|discount min|lowest discount/.test(key)) return bound('least', 'percent')
  if (/max|budget|limit|ceiling|up to/.test(key) && !/people|guests|minutes|distance/.test(key))
    return bound('most', 'money')
  const note = readNote(value, language, hint)
  // A fact that names a day is no rule; a text in the form of a rule is.
  if (isRule(key) || restrictionAt(fold(value), language) >= 0) return note
  return { ...note, doubtful: ENDS.test(key) ? touchedBy('', countable(value, language, hint), language) : [] }
}

const DENYING =
  /\b(?:not|no|non|never|un(?:acceptable|available|suitable)|inflexible|inacceptable|avoid|except\w*|exclud\w*|refus\w*|without|bad|worst)\b/

const ENDS = /curfew|deadline|\bends?\b|clos|leav|depart|train|flight|\bbus\b|home|meeting/

function isRule(key: string): boolean {
  return /note|comment|instruct|rule|limit|remark|condition|import|wish|prefer/.test(key)
}
