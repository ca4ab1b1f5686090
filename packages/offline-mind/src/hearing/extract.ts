import type { Spoken } from '../memory.ts'
import { CALENDARS, type Calendar } from './calendar.ts'
import { withDigits } from './numerals.ts'
import { capitalize } from './text.ts'

export type Value =
  /** minutes of the day; exact when the half of the day was said. */
  | { readonly type: 'time'; readonly minutes: number; readonly exact: boolean }
  | { readonly type: 'date'; readonly key: string; readonly said: string }
  /** per: a night, a person; total where it was said to be all of it. */
  | { readonly type: 'money'; readonly amount: number; readonly currency: string; readonly per?: string }
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'count'; readonly count: number; readonly unit: string }
  | { readonly type: 'digits'; readonly digits: string }
  | { readonly type: 'name'; readonly name: string }
export type ValueType = Value['type']

/** The kind of value assumed for a number without a unit. */
export type Expecting = 'time' | 'money' | 'percent' | 'count' | null

interface Sheet {
  rest: string
  readonly found: { readonly at: number; readonly value: Value }[]
}

/** "A big brown one" counts nothing. */
const NO_NUMBER =
  /\b((?:an?|the|this|that|which|each|every|another|no)(?: (?!at\b|for\b|by\b|from\b|to\b|until\b|of\b|is\b|about\b|around\b|after\b|before\b)[a-z]+){0,2}) one\b(?! (?:hundred|thousand|o'clock|thirty|fifteen|forty|person|dollar|euro))/gi

/** Every time, date, price, number and name in a text, in order. */
export function extract(text: string, language: Spoken, expecting: Expecting = null): Value[] {
  const values = sheetOf(text, language, expecting)
    .found.toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
  return [...values, ...namesIn(text).map((name): Value => ({ type: 'name', name }))]
}

/** The text in lower case, with § in place of each value. */
export function marked(text: string, language: Spoken, expecting: Expecting = null): string {
  return sheetOf(text.replaceAll('#', ' '), language, expecting).rest.replace(/#+/g, '§').trim()
}

/** Cache size: each turn reads the order and the utterance several times. */
const READ_LAST = 500
const readLast = new Map<string, Sheet>()

function sheetOf(text: string, language: Spoken, expecting: Expecting): Sheet {
  const key = `${language}|${expecting ?? ''}|${text}`
  const sheet = readLast.get(key) ?? readSheet(text, language, expecting, CALENDARS[language])
  readLast.delete(key)
  readLast.set(key, sheet)
  const [oldest] = readLast.keys()
  if (oldest !== undefined && readLast.size > READ_LAST) readLast.delete(oldest)
  return sheet
}

function readSheet(text: string, language: Spoken, expecting: Expecting, calendar: Calendar): Sheet {
  const said = language === 'en' ? text.replace(NO_NUMBER, '$1') : text
  const sheet: Sheet = { rest: ` ${withDigits(said, language)} `.replace(/\s+/g, ' '), found: [] }
  takeMoney(sheet, calendar)
  takePercent(sheet, calendar)
  takeDates(sheet, calendar)
  takeDigits(sheet)
  takeTimes(sheet, calendar, language)
  takeCounts(sheet, calendar)
  takeExpected(sheet, expecting)
  return sheet
}

/** Reads the matches and blanks them, so that nothing is read twice. A null leaves the words for the next reader. */
function take(sheet: Sheet, pattern: RegExp, read: (match: RegExpMatchArray) => Value | null): void {
  for (const match of sheet.rest.matchAll(pattern)) {
    const value = read(match)
    if (value === null) continue
    sheet.found.push({ at: match.index, value })
    sheet.rest =
      sheet.rest.slice(0, match.index) + '#'.repeat(match[0].length) + sheet.rest.slice(match.index + match[0].length)
  }
}

function takeMoney(sheet: Sheet, calendar: Calendar): void {
  const amount = '(\\d+(?:[.,]\\d{3})*(?:[.,]\\d{1,2})?)'
  const names = Object.keys(calendar.currencies).join('|')
  take(sheet, new RegExp(`([$€£]) ?${amount}`, 'g'), (m) => ({
    type: 'money',
    amount: amountOf(m[2]),
    currency: m[1] ?? '',
    ...perOf(m),
  }))
  take(sheet, new RegExp(`${amount} ?([€$£]|(?:${names})(?![a-z]))`, 'g'), (m) => ({
    type: 'money',
    amount: amountOf(m[1]),
    currency: calendar.currencies[m[2] ?? ''] ?? m[2] ?? '',
    ...perOf(m),
  }))
}

const PER: readonly (readonly [RegExp, string])[] = [
  [/^(?:(?:a|per|each|every|for each|por|par|pro|la|die) |\/ ?)(?:night|noche|nuit|nacht)\b/, 'night'],
  [
    /^(?:(?:a|per|each|every|for each|por|par|pro) |\/ ?)(?:person|head|guest|cover|adult|persona|personne|tete)\b|^each\b/,
    'person',
  ],
  [/^(?:(?:an?|per|each|every|por|par|pro) |\/ ?)(?:hour|day|week|month|year|room|ticket|seat|piece|item)\b/, ''],
  [/^(?:in total|altogether|all in|total|for everything|en total|au total|insgesamt)\b/, 'total'],
]

/** What a price is for: "120 dollars a night". */
function perOf(match: RegExpMatchArray): { readonly per?: string } {
  const named = /^[a-z]/.test(match[2] ?? '') ? (match[2] ?? '') : ''
  const after = `${named} ${match.input?.slice((match.index ?? 0) + match[0].length) ?? ''}`
    .replace(/^(?:dollars?|euros?|pounds?|bucks|usd|eur|gbp|quid|dolar(?:es)?|franken)/, '')
    .trim()
  const found = PER.find(([pattern]) => pattern.test(after))
  return found === undefined ? {} : { per: found[1] || (found[0].exec(after)?.[0].split(' ').at(-1) ?? '') }
}

function amountOf(text: string | undefined): number {
  const clean = (text ?? '').replace(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.')
  return Number(clean)
}

function takePercent(sheet: Sheet, calendar: Calendar): void {
  take(sheet, new RegExp(`(\\d+(?:[.,]\\d+)?) ?(?:${calendar.percent})`, 'g'), (m) => ({
    type: 'percent',
    percent: amountOf(m[1]),
  }))
}

function takeDates(sheet: Sheet, calendar: Calendar): void {
  const months = calendar.months.join('|')
  const monthIndex = (word: string): number => calendar.months.findIndex((names) => names.split('|').includes(word)) + 1
  const dayMonth = (day: string | undefined, month: string | undefined): Value | null => {
    const number = Number(day)
    const index = monthIndex(month ?? '')
    if (number < 1 || number > 31 || index < 1) return null
    return {
      type: 'date',
      key: `${index}-${number}`,
      said: `${number} ${capitalize(calendar.months[index - 1]?.split('|')[0] ?? '')}`,
    }
  }
  take(sheet, /\b(\d{4})-(\d{2})-(\d{2})\b/g, (m) => dayMonth(m[3], calendar.months[Number(m[2]) - 1]?.split('|')[0]))
  take(sheet, new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|\\.)? (?:of |de |d')?(${months})\\b`, 'g'), (m) =>
    dayMonth(m[1], m[2]),
  )
  take(sheet, new RegExp(`\\b(${months}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\b(?! ?(?:am|pm|:))`, 'g'), (m) =>
    dayMonth(m[2], m[1]),
  )
  take(sheet, /\b(\d{1,2})[./](\d{1,2})[./](?:\d{4}|\d{2})?(?!\d)/g, (m) =>
    dayMonth(m[1], calendar.months[Number(m[2]) - 1]?.split('|')[0]),
  )
  for (const [words, days] of Object.entries(calendar.relative)) {
    take(sheet, new RegExp(`\\b(?:${words})\\b`, 'g'), (m) => ({ type: 'date', key: `+${days}`, said: m[0] }))
  }
  for (const [index, names] of calendar.weekdays.entries()) {
    take(sheet, new RegExp(`\\b(next |this )?(?:${names})s?\\b`, 'g'), (m) => ({
      type: 'date',
      key: `day${index}${m[1] === 'next ' ? '+' : ''}`,
      said: `${m[1] === 'next ' ? 'next ' : ''}${capitalize(names.split('|')[0] ?? '')}`,
    }))
  }
  take(sheet, new RegExp(calendar.spans, 'g'), (m) => ({ type: 'date', key: m[0], said: m[0] }))
  take(sheet, /\b(?:the |el |le |am |den )(\d{1,2})(?:st|nd|rd|th|\.)(?= |$)/g, (m) => ({
    type: 'date',
    key: `-${m[1]}`,
    said: `the ${m[1]}${ordinalEnd(Number(m[1]))}`,
  }))
}

function ordinalEnd(day: number): string {
  const teen = day > 10 && day < 14
  return teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')
}

/** Phone and reference numbers: six digits or more, in any grouping. */
function takeDigits(sheet: Sheet): void {
  take(sheet, /\+?\d(?:[ ,-]{0,2}\(?\d\)?){5,}/g, (m) => ({ type: 'digits', digits: m[0].replace(/[^\d+]/g, '') }))
}

function takeTimes(sheet: Sheet, calendar: Calendar, language: Spoken): void {
  const half = `(?: ?(?:(${calendar.morning})|(${calendar.evening}))(?![a-z]))`
  const clock = (
    hour: string | undefined,
    minute: string | number | undefined,
    am: string | undefined,
    pm: string | undefined,
  ): Value | null => timeOf(Number(hour), Number(minute ?? 0), am !== undefined ? 'am' : pm !== undefined ? 'pm' : null)
  take(sheet, new RegExp(`\\b(?:${calendar.noon})\\b`, 'g'), () => ({ type: 'time', minutes: 720, exact: true }))
  take(sheet, new RegExp(`\\b(?:${calendar.midnight})\\b`, 'g'), () => ({ type: 'time', minutes: 0, exact: true }))
  takeRelativeTimes(sheet, language, half, clock)
  take(sheet, new RegExp(`\\b(\\d{1,2}) ?(?:[:.h]|uhr|heures?) ?([0-5]\\d)\\b${half}?`, 'g'), (m) =>
    clock(m[1], m[2], m[3], m[4]),
  )
  take(sheet, /\b(1[3-9]|2[0-3])h\b/g, (m) => clock(m[1], 0, undefined, undefined))
  take(sheet, new RegExp(`\\b(\\d{1,2})(?: ([0-5]\\d))?${half}`, 'g'), (m) => clock(m[1], m[2], m[3], m[4]))
  take(sheet, new RegExp(`\\b(\\d{1,2}) ?(?:${calendar.oclock})(?![a-z])${half}?`, 'g'), (m) =>
    clock(m[1], 0, m[2], m[3]),
  )
  const range = `(?! ?(?:to|and|or|-|–) \\d{1,3} (?:${calendar.people}|${calendar.units}))`
  const notMore = `(?! ?(?:${calendar.units}|${calendar.people}|st|nd|rd|th|\\d|[.,]\\d))`
  take(sheet, new RegExp(`(?<=\\b(?:${calendar.at}) )(\\d{1,2})(?: ([0-5]\\d))?\\b${notMore}${range}`, 'g'), (m) =>
    clock(m[1], m[2], undefined, undefined),
  )
  take(sheet, new RegExp(`\\b(\\d{1,2}) ?(?:-|–|to|till|until|bis|a|hasta) ?(\\d{1,2})\\b${notMore}`, 'g'), (m) =>
    clock(m[1], 0, undefined, undefined),
  )
  take(sheet, new RegExp(`(?<=#+ ?(?:-|–|to|till|until|and|bis|a|y|et|und|or) ?)(\\d{1,2})\\b${notMore}`, 'g'), (m) =>
    clock(m[1], 0, undefined, undefined),
  )
  take(sheet, new RegExp(`\\b([1-9]|1[0-2]) (?:0 ?([1-9])|([1-5]\\d))\\b${notMore}`, 'g'), (m) =>
    clock(m[1], m[2] ?? m[3], undefined, undefined),
  )
}

type Clock = (
  hour: string | undefined,
  minute: string | number | undefined,
  am: string | undefined,
  pm: string | undefined,
) => Value | null

/** Half past six, quarter to eight; las siete y media; sept heures et demie; halb sieben. */
function takeRelativeTimes(sheet: Sheet, language: Spoken, half: string, clock: Clock): void {
  const before = (hour: string | undefined): string => String((Number(hour) + 11) % 12 || 12)
  if (language === 'en') {
    take(sheet, new RegExp(`\\bhalf (?:past )?(\\d{1,2})\\b${half}?`, 'g'), (m) => clock(m[1], 30, m[2], m[3]))
    take(sheet, new RegExp(`\\b(?:a )?quarter (?:past|after) (\\d{1,2})\\b${half}?`, 'g'), (m) =>
      clock(m[1], 15, m[2], m[3]),
    )
    take(sheet, new RegExp(`\\b(?:a )?quarter (?:to|of|before) (\\d{1,2})\\b${half}?`, 'g'), (m) =>
      clock(before(m[1]), 45, m[2], m[3]),
    )
    take(sheet, new RegExp(`\\b(\\d{1,2})(?: minutes)? (?:past|after) (\\d{1,2})\\b${half}?`, 'g'), (m) =>
      clock(m[2], m[1], m[3], m[4]),
    )
    take(sheet, new RegExp(`\\b(?<!from )(5|10|20|25)(?: minutes)? (?:to|before) (\\d{1,2})\\b${half}?`, 'g'), (m) =>
      clock(before(m[2]), 60 - Number(m[1]), m[3], m[4]),
    )
  } else if (language === 'de') {
    take(sheet, new RegExp(`\\bhalb (\\d{1,2})\\b${half}?`, 'g'), (m) => clock(before(m[1]), 30, m[2], m[3]))
    take(sheet, new RegExp(`\\bviertel nach (\\d{1,2})\\b${half}?`, 'g'), (m) => clock(m[1], 15, m[2], m[3]))
    take(sheet, new RegExp(`\\bviertel vor (\\d{1,2})\\b${half}?`, 'g'), (m) => clock(before(m[1]), 45, m[2], m[3]))
  } else {
    const words =
      language === 'es'
        ? ['y media', 'y cuarto', 'menos cuarto']
        : ['(?:heures? )?et demie?', '(?:heures? )?et quart', '(?:heures? )?moins le quart']
    take(sheet, new RegExp(`\\b(\\d{1,2}) ${words[0]}\\b${half}?`, 'g'), (m) => clock(m[1], 30, m[2], m[3]))
    take(sheet, new RegExp(`\\b(\\d{1,2}) ${words[1]}\\b${half}?`, 'g'), (m) => clock(m[1], 15, m[2], m[3]))
    take(sheet, new RegExp(`\\b(\\d{1,2}) ${words[2]}\\b${half}?`, 'g'), (m) => clock(before(m[1]), 45, m[2], m[3]))
  }
}

function timeOf(hour: number, minute: number, half: 'am' | 'pm' | null): Value | null {
  if (hour > 24 || minute > 59 || (half !== null && (hour > 12 || hour === 0))) return null
  if (half === 'pm') return { type: 'time', minutes: ((hour % 12) + 12) * 60 + minute, exact: true }
  if (half === 'am') return { type: 'time', minutes: (hour % 12) * 60 + minute, exact: true }
  return { type: 'time', minutes: (hour % 24) * 60 + minute, exact: hour > 12 || hour === 0 }
}

function takeCounts(sheet: Sheet, calendar: Calendar): void {
  take(sheet, new RegExp(`\\b(\\d{1,3}) (?:${calendar.people})\\b`, 'g'), (m) => ({
    type: 'count',
    count: Number(m[1]),
    unit: 'people',
  }))
  take(sheet, new RegExp(`\\b(\\d{1,4}) (${calendar.units})\\b`, 'g'), (m) => ({
    type: 'count',
    count: Number(m[1]),
    unit: (m[2] ?? '').replace(/s$/, ''),
  }))
  take(sheet, new RegExp(`(?<=\\b(?:${calendar.forPeople}) )(\\d{1,2})\\b(?!\\d|[:.,]\\d)`, 'g'), (m) => ({
    type: 'count',
    count: Number(m[1]),
    unit: 'people',
  }))
}

function takeExpected(sheet: Sheet, expecting: Expecting): void {
  if (expecting === null) return
  take(sheet, /\b(\d+(?:[.,]\d+)?)\b(?!th|st|nd|rd)/g, (m) => {
    const number = amountOf(m[1])
    if (expecting === 'time')
      return number >= 1 && number <= 23 && Number.isInteger(number) ? timeOf(number, 0, null) : null
    if (expecting === 'money') return { type: 'money', amount: number, currency: '' }
    if (expecting === 'percent') return { type: 'percent', percent: number }
    return { type: 'count', count: number, unit: '' }
  })
}

const NAME = "([A-Z][\\p{L}'-]+(?: [A-Z][\\p{L}'-]+){0,2})"
const NAME_PATTERNS = [
  new RegExp(
    `\\b(?:[Mm]y name is|[Tt]his is|[Ii]t's|[Ii]'m|[Ii] am|[Mm]e llamo|[Mm]i nombre es|[Ss]oy|[Jj]e m'appelle|[Mm]on nom est|[Ii]ch heiße|[Mm]ein Name ist|[Uu]nder the name(?: of)?) ${NAME}`,
    'gu',
  ),
  new RegExp(`${NAME} (?:speaking|here|am Apparat|à l'appareil|al habla)`, 'gu'),
]
const NOT_NAMES =
  /^(?:I|I'm|Yes|No|Sorry|Hello|Hi|Good|The|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Spanish|French|German|English|Not|Afraid)\b/

function namesIn(text: string): string[] {
  const spelled = /(?:^|[\s,])((?:\p{L}[\s.-]+){2,}\p{L})(?=[\s,.!?]|$)/u.exec(text)?.[1]?.replace(/[\s.-]+/g, '')
  const named = NAME_PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
  const all = [...named, ...(spelled === undefined ? [] : [capitalize(spelled.toLowerCase())])]
  return [...new Set(all)].filter((name) => name !== '' && !NOT_NAMES.test(name))
}

/** 19:30 → "7:30 pm" in English, "19:30" elsewhere; "7:30" when the half of the day is unknown. */
export function sayValue(value: Value, language: Spoken): string {
  switch (value.type) {
    case 'time':
      return sayTime(value.minutes, value.exact, language)
    case 'date':
      return value.said
    case 'money':
      return value.currency === '' ? String(value.amount) : sayMoney(value.amount, value.currency, language)
    case 'percent':
      return language === 'en' ? `${value.percent}%` : `${value.percent} %`
    case 'count':
      return value.unit === ''
        ? String(value.count)
        : value.unit === 'people'
          ? String(value.count)
          : `${value.count} ${value.unit}${value.count === 1 ? '' : 's'}`
    case 'digits':
      return value.digits
    case 'name':
      return value.name
  }
}

const CURRENCY_NAMES: Readonly<Record<Spoken, Readonly<Record<string, string>>>> = {
  en: { $: 'dollars', '€': 'euros', '£': 'pounds' },
  es: { $: 'dólares', '€': 'euros', '£': 'libras' },
  fr: { $: 'dollars', '€': 'euros', '£': 'livres' },
  de: { $: 'Dollar', '€': 'Euro', '£': 'Pfund' },
}

function sayMoney(amount: number, currency: string, language: Spoken): string {
  return `${amount} ${CURRENCY_NAMES[language][currency] ?? currency}`.trim()
}

function sayTime(minutes: number, exact: boolean, language: Spoken): string {
  const hour = Math.floor(minutes / 60)
  const minute = String(minutes % 60).padStart(2, '0')
  if (language !== 'en')
    return minute === '00'
      ? `${hour}${language === 'fr' ? ' h' : language === 'de' ? ' Uhr' : ':00'}`
      : `${hour}:${minute}`
  if (minutes === 720 && exact) return 'noon'
  const shown = minute === '00' ? String(hour % 12 || 12) : `${hour % 12 || 12}:${minute}`
  return exact ? `${shown} ${hour >= 12 ? 'pm' : 'am'}` : shown
}

/** Whether two values are the same; a missing half of the day matches either. */
export function sameValue(a: Value, b: Value): boolean {
  if (a.type === 'time' && b.type === 'time') {
    return a.exact && b.exact ? a.minutes === b.minutes : a.minutes % 720 === b.minutes % 720
  }
  if (a.type === 'count' && b.type === 'count')
    return a.count === b.count && (a.unit === b.unit || a.unit === '' || b.unit === '')
  if (a.type === 'money' && b.type === 'money') return a.amount === b.amount
  if (a.type === 'date' && b.type === 'date') return sameDay(a.key, b.key) || sameDay(b.key, a.key)
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Whether a named day is the one asked for: "Friday" matches "next Friday", not the other way round. */
export function sameDay(asked: string, named: string): boolean {
  const day = (key: string): string => /^-(\d+)$|^\d+-(\d+)$/.exec(key)?.slice(1).find(Boolean) ?? ''
  if (asked.startsWith('-') !== named.startsWith('-') && day(asked) !== '') return day(asked) === day(named)
  return asked === named || (asked.endsWith('+') && asked === `${named}+`)
}
