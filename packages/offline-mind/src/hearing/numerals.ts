import type { Spoken } from '../memory.ts'
import { fold } from './text.ts'

interface Numerals {
  readonly words: Readonly<Record<string, number>>
  readonly ordinals: Readonly<Record<string, number>>
  readonly hundred: readonly string[]
  readonly thousand: readonly string[]
  /** Joins words of one number: "hundred and fifty", "treinta y cinco". */
  readonly and: string
  /** Sixty-twelve and four-twenty, as the French count. */
  readonly vigesimal: boolean
}

const list = (words: string, from = 0): Record<string, number> =>
  Object.fromEntries(words.split(' ').map((word, index) => [word, from + index]))
const tens = (words: string, from = 20): Record<string, number> =>
  Object.fromEntries(words.split(' ').map((word, index) => [word, from + index * 10]))

const GERMAN_UNITS = 'ein zwei drei vier funf sechs sieben acht neun'.split(' ')
const GERMAN_TENS = 'zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig'.split(' ')
const germanCompounds = Object.fromEntries(
  GERMAN_TENS.flatMap((ten, t) =>
    GERMAN_UNITS.map((unit, u): [string, number] => [`${unit}und${ten}`, (t + 2) * 10 + u + 1]),
  ),
)
const GERMAN_BELOW_HUNDRED: Readonly<Record<string, number>> = {
  ...list(
    'eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn',
    1,
  ),
  ...Object.fromEntries(GERMAN_TENS.map((word, index) => [word, 20 + index * 10])),
  ...germanCompounds,
}
/** Compounds in one word: "einhundertdreissig". */
const GERMAN_HUNDREDS = Object.fromEntries(
  ['', ...GERMAN_UNITS].flatMap((unit, at) =>
    [['', 0] as const, ...Object.entries(GERMAN_BELOW_HUNDRED)].flatMap(([word, below]): [string, number][] => [
      [`${unit}hundert${word}`, Math.max(1, at) * 100 + below],
      [`${unit}hundertund${word}`, Math.max(1, at) * 100 + below],
    ]),
  ),
)
const SPANISH_TWENTIES = list(
  'veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
  21,
)

const NUMERALS: Readonly<Record<Spoken, Numerals>> = {
  en: {
    words: {
      ...list(
        'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
      ),
      ...tens('twenty thirty forty fifty sixty seventy eighty ninety'),
      fourty: 40,
    },
    ordinals: {
      ...list(
        'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
        1,
      ),
      thirtieth: 30,
    },
    hundred: ['hundred'],
    thousand: ['thousand'],
    and: 'and',
    vigesimal: false,
  },
  es: {
    words: {
      ...list(
        'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve',
      ),
      ...SPANISH_TWENTIES,
      ...tens('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'),
      cien: 100,
      ciento: 100,
      doscientos: 200,
      trescientos: 300,
      cuatrocientos: 400,
      quinientos: 500,
    },
    ordinals: { primero: 1 },
    hundred: [],
    thousand: ['mil'],
    and: 'y',
    vigesimal: false,
  },
  fr: {
    words: {
      ...list('zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'),
      vingt: 20,
      trente: 30,
      quarante: 40,
      cinquante: 50,
      soixante: 60,
      septante: 70,
      nonante: 90,
      une: 1,
      vingts: 20,
    },
    ordinals: { premier: 1 },
    hundred: ['cent', 'cents'],
    thousand: ['mille'],
    and: 'et',
    vigesimal: true,
  },
  de: {
    words: {
      ...list(
        'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn',
      ),
      ...Object.fromEntries(GERMAN_TENS.map((word, index) => [word, 20 + index * 10])),
      ...germanCompounds,
      zwo: 2,
      ...GERMAN_HUNDREDS,
    },
    ordinals: list('ersten zweiten dritten vierten funften sechsten siebten achten neunten zehnten elften zwolften', 1),
    hundred: [],
    thousand: ['tausend'],
    and: 'und',
    vigesimal: false,
  },
}

