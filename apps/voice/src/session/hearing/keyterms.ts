import type { CallOrder } from '@parley/contract'

const KEYTERMS_MAX = 50
const TERM_LETTERS_MAX = 60
/** Fields of the context that hold names. */
const NAME_FIELD = /name|company|business|firm|contact|person|doctor|place/i
/** Capitalised words in a row, behind another word: the first word of a sentence is capitalised anyway. */
const NAMES = /(?<=[\p{L}\p{N},;:'’)-]\s)\p{Lu}[\p{L}\p{N}'’-]*\.?(?:\s\p{Lu}[\p{L}\p{N}'’-]*)*/gu

/** The names and rare words that an ear should expect in this call, the most important first. */
export function keytermsOf({
  onBehalfOf,
  purpose,
  objectives,
  context,
}: Pick<CallOrder, 'onBehalfOf' | 'purpose' | 'objectives' | 'context'>): string[] {
  const named = Object.entries(context).flatMap(([field, value]) =>
    typeof value === 'string' && NAME_FIELD.test(field) ? [value] : [],
  )
  const mentioned = [purpose, ...objectives].flatMap((text) => text.match(NAMES) ?? [])
  const terms = new Map<string, string>()
  for (const term of [onBehalfOf, ...named, ...mentioned].map((found) => found.trim().replace(/\.$/, ''))) {
    const key = term.toLowerCase()
    if (term !== '' && term.length <= TERM_LETTERS_MAX && !terms.has(key)) terms.set(key, term)
  }
  return [...terms.values()].slice(0, KEYTERMS_MAX)
}
