/** Whole numbers in words, below a billion (10⁹), in the languages that are written out here. */

type Numerals = (value: number) => string

const EN_SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ')
const EN_TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

export function english(value: number): string {
  if (value < 20) return EN_SMALL[value] ?? ''
  if (value < 100) return joined(EN_TENS[Math.floor(value / 10)], value % 10, english, '-')
  if (value < 1000) return joined(`${english(Math.floor(value / 100))} hundred`, value % 100, english)
  if (value < 1e6) return joined(`${english(Math.floor(value / 1000))} thousand`, value % 1000, english)
  return joined(`${english(Math.floor(value / 1e6))} million`, value % 1e6, english)
}

const EN_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

export function englishOrdinal(value: number): string {
  return english(value).replace(/[a-z]+$/, (last) => EN_ORDINALS[last] ?? `${last.replace(/y$/, 'ie')}th`)
}

const DE_SMALL = (
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn ' +
  'achtzehn neunzehn'
).split(' ')
const DE_TENS = '- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ')

export function german(value: number): string {
  if (value < 20) return DE_SMALL[value] ?? ''
  if (value < 100) {
    const ones = value % 10
    const tens = DE_TENS[Math.floor(value / 10)] ?? ''
    return ones === 0 ? tens : `${germanBefore(ones)}und${tens}`
  }
  if (value < 1000) return joined(`${germanBefore(Math.floor(value / 100))}hundert`, value % 100, german, '')
  if (value < 1e6) return joined(`${germanBefore(Math.floor(value / 1000))}tausend`, value % 1000, german, '')
  const millions = Math.floor(value / 1e6)
  return joined(millions === 1 ? 'eine Million' : `${german(millions)} Millionen`, value % 1e6, german)
}

/** Before what it counts: "ein Uhr", "einhundert". */
export function germanBefore(value: number): string {
  return value === 1 ? 'ein' : german(value)
}

const DE_ORDINALS: Readonly<Record<number, string>> = { 1: 'erst', 3: 'dritt', 7: 'siebt', 8: 'acht' }

/** Without its ending, of days and floors. */
export function germanOrdinal(value: number): string {
  return DE_ORDINALS[value] ?? german(value) + (value < 20 ? 't' : 'st')
}

const FR_SMALL = (
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit ' +
  'dix-neuf'
).split(' ')
const FR_TENS = '- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ')

export function french(value: number): string {
  if (value < 20) return FR_SMALL[value] ?? ''
  if (value < 100) return frenchTens(value)
  if (value < 1000) {
    const hundreds = Math.floor(value / 100)
    const rest = value % 100
    const head = hundreds === 1 ? 'cent' : `${french(hundreds)} cent${rest === 0 ? 's' : ''}`
    return joined(head, rest, french)
  }
  if (value < 1e6) {
    const thousands = Math.floor(value / 1000)
    // "Quatre-vingt mille" and "deux cent mille" have no s.
    const head = thousands === 1 ? 'mille' : `${french(thousands).replace(/(vingt|cent)s$/, '$1')} mille`
    return joined(head, value % 1000, french)
  }
  const millions = Math.floor(value / 1e6)
  return joined(`${french(millions)} million${millions === 1 ? '' : 's'}`, value % 1e6, french)
}

function frenchTens(value: number): string {
  const tens = Math.floor(value / 10)
  const isOnTeens = tens === 7 || tens === 9
  const ones = (value % 10) + (isOnTeens ? 10 : 0)
  const head = FR_TENS[tens] ?? ''
  if (ones === 0) return tens === 8 ? `${head}s` : head
  if ((ones === 1 || ones === 11) && tens < 8) return `${head} et ${french(ones)}`
  return `${head}-${french(ones)}`
}

const ES_SMALL = (
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete ' +
  'dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete ' +
  'veintiocho veintinueve'
).split(' ')
const ES_TENS = '- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' ')
const ES_HUNDREDS =
  '- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(' ')

export function spanish(value: number): string {
  if (value < 30) return ES_SMALL[value] ?? ''
  if (value < 100) return joined(ES_TENS[Math.floor(value / 10)], value % 10, spanish, ' y ')
  if (value === 100) return 'cien'
  if (value < 1000) return joined(ES_HUNDREDS[Math.floor(value / 100)], value % 100, spanish)
  if (value < 1e6) {
    const thousands = Math.floor(value / 1000)
    return joined(thousands === 1 ? 'mil' : `${spanishBefore(thousands)} mil`, value % 1000, spanish)
  }
  const millions = Math.floor(value / 1e6)
  return joined(millions === 1 ? 'un millón' : `${spanishBefore(millions)} millones`, value % 1e6, spanish)
}

/** Before a masculine noun: "veintiún euros". */
export function spanishBefore(value: number): string {
  return spanish(value)
    .replace(/veintiuno$/, 'veintiún')
    .replace(/\buno$/, 'un')
}

function joined(head: string | undefined, rest: number, words: Numerals, gap = ' '): string {
  return rest === 0 ? (head ?? '') : `${head ?? ''}${gap}${words(rest)}`
}
