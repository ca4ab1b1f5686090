import { extract, sameValue, sayValue, type Value } from './hearing/extract.ts'
import { LEXICONS } from './hearing/lexicons.ts'
import { clausesOf, fold, plain, shorten, withoutFinalStop } from './hearing/text.ts'
import type { Understanding } from './hearing/understand.ts'
import type { Spoken } from './memory.ts'
import type { Topic } from './topic.ts'

/** Something else than what was asked for. */
export interface Proposal {
  readonly values: readonly Value[]
  /** What would be agreed: "a table at 8 pm". */
  readonly result: string
}

/** What the callee offers instead, if anything: "not at seven, but eight is free". */
export function proposalIn(heard: Understanding, topic: Topic, language: Spoken): Proposal | null {
  const clauses = clausesOf(heard.text, LEXICONS[language].joiner)
  const offered = clauses
    .filter((clause) => !isRefused(clause, language))
    .flatMap((clause) => shiftedFrom(clause, topic) ?? extract(clause, language, topic.expecting))
    .filter((value) => negotiable(value, topic))
    .map((value) => nearestTo(topic.wants, value))
  const other = offered.filter((value) => !topic.wants.some((want) => sameValue(want, value)))
  // Said beside a yes, what was not asked about is a condition or a detail.
  const different = bestOfEach(
    agreesAtOnce(heard) ? other.filter(({ type }) => topic.wants.some((want) => want.type === type)) : other,
    topic,
  )
  if (different.length > 0) return { values: different, result: resultOf(topic, different, language) }
  if (offered.length > 0 || heard.answer === 'yes') return null
  return thingOffered(clauses, heard, language)
}

/** "Yes, but..."; "we have Wednesday" agrees to nothing yet. */
function agreesAtOnce({ answer, plain: words }: Understanding): boolean {
  return (
    answer === 'yes' &&
    /^(?:yes|yeah|yep|yup|sure|of course|ok|okay|certainly|absolutely|definitely|fine|right|si|claro|vale|por supuesto|oui|d'accord|bien sur|ja|gern|gerne|klar|naturlich)\b/.test(
      words,
    )
  )
}

const SHIFTS: readonly (readonly [RegExp, number])[] = [
  [/\bhalf an hour|a half hour|media hora|une demi-heure|eine halbe stunde\b/i, 30],
  [/\b(?:an|one) hour and a half|hora y media|une heure et demie|anderthalb stunden\b/i, 90],
  [/\b(?:a )?quarter of an hour|un cuarto de hora|un quart d'heure|eine viertelstunde\b/i, 15],
  [/\b(?:an|one) hour|una hora|une heure|eine stunde\b/i, 60],
  [/\btwo hours|dos horas|deux heures|zwei stunden\b/i, 120],
]
const LATER = /\b(?:later|after(?: that)?|más tarde|después|plus tard|später)(?!\p{L})/iu
const EARLIER = /\b(?:earlier|sooner|before(?: that)?|antes|plus tôt|früher)(?!\p{L})/iu

/** "Half an hour later" is a time, seen from the one that was asked for. */
function shiftedFrom(clause: string, topic: Topic): Value[] | null {
  const want = topic.wants.find(({ type }) => type === 'time')
  const sign = LATER.test(clause) ? 1 : EARLIER.test(clause) ? -1 : 0
  if (want?.type !== 'time' || sign === 0) return null
  const minutes = SHIFTS.find(([pattern]) => pattern.test(clause))?.[1] ?? minutesIn(clause)
  return minutes === null ? null : [{ ...want, minutes: (want.minutes + sign * minutes + 1440) % 1440 }]
}

function minutesIn(clause: string): number | null {
  const count = extract(clause, 'en').find((value) => value.type === 'count' && /^(?:minute|hour)$/.test(value.unit))
  if (count?.type !== 'count') return null
  return count.unit === 'hour' ? count.count * 60 : count.count
}

/** Of several times the one nearest to what was wanted; of several prices the last, which people come down to. */
function bestOfEach(values: readonly Value[], topic: Topic): Value[] {
  const types = [...new Set(values.map(({ type }) => type))]
  return types.flatMap((type) => {
    const same = values.filter((value) => value.type === type)
    const want = topic.wants.find((candidate) => candidate.type === 'time')
    if (type !== 'time' || want?.type !== 'time') return type === 'money' ? same.slice(-1) : same.slice(0, 1)
    const distance = (value: Value): number => (value.type === 'time' ? Math.abs(value.minutes - want.minutes) : 0)
    return same.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1)
  })
}