/** "half past seven, a hundred and fifty, the twenty first" → "half past 7, 150, the 21st". Digits stay. */
export function withDigits(text: string, language: Spoken): string {
  const numerals = NUMERALS[language]
  const tokens = fold(text).match(/[\p{L}]+|\d+(?:st|nd|rd|th)?|[^\p{L}\d\s]+|\s+/gu) ?? []
  const out: string[] = []
  let pending: number | null = null
  let gap = ''
  const flush = (): void => {
    if (pending !== null) out.push(String(pending))
    pending = null
    out.push(gap)
    gap = ''
  }
  for (const [at, token] of tokens.entries()) {
    if (/^\s+$|^-$/.test(token)) {
      if (pending === null) out.push(token)
      else gap += token
      continue
    }
    const grown: number | 'and' | null = grow(pending, token, numerals, tokens[at + 2])
    if (grown === 'and') continue
    if (grown !== null) {
      pending = grown
      gap = ''
      continue
    }
    const value = numerals.words[token] ?? aHundred(token, tokens, at, numerals)
    const ordinal = ordinalOf(pending, token, numerals)
    if (ordinal !== null) {
      out.push(`${ordinal}th`)
      pending = null
      gap = ''
    } else if (value === undefined) {
      flush()
      out.push(zeroWord(token, tokens[at - 2], tokens[at + 1], numerals))
    } else {
      flush()
      pending = value
    }
  }
  flush()
  return out.join('')
}

function grow(
  pending: number | null,
  token: string,
  numerals: Numerals,
  after: string | undefined,
): number | 'and' | null {
  if (pending === null) return null
  if (numerals.hundred.includes(token) && pending < 100) return pending * 100
  if (numerals.thousand.includes(token) && pending < 1000) return pending * 1000
  const next = numerals.words[token]
  if (
    token === numerals.and &&
    after !== undefined &&
    numerals.words[after] !== undefined &&
    joins(pending, numerals.words[after], numerals)
  )
    return 'and'
  if (next === undefined || !joins(pending, next, numerals)) return null
  return pending === 4 && next === 20 ? 80 : pending + next
}

/** 20 and 5 make 25, 120 and 5 make 125; 7 and 30 stay apart, as in a time. French counts on: 60 and 12, 4 times 20. */
function joins(left: number, right: number, numerals: Numerals): boolean {
  const low = left % 100
  if (left >= 100 && low === 0) return right < 100
  if (numerals.vigesimal && (low === 60 || low === 80)) return right > 0 && right < 20
  if (numerals.vigesimal && ((left === 4 && right === 20) || (low % 20 === 10 && right > 6 && right < 10))) return true
  return low >= 20 && low % 10 === 0 && right > 0 && right < 10
}

function aHundred(token: string, tokens: readonly string[], at: number, numerals: Numerals): number | undefined {
  if (numerals.hundred.includes(token) && /^an?$/.test(tokens[at - 2] ?? '')) return 100
  return token === 'cent' && numerals.hundred.includes('cent') && tokens[at - 2] !== 'pour' ? 100 : undefined
}

function ordinalOf(pending: number | null, token: string, numerals: Numerals): number | null {
  const value = numerals.ordinals[token]
  if (value === undefined) return null
  if (pending !== null && joins(pending, value, numerals)) return pending + value
  // "second" alone mostly means a moment.
  return token === 'second' || pending !== null ? null : value
}

/** "seven oh five", "five five five oh one": the letter stands for nought between numbers. */
function zeroWord(token: string, before: string | undefined, after: string | undefined, numerals: Numerals): string {
  if ((token !== 'oh' && token !== 'o') || after === "'") return token
  return before !== undefined && (numerals.words[before] !== undefined || /^(?:\d+|oh|o)$/.test(before)) ? '0' : token
}
