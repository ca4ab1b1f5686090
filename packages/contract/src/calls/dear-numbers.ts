/** Premium numbers. A callee may name one, which must not become a result of the call. */

/** Prefixes of premium numbers written without a country code. */
const DEAR_PREFIX = /^(?:1?900|0?90\d|0180|0137|0118|118|08[479]|80[36]|89[0-9]|1?976)/
const DIGITS_MIN = 6
const SPELLED = new Map(
  [
    'zero one two three four five six seven eight nine',
    'cero uno dos tres cuatro cinco seis siete ocho nueve',
    'zero un deux trois quatre cinq six sept huit neuf',
    'null eins zwei drei vier funf sechs sieben acht neun',
  ].flatMap((words) => words.split(' ').map((word, digit): [string, string] => [word, String(digit)])),
)

/** Telephone numbers in a text, in figures or digit by digit in words: "nine hundred, five five five". */
export function numbersNamedIn(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\bdouble[ -](\p{L}+|\d)/gu, '$1 $1')
    .replace(/\b(?:triple|treble)[ -](\p{L}+|\d)/gu, '$1 $1 $1')
    .replace(/\p{L}+/gu, (word) => SPELLED.get(word) ?? (word === 'oh' ? '0' : word === 'plus' ? '+' : word))
    .replace(/(\d)[ -]*hundred\b/g, '$100')
  const found = plain.match(/\+?\s?\(?\d(?:[^\p{L}\p{N}\n]{0,3}\d){5,}/gu) ?? []
  return found
    .map((number) => number.replace(/[^\d+]/g, ''))
    .filter((digits) => digits.replace('+', '').length >= DIGITS_MIN)
}

/** Checks the prefix only, since the country is unknown. */
export function looksDear(digits: string): boolean {
  const national = digits.replace(/^\+?1(?=9)/, '')
  return (
    DEAR_PREFIX.test(national) ||
    /^(?:\+|00)(?:49|43|41|33|34|44|39|30)0?(?:90\d|118|137|180|89\d|80[36]|9[01]\d)/.test(digits)
  )
}

export function namesDearNumber(text: string): boolean {
  return numbersNamedIn(text).some(looksDear)
}

/** Requests to call or ring a number at the caller's cost. */
const ASKS_TO_RING =
  /\b(?:call|dial|phone|ring|press|text|type|enter|message|whatsapp|send|reach|llam\w+|marqu\w+|puls\w+|appel\w+|compos\w+|rappel\w+|ruf\w*|anruf\w*|wahl\w*|druck\w*)\b/iu

export function asksToRing(text: string): boolean {
  return ASKS_TO_RING.test(text)
}
