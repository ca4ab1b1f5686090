import { englishOrdinal } from './numerals.ts'
import { SPELLINGS } from './spellings.ts'
import { MONTHS, SPEECH, type SpeechOf, type SpokenLanguage } from './speech-of.ts'

/** What a rule found: how it is said, or null to leave it as it is written. `lead`: the word before it. */
interface Found {
  readonly groups: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly lead: string
  /** What follows it. */
  readonly after: string
}

export interface Rule {
  readonly pattern: RegExp
  readonly say: (found: Found) => string | null
}

const NUMERAL_MAX = 999_999_999
/** Longer ones are read figure by figure. */
const FIGURES_MAX = 6
/** Longer references are read without a word for each letter. */
const SPELLED_LETTERS_MAX = 8
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'

const rule = (source: string, say: Rule['say']): Rule => ({ pattern: new RegExp(source, 'gu'), say })

/** In order of preference: what a rule has taken is left alone by the next. */
export function rulesOf(language: SpokenLanguage, tag: string): readonly Rule[] {
  const speech = SPEECH[language]
  return [
    ...dates(language, speech, tag),
    time(language, speech),
    ...money(speech),
    percent(speech),
    units(speech),
    telephone(language, speech),
    reference(language, speech),
    ...ordinals(language),
    amount(speech),
    number(speech),
  ]
}

// Dates

function dates(language: SpokenLanguage, speech: SpeechOf, tag: string): Rule[] {
  const say = (day: number, month: number, year: number | null, lead: string): string | null => {
    if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return null
    const said = speech.day(day, month, lead)
    return year === null ? said : `${said}${speech.beforeYear}${speech.year(year)}`
  }
  const yearOf = (text: string | undefined) =>
    text === undefined ? null : text.length === 2 ? 2000 + Number(text) : Number(text)
  const isMonthFirst = language === 'en' && !/^en-(?:gb|au|nz|ie|in|za)$/i.test(tag)
  const dated =
    /^(?:on|by|before|until|till|from|of|for|since|the|el|del|al|desde|hasta|le|du|au|avant|dès|am|dem|vom|zum|bis)$/i
  const iso = rule(`${START}(?<y>\\d{4})-(?<m>\\d{2})-(?<d>\\d{2})${END}`, ({ groups, lead }) =>
    say(Number(groups['d']), Number(groups['m']), Number(groups['y']), lead),
  )
  const slashed = rule(
    `${START}(?<a>\\d{1,2})(?<s>[/.])(?<b>\\d{1,2})(?:\\k<s>(?<y>\\d{4}|\\d{2}))?(?![\\p{L}\\p{N}/])(?<!\\d\\.\\d)`,
    ({ groups: { a, b, y, s }, lead }) => {
      const [day, month] = isMonthFirst && s === '/' ? [Number(b), Number(a)] : [Number(a), Number(b)]
      // "3/4" may be three quarters, and "7.30" a number or a time.
      if (y === undefined && (s === '.' || (day <= 12 && !dated.test(lead)))) return null
      return say(day, month, yearOf(y), lead)
    },
  )
  return [iso, ...(language === 'de' ? [germanDays(say)] : []), slashed, named(language, say)]
}

type SayDate = (day: number, month: number, year: number | null, lead: string) => string | null

/** "30.11." and "30.11.2026"; the last point is of the day, or of the sentence. */
function germanDays(say: SayDate): Rule {
  return rule(
    `${START}(?<d>\\d{1,2})\\.(?<m>\\d{1,2})\\.(?<y>\\d{4})?(?!\\d)`,
    ({ groups: { d, m, y }, lead, after }) => {
      const said = say(Number(d), Number(m), y === undefined ? null : Number(y), lead)
      return said !== null && y === undefined && after.trim() === '' ? `${said}.` : said
    },
  )
}

