import { isDeepStrictEqual } from 'node:util'
import { extract, marked, sameDay, sayValue, type Value } from '../hearing/extract.ts'
import { LEXICONS } from '../hearing/lexicons.ts'
import { clausesOf, fold, plain, shorten, withoutFinalStop } from '../hearing/text.ts'
import type { Understanding } from '../hearing/understand.ts'
import { hintOf, type Mandate } from '../mandate/mandate.ts'
import { isAsked, permits } from '../mandate/permits.ts'
import { isRange } from '../mandate/whole.ts'
import type { Spoken } from '../memory.ts'
import type { Topic } from '../topic.ts'
import { lowerFirst } from '../wording/english-grammar.ts'
import { isStatement } from '../wording/statement.en.ts'

/** One of the offered alternatives. */
export interface Option {
  readonly values: readonly Value[]
  /** The agreement that it would be: "a table at 8 pm". */
  readonly result: string
  /** The same in a few words, for use beside what was asked for. */
  readonly offer: string
}

/**
 * The alternatives that the callee offers: "not at seven, but eight or nine is free". May include what was asked for.
 */
export function optionsIn(heard: Understanding, topic: Topic, mandate: Mandate, language: Spoken): Option[] {
  const clauses = clausesOf(heard.text.replace(INSTEAD_OF, ''), LEXICONS[language].joiner).filter(
    (clause) => !isRefused(clause, language),
  )
  const offered = clauses
    .flatMap((clause) =>
      withoutDetails(
        shiftedFrom(clause, topic) ?? extract(clause, language, hintOf(topic.wants, topic.expecting)),
        topic,
      ),
    )
    .filter((value) => negotiable(value, topic, mandate))
    .map((value) => nearestTo(namedIn(topic, mandate), value))
  const distinct = offered.filter((value, at) => offered.findIndex((one) => isDeepStrictEqual(one, value)) === at)
  // Beside a yes, a value that was not asked about is a detail, unless it is a price.
  const counted = agreesAtOnce(heard)
    ? distinct.filter(({ type }) => type === 'money' || concerns(type, topic, mandate))
    : distinct
  const options = packagesOf(counted).map((values) => optionOf(topic, mandate, values, language))
  if (options.some(({ values }) => permits(mandate, values) !== 'as_asked')) return options
  if (offered.length > 0 || (heard.answer === 'yes' && !speaksOfOther(heard, language))) return []
  return thingOffered(clauses, heard, language)
}

/** Whether the callee names what was asked for as possible. */
export function namesAsked(heard: Understanding, topic: Topic, mandate: Mandate, language: Spoken): boolean {
  if (heard.question) return false
  const named = extract(heard.text, language, hintOf(topic.wants, topic.expecting)).map((value) =>
    nearestTo(namedIn(topic, mandate), value),
  )
  return named.some((value) => isAsked(mandate, value))
}

