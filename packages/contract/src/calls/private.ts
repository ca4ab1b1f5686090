import { markOf } from './marks.ts'
import { PRIVATE_NAMES } from './private-names.ts'

/**
 * Values that must not be said in a call. A value of the context can be marked: {"value": "8642", "private": true}.
 * Other values count as private by their name, in every language of the call forms.
 */

/** A name in words: small letters without accents, "cardNumber" and "card_number" as "card number". */
export function wordsOfName(name: string): string {
  return foldText(name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Lower case without accents, so that hasty typing matches. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/œ/g, 'oe')
    .toLowerCase()
}

/** From this length on a name also matches inside a compound name. */
const WITHIN_LENGTH = 8
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

interface Lookup {
  readonly alone: ReadonlySet<string>
  readonly whole: readonly string[]
  readonly within: readonly string[]
}

function lookupOf(names: readonly string[]): Lookup {
  const alone = new Set(names.filter((name) => name.startsWith('=')).map(wordsOfName))
  const whole = [...new Set(names.filter((name) => !name.startsWith('=')).map(wordsOfName))]
  const compact = whole.map((name) => name.replaceAll(' ', ''))
  return { alone, whole, within: compact.filter((name) => name.length >= WITHIN_LENGTH || UNSPACED.test(name)) }
}

const ALL = Object.values(PRIVATE_NAMES)
const SECRET = lookupOf(ALL.flatMap(({ secret }) => secret))
const PERSONAL = lookupOf(ALL.flatMap(({ personal }) => personal))
const PRIVATE = lookupOf(ALL.flatMap((names) => [...names.secret, ...names.private]))

const REMEMBERED = 1000

/** Memoised: a long batch has the same few names in every row. */
export function remembered(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    if (known.size >= REMEMBERED) known.clear()
    const judged = judge(name)
    known.set(name, judged)
    return judged
  }
}

function isAmong(name: string, { alone, whole, within }: Lookup): boolean {
  const words = wordsOfName(name)
  const spaced = ` ${words} `
  const compact = words.replaceAll(' ', '')
  return (
    alone.has(words) ||
    whole.some((each) => spaced.includes(` ${each} `)) ||
    within.some((each) => compact.includes(each))
  )
}

/** A value of this name is never said, marked or not. */
const isNeverSaid = remembered((name) => isAmong(name, PRIVATE))
const isPersonalName = remembered((name) => isAmong(name, PERSONAL))

/** A value of this name is not said; personal data is said if marked {"private": false}. */
export function isPrivateName(name: string, isCleared = false): boolean {
  return isNeverSaid(name) || (!isCleared && isPersonalName(name))
}

/** A field for a password, a PIN or the check digits of a card. */
export const isSecretName = remembered((name) => isAmong(name, SECRET))

/** A text, number or boolean of a context with the names that lead to it. */
export interface ContextLeaf {
  readonly path: readonly string[]
  readonly value: string | number | boolean
  /** Marked private, here or in a parent. */
  readonly isMarked: boolean
  /** Marked as not private, and no parent marked private. */
  readonly isCleared: boolean
  /** One of several under this name. */
  readonly isItem: boolean
}

/**
 * Every value of a context, in its order, without the marks around them. A list's items stand under the list's own
 * name.
 */
export function leavesOf(context: Readonly<Record<string, unknown>>): ContextLeaf[] {
  const leaves: ContextLeaf[] = []
  const open: (Omit<ContextLeaf, 'value'> & { readonly value: unknown })[] = []
  const push = (parts: typeof open) => void open.push(...parts.toReversed())
  const named = (values: object, path: readonly string[], isMarked: boolean, isCleared: boolean) =>
    push(
      Object.entries(values).map(([name, value]: [string, unknown]) => ({
        value,
        path: [...path, name],
        isMarked,
        isCleared,
        isItem: false,
      })),
    )
  named(context, [], false, false)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, isMarked, isCleared, isItem } = next
    const mark = markOf(value)
    if (mark) {
      const isPrivate = isMarked || mark.isPrivate
      open.push({ value: mark.value, path, isMarked: isPrivate, isCleared: !isPrivate, isItem })
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      leaves.push({ path, value, isMarked, isCleared, isItem })
    else if (Array.isArray(value))
      push(value.map((item: unknown) => ({ value: item, path, isMarked, isCleared, isItem: true })))
    else if (typeof value === 'object' && value !== null) named(value, path, isMarked, isCleared)
  }
  return leaves
}