/** With the month in letters. */
function named(language: SpokenLanguage, say: SayDate): Rule {
  const months = MONTHS[language]
  const monthOf = (text = '') =>
    months.findIndex((month) => month.toLowerCase().startsWith(text.toLowerCase().slice(0, 3))) + 1
  const full = months.join('|')
  const year = '(?<y>(?:19|20)\\d{2})'
  const dayAndYear = ({ groups: { d, m, y }, lead }: Found) => {
    // "juin" and "juillet" begin alike.
    const exact = months.findIndex((month) => month.toLowerCase() === m?.toLowerCase()) + 1
    return say(Number(d), exact === 0 ? monthOf(m) : exact, y === undefined ? null : Number(y), lead)
  }
  switch (language) {
    case 'en': {
      const month = `(?<m>${full}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?)`
      const first = rule(`${START}${month} (?<d>\\d{1,2})(?:st|nd|rd|th)?(?:,? ${year})?${END}`, dayAndYear)
      const second = rule(`${START}(?<d>\\d{1,2})(?:st|nd|rd|th)? (?:of )?${month}(?:,? ${year})?${END}`, dayAndYear)
      return {
        pattern: new RegExp(`${first.pattern.source}|${renamed(second.pattern.source)}`, 'gu'),
        say: eitherOf(dayAndYear),
      }
    }
    case 'de':
      return rule(`${START}(?<d>\\d{1,2})\\. (?<m>${full})(?: ${year})?${END}`, dayAndYear)
    case 'fr':
      return rule(`${START}(?<d>\\d{1,2})(?:er)? (?<m>${full})(?: ${year})?${END}`, dayAndYear)
    case 'es':
      return rule(`${START}(?<d>\\d{1,2}) de (?<m>${full})(?: (?:de|del) ${year})?${END}`, dayAndYear)
  }
}

