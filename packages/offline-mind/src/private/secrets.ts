import { withDigits } from '../hearing/numerals.ts'
import { SPOKEN_LANGUAGES } from '../memory.ts'
import { folded } from './folded.ts'

/** Words of single digits in the languages that callees have asked in. */
const DIGIT_WORDS = new Map(
  [
    'zero one two three four five six seven eight nine',
    'cero uno dos tres cuatro cinco seis siete ocho nueve',
    'zero un deux trois quatre cinq six sept huit neuf',
    'null eins zwei drei vier funf sechs sieben acht neun',
    'zero uno due tre quattro cinque sei sette otto nove',
    'zero um dois tres quatro cinco seis sete oito nove',
  ].flatMap((words) => words.split(' ').map((word, digit): [string, string] => [word, String(digit)])),
)
for (const [word, digit] of [
  ['oh', '0'],
  ['nought', '0'],
  ['zwo', '2'],
  ['ein', '1'],
] as const)
  DIGIT_WORDS.set(word, digit)

/** Between two digits of one number: "the first is eight. And the second is six". */
const GAP_LETTERS_MAX = 40
/** As many digits of a longer number tell enough of it. */
const PART = 0.6
const PART_DIGITS_MIN = 3
const LETTERS_MIN = 3
const INITIALS_MIN = 5

/** Values that nobody may hear, and the ways in which they can be told. */
export class Secrets {
  readonly #secrets: readonly Secret[]

  constructor(values: readonly string[]) {
    this.#secrets = values.map((value) => new Secret(value))
  }

  /** Whether a text tells one of the values: as it is, spelled, in words, backwards, or a good part of its digits. */
  isToldIn(text: string): boolean {
    if (this.#secrets.length === 0) return false
    const heard = hearingsOf(text)
    return this.#secrets.some((secret) => secret.isToldIn(heard))
  }

  /** Whether a text ends with what may be the beginning of a number: more of it must be known first. */
  mayBeginIn(text: string): boolean {
    if (this.#secrets.length === 0) return false
    const ends = hearingsOf(text).atEnd
    return this.#secrets.some((secret) => ends.some((run) => secret.beginsIn(run)))
  }

  /** The text with a mask in the place of each value that stands in it; all of it where a value is told otherwise. */
  masked(text: string, maskOf: (index: number) => string): string {
    const shown = this.#secrets.reduce((rest, secret, index) => secret.replacedIn(rest, maskOf(index)), text)
    const toldIn = (part: string) => {
      const heard = hearingsOf(part)
      return this.#secrets.findIndex((secret) => secret.isToldIn(heard))
    }
    if (toldIn(shown) < 0) return shown
    // Told in other words than its own: its sentence goes, or the whole where it is spread over several.
    const parts = shown.split(/(?<=[.!?])\s+/).map((part) => {
      const told = toldIn(part)
      return told < 0 ? part : maskOf(told)
    })
    const rest = toldIn(parts.join(' '))
    return rest < 0 ? parts.join(' ') : maskOf(rest)
  }
}

interface Hearings {
  readonly plain: string
  /** Runs of digits, in figures or in words of any language. */
  readonly digits: readonly string[]
  /** Those that a text ends with. */
  readonly atEnd: readonly string[]
  /** Letters and digits that were said one by one. */
  readonly spelled: readonly string[]
  readonly initials: string
}

const compactOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')
const backwards = (text: string) => Array.from(text).toReversed().join('')
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

class Secret {
  readonly #digits: string
  readonly #compact: string
  readonly #pattern: RegExp
  readonly #reversed: RegExp
  readonly #isNumber: boolean

  constructor(value: string) {
    const plain = folded(value)
    this.#compact = compactOf(plain)
    this.#digits = plain.replace(/\D/g, '')
    this.#isNumber = this.#digits.length >= LETTERS_MIN && this.#digits.length >= this.#compact.length - 2
    this.#pattern = spaced(this.#compact)
    this.#reversed = spaced(backwards(this.#compact))
  }

  isToldIn({ plain, digits, spelled, initials }: Hearings): boolean {
    if (this.#compact === '') return false
    if (this.#pattern.test(plain)) return true
    if (this.#compact.length < LETTERS_MIN) return false
    if (this.#reversed.test(plain)) return true
    if (this.#isNumber && digits.some((run) => this.#isPartOf(run))) return true
    const both = [this.#compact, backwards(this.#compact)]
    return both.some(
      (letters) =>
        spelled.some((run) => run.includes(letters)) ||
        (letters.length >= INITIALS_MIN && !this.#isNumber && initials.includes(letters)),
    )
  }

  beginsIn(run: string): boolean {
    if (!this.#isNumber) return false
    return [this.#digits, backwards(this.#digits)].some((digits) =>
      Array.from(digits).some((_, at) => at > 0 && run.endsWith(digits.slice(0, at))),
    )
  }

  replacedIn(text: string, mask: string): string {
    return text.replace(new RegExp(spaced(this.#compact).source, 'giu'), mask)
  }

  #isPartOf(run: string): boolean {
    const length = Math.max(PART_DIGITS_MIN, Math.ceil(this.#digits.length * PART))
    for (const digits of [this.#digits, backwards(this.#digits)]) {
      for (let from = 0; from + length <= digits.length; from += 1)
        if (run.includes(digits.slice(from, from + length))) return true
    }
    return false
  }
}

/** In any grouping. */
function spaced(compact: string): RegExp {
  const characters = Array.from(compact).map(escaped)
  return new RegExp(`(?<![\\p{L}\\p{N}])${characters.join('[\\s.,/_-]*')}(?![\\p{L}\\p{N}])`, 'iu')
}

function hearingsOf(text: string): Hearings {
  const plain = folded(text)
  const mixed = plain
    .replace(/\bdouble[ -](\p{L}+|\d)/gu, '$1 $1')
    .replace(/\b(?:triple|treble)[ -](\p{L}+|\d)/gu, '$1 $1 $1')
    .replace(/\p{L}+/gu, (word) => DIGIT_WORDS.get(word) ?? word)
  const readings = [
    plain,
    mixed,
    ...SPOKEN_LANGUAGES.flatMap((language) => [withDigits(plain, language), withDigits(mixed, language)]),
  ]
  const named = mixed.replace(/(?<![\p{L}\p{N}])(\p{L}) (?:as in|like|for|wie|de|como|comme|come) [\p{L}\d]+/gu, '$1')
  return {
    plain,
    digits: [...new Set(readings.flatMap(runsOfDigits))],
    atEnd: readings.flatMap((reading) => (/\d\W*$/.test(reading) ? runsOfDigits(reading).slice(-1) : [])),
    spelled: (
      named.match(/(?<![\p{L}\p{N}])[\p{L}\d](?:[\s.,;:-]+(?:and |then |y |et |und )?[\p{L}\d](?![\p{L}\p{N}]))+/gu) ??
      []
    ).map((run) => compactOf(run.replace(/ (?:and|then|et|und) /g, ' '))),
    initials: (plain.match(/[\p{L}\d]+/gu) ?? []).map((word) => word.slice(0, 1)).join(''),
  }
}

function runsOfDigits(text: string): string[] {
  const runs: string[] = []
  let until = -Infinity
  for (const { index, 0: digits } of text.matchAll(/\d+/g)) {
    if (index - until <= GAP_LETTERS_MAX) runs[runs.length - 1] += digits
    else runs.push(digits)
    until = index + digits.length
  }
  return runs
}