/** Names, telephone numbers and lengths of time are no alternatives to what was asked. */
function negotiable(value: Value, topic: Topic): boolean {
  if (value.type === 'digits' || value.type === 'name') return false
  if (value.type === 'count') return topic.wants.some((want) => want.type === 'count' && (want.unit === value.unit || value.unit === ''))
  if (value.type === 'time' || value.type === 'date')
    return topic.wants.some(({ type }) => type === 'time' || type === 'date') || topic.expecting === 'time'
  // A price is always worth weighing, whether or not one was asked about.
  return value.type === 'money' || topic.wants.some(({ type }) => type === value.type) || topic.expecting === value.type
}

const NOT_BEFORE =
  /\b(?:not|n't|nothing|no|nicht|pas|no hay)\b.*\b(?:before|until|till|earlier than|under|less than|below|vor|unter|avant|antes de)\b/

function isRefused(clause: string, language: Spoken): boolean {
  const words = plain(clause)
  if (NOT_BEFORE.test(fold(clause))) return false
  const { impossible, no, yes } = LEXICONS[language]
  return impossible.test(words) || (no.test(words) && !yes.test(words.replace(new RegExp(no, 'gu'), ' ')))
}

/** "Eight" beside a table at 7 pm is 8 pm. A price without a currency is in the one that was named. */
function nearestTo(wants: readonly Value[], value: Value): Value {
  if (value.type === 'time' && !value.exact) {
    const want = wants.find((candidate) => candidate.type === 'time' && candidate.exact)
    if (want?.type !== 'time') return value
    const later = (value.minutes + 720) % 1440
    const near = Math.abs(later - want.minutes) < Math.abs(value.minutes - want.minutes) ? later : value.minutes
    return { ...value, minutes: near, exact: true }
  }
  if (value.type === 'money' && value.currency === '') {
    const want = wants.find(({ type }) => type === 'money')
    return want?.type === 'money' ? { ...value, currency: want.currency } : value
  }
  return value
}

/** The subject with what was wanted replaced by what is offered; only the offer where it does not fit in. */
function resultOf(topic: Topic, offered: readonly Value[], language: Spoken): string {
  const inSubject = extract(topic.subject, topic.language, topic.expecting).map(({ type }) => type)
  let result = topic.subject
  for (const value of offered) {
    const want = topic.wants.find(
      (candidate) =>
        candidate.type === value.type && (value.type !== 'count' || candidate.type !== 'count' || candidate.unit === value.unit),
    )
    const words = want === undefined || want.type === 'count' ? null : wordsFor(want, topic)
    const said = sayValue(value, language)
    if (words !== null) result = result.replace(words, said)
    else if (inSubject.includes(value.type) || inSubject.includes('percent')) return listed(offered, language)
    else result = `${result} ${linkFor(value, language)}${said}`
  }
  return result
}

/** "Saturday at 8 pm" */
export function listed(values: readonly Value[], language: Spoken): string {
  return [...new Set(values.map((value) => sayValue(value, language)))]
    .join(language === 'en' ? ' at ' : ', ')
    .replace(/^(\S+ (?:am|pm)) at (.+)$/, '$2 at $1')
}

function linkFor(value: Value, language: Spoken): string {
  if (language !== 'en') return ''
  if (value.type === 'time') return 'at '
  if (value.type === 'money') return 'for '
  return value.type === 'date' && /^(?:tomorrow|today|tonight|next|this)/.test(value.said) ? '' : 'on '
}

const UNITS = /^(?:am|pm|a\.m\.|p\.m\.|o'clock|uhr|h|heures?|horas?|euros?|dollars?|pounds?|percent|prozent)$/i

/** The words that name a value: "half past seven" in "a table at half past seven". */
function wordsFor(want: Value, { subject, expecting, language }: Topic): string | null {
  const words = subject.split(' ')
  const part = (start: number, length: number): string => words.slice(start, start + length).join(' ')
  for (let length = 1; length <= Math.min(words.length, 6); length += 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const values = extract(part(start, length), language, expecting)
      if (values.length !== 1 || JSON.stringify(values[0]) !== JSON.stringify(want)) continue
      return part(start, UNITS.test(words[start + length] ?? '') ? length + 1 : length)
    }
  }
  return null
}

const OFFERED_WORDS_MAX = 10

/** An alternative without a number in it: "but we have a table outside". */
function thingOffered(clauses: readonly string[], heard: Understanding, language: Spoken): Proposal | null {
  if (heard.needs.length > 0 || heard.intents.has('dont_know') || heard.intents.has('hold')) return null
  for (const clause of clauses.toReversed()) {
    if (isRefused(clause, language)) continue
    for (const pattern of LEXICONS[language].offers) {
      const thing = withoutFinalStop(pattern.exec(clause.toLowerCase())?.[1] ?? '')
      if (thing.split(' ').length > OFFERED_WORDS_MAX || /^(?:that|this|it|you|me|us|so|them|do|be|help|he|she|they|we|i)?$/.test(thing))
        continue
      return { values: [], result: shorten(thing, OFFERED_WORDS_MAX) }
    }
  }
  return null
}