/** A pattern names each group once. */
const renamed = (source: string) => source.replaceAll(/\(\?<([dmy])>/g, '(?<$1$1>')
const eitherOf =
  (say: Rule['say']): Rule['say'] =>
  (found) => {
    const { d, m, y, dd, mm, yy } = found.groups
    return say({ ...found, groups: { d: d ?? dd, m: m ?? mm, y: y ?? yy } })
  }

// Times

const CLOCK = '(?<h>[01]?\\d|2[0-3])'
const HALF = '(?<half>[ap])\\.?\\s?m(?:\\.(?=\\s+\\p{Ll}|[,;)])|\\b)'

function time(language: SpokenLanguage, speech: SpeechOf): Rule {
  const minutes = '(?<min>[0-5]\\d)'
  const source = {
    en: `${START}${CLOCK}(?::${minutes}\\s?(?:${HALF})?|\\s?${HALF.replace('half', 'only')})(?![\\p{L}\\p{N}:])`,
    es: `${START}${CLOCK}[:.]${minutes}(?:\\s?(?:h\\b|${HALF}))?(?![\\p{L}\\p{N}:]|\\.\\p{N})`,
    fr: `${START}${CLOCK}(?:\\s?h(?:\\s?${minutes})?|:${minutes.replace('min', 'min2')}(?:\\s?h\\b)?)(?![\\p{L}\\p{N}:])`,
    de: `${START}${CLOCK}(?:[:.]${minutes}\\sUhr|:${minutes.replace('min', 'min2')}|\\sUhr)(?![\\p{L}\\p{N}:])`,
  }[language]
  const pattern = new RegExp(source, language === 'en' || language === 'es' ? 'giu' : 'gu')
  return {
    pattern,
    say({ groups: { h, min, min2, half, only }, text }) {
      const part = (half ?? only)?.toLowerCase()
      const hours = Number(h)
      if (part !== undefined && (hours === 0 || hours > 12)) return null
      // "3.50" without a word beside it is a number.
      if (language === 'es' && /^\d+\.\d+$/.test(text)) return null
      return speech.time(hours, Number(min ?? min2 ?? 0), part === undefined ? null : part === 'a' ? 'am' : 'pm')
    },
  }
}

// Money, parts and measures

/** A number as this language writes it, with its groups. */
const FIGURES = "\\d{1,3}(?:[.,'’\u00a0\u202f ]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d+)?"
const SIGNS = { $: 'USD', '€': 'EUR', '£': 'GBP' } as const
const CODES = { ...SIGNS, USD: 'USD', EUR: 'EUR', Euro: 'EUR', GBP: 'GBP', CHF: 'CHF', US$: 'USD' } as const
type Sign = keyof typeof CODES

const isSign = (text: string | undefined): text is Sign => text !== undefined && Object.hasOwn(CODES, text)

function money(speech: SpeechOf): Rule[] {
  const say = ({ groups: { sign, n } }: Found) => {
    const value = figuresOf(n, speech)
    if (!isSign(sign) || value === null || value.decimals.length > 2) return null
    const hundredths = Number(value.decimals.padEnd(2, '0'))
    return value.whole > NUMERAL_MAX ? null : speech.money(value.whole, hundredths, speech.currencies[CODES[sign]])
  }
  return [
    rule(`(?<![\\p{L}\\p{N}])(?<sign>US\\$|[$€£]|USD|EUR|GBP|CHF)\\s?(?<n>${FIGURES})(?![\\p{L}\\p{N}]|[.,]\\d)`, say),
    rule(`${START}(?<n>${FIGURES})[\\s\u00a0\u202f]?(?<sign>[$€£]|(?:USD|EUR|Euro|GBP|CHF)${END})`, say),
  ]
}

function percent(speech: SpeechOf): Rule {
  return rule(`${START}(?<n>${FIGURES})[\\s\u00a0\u202f]?%`, ({ groups: { n } }) => {
    const said = spokenFigures(n, speech)
    return said === null ? null : `${said} ${speech.percent}`
  })
}

function units(speech: SpeechOf): Rule {
  const names = Object.keys(speech.units).toSorted((a, b) => b.length - a.length)
  return rule(`${START}(?<n>${FIGURES})[\\s\u00a0\u202f]?(?<unit>${names.join('|')})(?![\\p{L}\\p{N}/])`, (found) => {
    const { n, unit = '' } = found.groups
    const said = spokenFigures(n, speech)
    const [one, many] = speech.units[unit] ?? ['', '']
    if (said === null) return null
    const value = figuresOf(n, speech)
    const isOne = value?.whole === 1 && value.decimals === ''
    if (isOne && speech.inflects(1)) return null
    return `${said} ${isOne ? one : many}`
  })
}

// Telephone numbers and references

function telephone(language: SpokenLanguage, speech: SpeechOf): Rule {
  return rule(`(?<![\\p{L}\\p{N}.,])(?<n>\\+?\\(?\\d[\\d ()/.\u00a0-]{5,}\\d)${END}`, ({ text }) => {
    const figures = text.replaceAll(/\D/g, '')
    const isLong = figures.length >= 7 && figures.length <= 15
    const isAmount =
      !text.startsWith('+') && !text.startsWith('0') && figures.length < 9 && /^\d{1,3}(?:[ .\u00a0]\d{3})+$/.test(text)
    if (!isLong || isAmount || /^\d{4}-\d{4}$/.test(text) || /\d\.\d{1,2}$/.test(text)) return null
    const groups = (text.match(/\d+/g) ?? []).flatMap(inGroups)
    const said = groups.map((group) => telephoneGroup(group, language, speech)).join(', ')
    return text.startsWith('+') ? `${speech.plus} ${said}` : said
  })
}

/** What is written in one piece is said in threes, and a rest of four. */
function inGroups(figures: string): string[] {
  if (figures.length <= 4) return [figures]
  return [figures.slice(0, 3), ...inGroups(figures.slice(3))]
}

/** The French say pairs as numbers. */
function telephoneGroup(group: string, language: SpokenLanguage, speech: SpeechOf): string {
  if (language === 'fr' && /^[1-9]\d$/.test(group)) return speech.cardinal(Number(group))
  return figureByFigure(group, speech)
}

const figureByFigure = (figures: string, speech: SpeechOf) =>
  Array.from(figures, (figure) => speech.cardinal(Number(figure))).join(' ')

/** Letters and figures mixed, as in "AB12-9X". */
function reference(language: SpokenLanguage, speech: SpeechOf): Rule {
  return rule(`${START}(?=[A-Z0-9-]*\\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)*${END}`, ({ text }) => {
    const signs = text.replaceAll('-', '')
    // A model or a word with a year is read as such.
    if (signs.length < 4 || /[A-Z]{4}/.test(text)) return null
    const letters = signs.replaceAll(/\d/g, '').length
    return Array.from(signs, (sign) => spelled(sign, letters, language, speech)).join(', ')
  })
}

function spelled(sign: string, letters: number, language: SpokenLanguage, speech: SpeechOf): string {
  if (/\d/.test(sign)) return speech.cardinal(Number(sign))
  const { as, words } = SPELLINGS[language]
  return letters > SPELLED_LETTERS_MAX ? sign : `${sign} ${as} ${words[sign.charCodeAt(0) - 65] ?? sign}`
}

// Numbers

function ordinals(language: SpokenLanguage): Rule[] {
  switch (language) {
    case 'en':
      return [rule(`${START}(?<n>\\d{1,3})(?:st|nd|rd|th)${END}`, ({ groups: { n } }) => englishOrdinal(Number(n)))]
    case 'fr':
      return [rule(`${START}1er${END}`, () => 'premier'), rule(`${START}1re${END}`, () => 'première')]
    case 'es':
    case 'de':
      return []
  }
}

/** With groups or decimals, which voices misread. */
function amount(speech: SpeechOf): Rule {
  return rule(`(?<![\\p{L}\\p{N}.,:/-])(?<n>${FIGURES})(?![\\p{L}\\p{N}:/-]|[.,]\\d)`, ({ groups: { n = '' } }) =>
    /\D/.test(n) ? spokenFigures(n, speech) : null,
  )
}

function number(speech: SpeechOf): Rule {
  return rule(
    `(?<![\\p{L}\\p{N}.,:/-])(?<n>\\d+)(?![\\p{L}\\p{N}:/-]|[.,]\\d)`,
    ({ groups: { n = '' }, lead, after }) => {
      // An ordinal, where a noun follows its point.
      if (/^\.\s+\p{L}/u.test(after) && n.length < 3 && !speech.hasDecimalPoint) return null
      if (n.length > FIGURES_MAX || (n.length > 1 && n.startsWith('0')))
        return inGroups(n)
          .map((group) => figureByFigure(group, speech))
          .join(', ')
      const value = Number(n)
      if (speech.inflects(value)) return null
      const isYear =
        /^(?:19|20)\d{2}$/.test(n) && /^(?:in|since|of|from|until|en|de|desde|depuis|seit|ab|im|Jahr)$/i.test(lead)
      return isYear ? speech.year(value) : speech.cardinal(value)
    },
  )
}

interface Figures {
  readonly whole: number
  /** As they are written, without an end of zeros cut. */
  readonly decimals: string
}

/** Reads "1,250.50" or "1.250,50", as the language writes it. */
function figuresOf(text: string | undefined, { hasDecimalPoint }: SpeechOf): Figures | null {
  if (text === undefined) return null
  const plain = text.replaceAll(/['’\u00a0\u202f ]/g, '')
  const [group, decimal] = hasDecimalPoint ? [',', '.'] : ['.', ',']
  const isGrouped = new RegExp(`^\\d{1,3}(?:\\${group}\\d{3})+(?:\\${decimal}\\d+)?$`).test(plain)
  const ungrouped = isGrouped ? plain.replaceAll(group, '') : plain
  const [, whole, decimals = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(ungrouped) ?? []
  return whole === undefined || Number(whole) > NUMERAL_MAX ? null : { whole: Number(whole), decimals }
}

function spokenFigures(text: string | undefined, speech: SpeechOf): string | null {
  const value = figuresOf(text, speech)
  if (value === null) return null
  const whole = speech.cardinal(value.whole)
  return value.decimals === '' ? whole : `${whole} ${speech.point} ${figureByFigure(value.decimals, speech)}`
}