const AROUND =
  /\b(?:at|on|for|then|well|so|it|is|it's|say|the|please|okay|only|just|and|a|las?|el|los|para|entonces|pour|alors|le|um|am|den|dann|nur)\b|[^\p{L}]/gu

/** Whether something is offered, rather than only named. */
export function isPutForward(text: string, language: Spoken): boolean {
  if (marked(text, language, 'time').replace(AROUND, '') === '') return true
  return LEXICONS[language].offers.some((pattern) => pattern.test(fold(text)))
}

const INSTEAD_OF = /\b(?:instead of|rather than|in place of|en (?:vez|lugar) de|au lieu de|anstatt|statt)\s[^,.;!?]+/gi

/** In "six or eight on Saturday" both are on Saturday; of several prices the last counts, as callees come down. */
function packagesOf(values: readonly Value[]): Value[][] {
  const types = [...new Set(values.map(({ type }) => type))]
  const columns = types.map((type) => {
    const same = values.filter((value) => value.type === type)
    return type === 'money' ? same.slice(-1) : same
  })
  const count = Math.max(0, ...columns.map(({ length }) => length))
  return Array.from({ length: count }, (_, at) =>
    columns.flatMap((column) =>
      column.length === 1 || column.length === count ? [column[column.length === 1 ? 0 : at]] : column,
    ),
  ).map((row) => row.filter((value): value is Value => value !== undefined))
}

/** "Saturday the 21st" is one day, and the one asked for where Saturday was. */
function withoutDetails(values: Value[], { wants }: Topic): Value[] {
  const isWanted = (value: Value): boolean =>
    value.type === 'date' && wants.some((want) => want.type === 'date' && sameDay(want.key, value.key))
  if (!values.some(isWanted)) return values
  const [wanted] = values.filter(isWanted)
  const isWeekday = (value: Value): boolean => value.type === 'date' && value.key.startsWith('day')
  return values.filter(
    (value) =>
      value.type !== 'date' || isWanted(value) || (wanted !== undefined && isWeekday(value) === isWeekday(wanted)),
  )
}

const OTHER: Readonly<Record<Spoken, RegExp>> = {
  en: /\b(?<!see you )(?<!talk )(?:later|earlier|sooner|another (?:day|time|date|room|table|place|branch|one)|(?:an)?other (?:day|time|date|branch|place|room|table)s?|different|smaller|bigger|larger|instead|outside|outdoors|terrace|patio|at the bar|waiting list|next (?:week|month|day))\b/,
  es: /\b(?:mas tarde|mas temprano|otro (?:dia|sitio)|otra (?:hora|fecha|mesa)|en cambio|terraza|fuera|lista de espera)\b/,
  fr: /\b(?:plus tard|plus tot|un autre (?:jour|endroit)|une autre (?:heure|date|table)|terrasse|dehors|liste d'attente)\b/,
  de: /\b(?:spater|fruher|einen? anderen? (?:tag|zeit|termin|tisch)|stattdessen|terrasse|draussen|warteliste)\b/,
}

/** Whether a yes is about something else: "a bit later would be fine". */
function speaksOfOther({ plain: words }: Understanding, language: Spoken): boolean {
  return OTHER[language].test(words)
}

/** Values as the order names them: a missing currency or half of the day is taken from there. */
function namedIn({ wants }: Topic, { ordered }: Mandate): Value[] {
  return [...wants, ...ordered.flatMap(({ bounds }) => bounds.map(({ value }) => value))]
}

/** Whether the order asks about or limits this type of value. */
function concerns(type: Value['type'], { wants, expecting }: Topic, mandate: Mandate): boolean {
  if (wants.some((want) => want.type === type) || expecting === type) return true
  return mandate.ordered.some(({ bounds }) => bounds.some(({ value }) => value.type === type))
}

/** "Yes, but..."; "we have Wednesday" agrees to nothing yet. */
export function agreesAtOnce({ answer, plain: words }: Understanding): boolean {
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

/** "Half an hour later", relative to the time asked for. */
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

/** Names, phone numbers and durations are no alternatives. */
function negotiable(value: Value, topic: Topic, mandate: Mandate): boolean {
  if (value.type === 'digits' || value.type === 'name') return false
  if (value.type === 'count')
    return topic.wants.some((want) => want.type === 'count' && (want.unit === value.unit || value.unit === ''))
  if (value.type === 'time' || value.type === 'date')
    return topic.expecting === 'time' || concerns('time', topic, mandate) || concerns('date', topic, mandate)
  // A price is always weighed, even if none was asked about.
  return value.type === 'money' || concerns(value.type, topic, mandate) || mandate.isPriced
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

const NAMELY: Readonly<Record<Spoken, string>> = {
  en: ', namely ',
  es: ', en concreto ',
  fr: ', à savoir ',
  de: ', und zwar ',
}

export function optionOf(topic: Topic, mandate: Mandate, named: readonly Value[], language: Spoken): Option {
  const values = named.map((value) => nearestTo(namedIn(topic, mandate), value))
  const result = resultOf(topic, mandate, values, language)
  const isEmbedded = isStatement(topic.text) || result.includes(NAMELY[language])
  const other = values.filter((value) => !isAsked(mandate, value))
  return { values, result, offer: isEmbedded && other.length > 0 ? listed(other, language) : result }
}

function thing(words: string): Option {
  const result = shorten(
    /^(?:At|On|In|Only|With|Outside|The|A|An|Our|By)\b/.test(words) ? lowerFirst(words) : words,
    OFFERED_WORDS_MAX,
  )
  return { values: [], result, offer: result }
}

/**
 * The subject with the offered value in place of the wanted one; if it does not fit, the thing followed by the offer.
 */
function resultOf(topic: Topic, mandate: Mandate, offered: readonly Value[], language: Spoken): string {
  const inSubject = extract(topic.subject, topic.language, topic.expecting).map(({ type }) => type)
  const different = offered.filter((one) => !isAsked(mandate, one))
  const isTwice = offered.some(({ type }) => inSubject.filter((one) => one === type).length > 1)
  if (isTwice && permits(mandate, offered) !== 'as_asked') {
    const range = isRange(fold(topic.subject), topic.language, topic.expecting)
    return `${range ? thingOf(topic) : ''} ${range ? linkFor(offered[0] ?? null, language) : ''}${listed(offered, language)}`.trim()
  }
  if (mandate.isRemoval || ANY_TIME.test(topic.subject)) return listed(offered, language)
  let result = topic.subject
  for (const value of different) {
    const want = topic.wants.find(
      (candidate) =>
        candidate.type === value.type &&
        (value.type !== 'count' || candidate.type !== 'count' || candidate.unit === value.unit),
    )
    const words = want === undefined || want.type === 'count' ? null : wordsFor(want, topic)
    const said = sayValue(value, language)
    if (words !== null)
      result = result.replace(words, `${/^(?:at|by|around|for|a las?|um|à) /i.exec(words)?.[0] ?? ''}${said}`)
    else if (value.type === 'money' && inSubject.includes('money')) result = `${result}${NAMELY[language]}${said}`
    else if (inSubject.includes(value.type) || inSubject.includes('percent') || value.type === 'percent')
      return listed(offered, language)
    else result = `${result} ${linkFor(value, language)}${said}`
  }
  return result
}

const ANY_TIME = /^(?:any|whatever) ?(?:time|day|hour|date)\b|\bany time\b/i
const LINKS =
  /(?:[\s,]+(?:at|on|from|between|by|for|until|till|around|before|after|and|a|las?|de|del|desde|entre|le|um|am|von|zwischen|den))+$/i

/** "A table" of "a table from 7 to 8:30". */
function thingOf({ subject, language, expecting }: Topic): string {
  const words = subject.split(' ')
  const named = words.findIndex((_, at) => extract(words.slice(0, at + 1).join(' '), language, expecting).length > 0)
  return words
    .slice(0, named < 0 ? words.length : named)
    .join(' ')
    .replace(LINKS, '')
}

const PEOPLE: Readonly<Record<Spoken, string>> = { en: 'people', es: 'personas', fr: 'personnes', de: 'Personen' }

/** "Saturday at 8 pm" */
export function listed(values: readonly Value[], language: Spoken): string {
  const said = (value: Value): string =>
    value.type === 'count' && value.unit === 'people' ? `${value.count} ${PEOPLE[language]}` : sayValue(value, language)
  return [...new Set(values.map(said))]
    .join(language === 'en' ? ' at ' : ', ')
    .replace(/^(\S+ (?:am|pm)) at (.+)$/, '$2 at $1')
}

function linkFor(value: Value | null, language: Spoken): string {
  if (language !== 'en' || value === null) return ''
  if (value.type === 'time') return 'at '
  if (value.type === 'money') return 'for '
  if (value.type === 'percent') return ''
  return value.type === 'date' && /^(?:tomorrow|today|tonight|next|this)/.test(value.said) ? '' : 'on '
}

const UNITS = /^(?:am|pm|a\.m\.|p\.m\.|o'clock|uhr|h|heures?|horas?|euros?|dollars?|pounds?|percent|prozent)$/i

/** The words that name a value: "half past seven" in "a table at half past seven". */
function wordsFor(want: Value, { subject, expecting, language }: Topic): string | null {
  const words = subject.split(' ')
  const wordsFrom = (start: number, length: number): string => words.slice(start, start + length).join(' ')
  for (let length = 1; length <= Math.min(words.length, 6); length += 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const values = extract(wordsFrom(start, length), language, expecting)
      if (
        values.length !== 1 ||
        values[0] === undefined ||
        !isDeepStrictEqual(withoutUnit(values[0]), withoutUnit(want))
      )
        continue
      return wordsFrom(start, UNITS.test(words[start + length] ?? '') ? length + 1 : length)
    }
  }
  return null
}

/** "120 euros" names the price of a night where "a night" follows. */
function withoutUnit(value: Value): Value {
  return value.type === 'money' ? { type: 'money', amount: value.amount, currency: value.currency } : value
}

const OFFERED_WORDS_MAX = 10
/** Words of agreement around an offer: "yes, at our other branch", "at our other branch, yes". */
const SAYS_YES = /^(?:yes|yeah|sure|well|okay|sí|oui|ja|gerne)[,.!]? |[,.]? (?:yes|yeah|sure|please|sí|oui|ja)[.!]?$/gi

/** An alternative without a number in it: "but we have a table outside". */
function thingOffered(clauses: readonly string[], heard: Understanding, language: Spoken): Option[] {
  if (heard.needs.length > 0 || heard.intents.has('dont_know') || heard.intents.has('hold')) return []
  for (const clause of clauses.toReversed()) {
    for (const pattern of LEXICONS[language].offers) {
      const offered = withoutFinalStop(pattern.exec(clause.toLowerCase())?.[1] ?? '')
      if (
        offered.split(' ').length > OFFERED_WORDS_MAX ||
        /^(?:that|this|it|you|me|us|so|them|do|be|help|he|she|they|we|i)?$/.test(offered)
      )
        continue
      return [thing(offered)]
    }
  }
  const text = withoutFinalStop(heard.text.replace(SAYS_YES, ''))
  return speaksOfOther(heard, language) && heard.answer !== 'no' && !heard.question ? [thing(text)] : []
}
