/** A time is in minutes of a twelve-hour clock, since people omit am and pm. A day is a day of the week. */
export interface Value {
  readonly kind: 'time' | 'day' | 'percent' | 'money' | 'number'
  readonly amount: number
}

const UNITS = [
  ['zero', 'cero', 'null'],
  ['one', 'una', 'uno', 'eins', 'une'],
  ['two', 'dos', 'deux', 'zwei'],
  ['three', 'tres', 'trois', 'drei'],
  ['four', 'cuatro', 'quatre', 'vier'],
  ['five', 'cinco', 'cinq', 'funf'],
  ['six', 'seis', 'sechs'],
  ['seven', 'siete', 'sept', 'sieben'],
  ['eight', 'ocho', 'huit', 'acht'],
  ['nine', 'nueve', 'neuf', 'neun'],
  ['ten', 'diez', 'dix', 'zehn'],
  ['eleven', 'onze', 'elf'],
  ['twelve', 'doce', 'douze', 'zwolf'],
  ['thirteen', 'trece'],
  ['fourteen', 'catorce'],
  ['fifteen', 'quince', 'quinze', 'funfzehn'],
  ['sixteen', 'dieciseis'],
  ['seventeen', 'diecisiete'],
  ['eighteen', 'dieciocho'],
  ['nineteen', 'diecinueve'],
  ['twenty', 'veinte', 'vingt', 'zwanzig'],
] as const
const TENS = [
  ['thirty', 'treinta', 'trente', 'dreissig'],
  ['forty', 'cuarenta', 'quarante', 'vierzig'],
  ['fifty', 'cincuenta', 'cinquante', 'funfzig'],
  ['sixty', 'sesenta', 'soixante', 'sechzig'],
  ['seventy', 'setenta', 'siebzig'],
  ['eighty', 'ochenta', 'achtzig'],
  ['ninety', 'noventa', 'neunzig'],
] as const
const NUMBERS = new Map<string, number>([
  ...UNITS.flatMap((names, amount) => names.map((name) => [name, amount] as const)),
  ...TENS.flatMap((names, place) => names.map((name) => [name, 30 + 10 * place] as const)),
  ['noon', 12],
  ['mediodia', 12],
  ['midi', 12],
])
const DAYS = [
  /\b(?:monday|lunes|lundi|montag)\b/,
  /\b(?:tuesday|martes|mardi|dienstag)\b/,
  /\b(?:wednesday|miercoles|mercredi|mittwoch)\b/,
  /\b(?:thursday|jueves|jeudi|donnerstag)\b/,
  /\b(?:friday|viernes|vendredi|freitag)\b/,
  /\b(?:saturday|sabado|samedi|samstag)\b/,
  /\b(?:sunday|domingo|dimanche|sonntag)\b/,
] as const

const HALF_DAY = 720

interface Reading {
  readonly pattern: RegExp
  readonly read: (match: RegExpExecArray) => Value
}

const number = (match: RegExpExecArray, group: number) => Number((match[group] ?? '0').replace(',', '.'))
const clock = (hour: number, minute: number): Value => ({
  kind: 'time',
  amount: (((hour * 60 + minute) % HALF_DAY) + HALF_DAY) % HALF_DAY,
})

/** Tried in order; a reading removes what it matched from the text. */
const READINGS: readonly Reading[] = [
  {
    pattern: /(\d+(?:[.,]\d+)?)\s?(?:%|percent\b|per cent\b|por ciento\b|pour cent\b|prozent\b)/g,
    read: (match) => of('percent', match),
  },
  { pattern: /[$€£]\s?(\d+(?:[.,]\d+)?)/g, read: (match) => of('money', match) },
  {
    pattern: /(\d+(?:[.,]\d+)?)\s?(?:[$€£]|(?:dollars?|euros?|pounds?|usd|eur|gbp|bucks|dolares|libras)\b)/g,
    read: (match) => of('money', match),
  },
  { pattern: /\bhalf past (\d{1,2})\b/g, read: (match) => clock(number(match, 1), 30) },
  { pattern: /\bquarter past (\d{1,2})\b/g, read: (match) => clock(number(match, 1), 15) },
  { pattern: /\bquarter to (\d{1,2})\b/g, read: (match) => clock(number(match, 1), -15) },
  { pattern: /\bhalb (\d{1,2})\b/g, read: (match) => clock(number(match, 1), -30) },
  {
    pattern: /\b(\d{1,2}) y media\b|\b(\d{1,2})(?: heures?)? et demie\b/g,
    read: (match) => clock(number(match, match[1] ? 1 : 2), 30),
  },
  { pattern: /\b(\d{1,2}) y cuarto\b/g, read: (match) => clock(number(match, 1), 15) },
  { pattern: /\b(\d{1,2}) menos cuarto\b/g, read: (match) => clock(number(match, 1), -15) },
  {
    pattern: /\b([01]?\d|2[0-4])(?::| ?h ?|\.)([0-5]\d)(?!\d)(?:\s?(?:[ap]\.?m\b\.?|uhr))?/g,
    read: (match) => clock(number(match, 1), number(match, 2)),
  },
  {
    pattern: /\b(\d{1,2}) (15|30|45)\b(?:\s?[ap]\.?m\b)?/g,
    read: (match) => clock(number(match, 1), number(match, 2)),
  },
  {
    pattern: /\b(\d{1,2})\s?(?:[ap]\.?m\b|o'clock\b|uhr\b|heures?\b|h\b)/g,
    read: (match) => clock(number(match, 1), 0),
  },
  { pattern: /\b(?:at|a las?|um|vers) (\d{1,2})\b/g, read: (match) => clock(number(match, 1), 0) },
  { pattern: /\b(\d+(?:[.,]\d+)?)\b/g, read: (match) => of('number', match) },
]

function of(kind: Value['kind'], match: RegExpExecArray): Value {
  return { kind, amount: number(match, 1) }
}

/** Times, days, amounts and numbers in a plain text, in the most common call languages. */
export function valuesIn(plain: string): Value[] {
  let rest = inDigits(plain)
  const values = DAYS.flatMap((day, amount): Value[] => (day.test(plain) ? [{ kind: 'day', amount }] : []))
  for (const { pattern, read } of READINGS) {
    values.push(...[...rest.matchAll(pattern)].map(read))
    rest = rest.replaceAll(pattern, ' ; ')
  }
  return values
}

/** "That one" is no number; "at one" and "one percent" are. */
const PRONOUN =
  /(?<!\b(?:at|past|to|las?) )\b(?:one|una|uno|une)\b(?! (?:o'clock|[ap]m\b|percent|per cent|dollar|euro|pound|hundred|thousand|y media|y cuarto))/g

function inDigits(plain: string): string {
  return (
    plain
      .replaceAll(PRONOUN, ' ')
      // Spanish "once" (11) only after "las": the English word means one time.
      .replaceAll(/\blas once\b/g, 'las 11')
      .replaceAll(/\p{L}+/gu, (word) => String(NUMBERS.get(word) ?? word))
      .replaceAll(/\b([2-9])0[ -]([1-9])\b/g, '$1$2')
      .replaceAll(
        /\b(?:(\d+)|a) hundred(?: and)?(?: (\d{1,2}))?\b/g,
        (_, hundreds: string | undefined, more: string | undefined) =>
          String(Number(hundreds ?? 1) * 100 + Number(more ?? 0)),
      )
  )
}
