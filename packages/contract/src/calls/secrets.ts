import { type ContextLeaf, foldText, isSecretName, leavesOf, remembered, wordsOfName } from './private.ts'
import type { Mandate } from './mandate-shapes.ts'
import { PRIVATE_NAMES } from './private-names.ts'

/** Finds card numbers and passwords, which a call must not contain: calls may be recorded and are transcribed. */

export interface SecretFound {
  readonly kind: 'card' | 'password'
  readonly field: 'purpose' | 'objectives' | 'context' | 'vault'
  /** The names that lead to it in the context, or its name in the vault. */
  readonly path: readonly string[]
}

interface OrderTexts {
  readonly purpose?: string | undefined
  readonly objectives?: readonly string[] | undefined
  readonly context?: Readonly<Record<string, unknown>> | undefined
  readonly vault?: readonly { readonly name: string; readonly value: string }[] | undefined
  readonly mandates?: readonly (Mandate | null)[] | undefined
}

/** The first of them, or undefined. */
export function secretIn({
  purpose = '',
  objectives = [],
  context = {},
  vault = [],
  mandates = [],
}: OrderTexts): SecretFound | undefined {
  const alternatives = mandates.flatMap((each) =>
    each?.rule === 'within_limits' ? (each.limits.alternatives ?? []) : [],
  )
  const said = [
    ['purpose', purpose] as const,
    ...[...objectives, ...alternatives].map((text) => ['objectives', text] as const),
  ]
  for (const [field, text] of said) {
    const kind = kindIn(text)
    if (kind) return { kind, field, path: [] }
  }
  if (holdsCardNumber(objectives.join(' '))) return { kind: 'card', field: 'objectives', path: [] }
  return secretInContext(context) ?? secretInVault(vault)
}

function secretInContext(context: Readonly<Record<string, unknown>>): SecretFound | undefined {
  const leaves = leavesOf(context)
  for (const { path, value } of leaves) {
    const text = String(value)
    const kind = isPasswordField(path, value) ? 'password' : path.some(isPhoneName) ? undefined : kindIn(text)
    if (kind) return { kind, field: 'context', path }
  }
  const spread = spreadOver(leaves)
  if (spread) return { kind: 'card', field: 'context', path: spread.path }
  // A column's own name may hold one too.
  const name = Object.keys(context).find((each) => kindIn(each) !== undefined)
  return name === undefined ? undefined : { kind: kindIn(name) ?? 'card', field: 'context', path: [] }
}

/** The vault keeps what a callee may be told; a card number or a password is never told. */
function secretInVault(vault: NonNullable<OrderTexts['vault']>): SecretFound | undefined {
  for (const { name, value } of vault) {
    const ofName = kindIn(name)
    if (ofName) return { kind: ofName, field: 'vault', path: [] }
    const kind = isPasswordField([name], value) ? 'password' : kindIn(value)
    if (kind) return { kind, field: 'vault', path: [name] }
  }
  const spread = spreadOver(leavesOf(Object.fromEntries(vault.map(({ name, value }) => [name, value]))))
  return spread && { kind: 'card', field: 'vault', path: spread.path }
}

/** A number cut into neighbouring values: {"a": "4242 4242", "b": "4242 4242"}. */
function spreadOver(leaves: readonly ContextLeaf[]): ContextLeaf | undefined {
  let run: ContextLeaf[] = []
  for (const leaf of leaves) {
    const isPart = /^[\d\s.,_-]+$/.test(withPlainDigits(String(leaf.value))) && !leaf.path.some(isPhoneName)
    run = isPart ? [...run, leaf].slice(-CARD_DIGITS_MAX) : []
    if (run.length > 1 && holdsCardNumber(run.map(({ value }) => String(value)).join(' '))) return run[0]
  }
  return undefined
}

function kindIn(text: string): SecretFound['kind'] | undefined {
  if (holdsCardNumber(text)) return 'card'
  return tellsPassword(text) ? 'password' : undefined
}

// Card numbers

const CARD_DIGITS_MIN = 13
const CARD_DIGITS_MAX = 19
/** Groupings of card numbers: fours, and those of American Express and Diners. */
const GROUPINGS = new Set(['4,4,4,4', '4,4,4,4,3', '4,4,4,1', '4,6,5', '4,6,4', '6,13'])
/** Separators between two digits. */
const GAP = String.raw`[^\p{L}\p{N}]{1,3}`
const DIGITS = new RegExp(String.raw`(?<![\p{L}\p{N}+])\d(?:(?:${GAP})?\d){12,}(?![\p{L}\p{N}])`, 'gu')
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,3})?(?![\p{L}\p{N}])/gu

/** A card's number by length, first digit, grouping and check digit. A telephone number begins with a plus sign. */
export function holdsCardNumber(text: string): boolean {
  const plain = withSpelledDigits(withPlainDigits(text)).replace(IBAN, ' ')
  return [...plain.matchAll(DIGITS)].some(([found]) => {
    // Digits one by one are one group: "4 2 4 2".
    const groups = found.replace(SINGLE_GAP, '').split(SPLIT)
    // An expiry date may follow, or something else go before.
    return groups.some((_, from) => groups.slice(from).some((__, more) => isCard(groups.slice(from, from + more + 1))))
  })
}

const SPLIT = new RegExp(GAP, 'u')
const SINGLE_GAP = new RegExp(`(?<=(?<!\\d)\\d)${GAP}(?=\\d(?!\\d))`, 'gu')
const SPELLED = 'zero one two three four five six seven eight nine'.split(' ')
const SPELLED_DIGIT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(double|triple) )?(${SPELLED.join('|')}|oh|o|nought)(?![\p{L}\p{N}])`,
  'giu',
)

/** "Four two, double four" as "4 2, 4 4". */
function withSpelledDigits(text: string): string {
  return text.replace(SPELLED_DIGIT, (_, times: string | undefined, word: string) => {
    const digit = String(Math.max(0, SPELLED.indexOf(word.toLowerCase())))
    return Array.from({ length: times === undefined ? 1 : times.toLowerCase() === 'double' ? 2 : 3 }, () => digit).join(
      ' ',
    )
  })
}

function isCard(groups: readonly string[]): boolean {
  const digits = groups.join('')
  if (digits.length < CARD_DIGITS_MIN || digits.length > CARD_DIGITS_MAX || !/^[3-6]/.test(digits)) return false
  return (groups.length === 1 || GROUPINGS.has(groups.map(({ length }) => length).join(','))) && passesLuhn(digits)
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, place) => {
      const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}

/** The zeros of the digits that the languages of the call forms are written with. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xff10]

function withPlainDigits(text: string): string {
  return text
    .replace(/[\p{Cf}\u00ad]/gu, '')
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = ZEROS.find((each) => code >= each && code < each + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replace(/[\u00a0\u2007\u2009\u202f\u3000]/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/ {2,}| ?- ?/g, (gap) => (gap.includes('-') ? '-' : ' '))
}

const PHONE_NAME =
  /phone|mobile|telefon|handy|whatsapp|callee|movil|telemovel|celular|cellulare|τηλεφων|κινητο|फन|هاتف|جوال|电话|電話|手机|携帯/
const PHONE_WORD = /(?:^| )(?:tel|cell|fax|callback|portable|sms)(?: |$)/

const isPhoneName = remembered((name) => {
  const words = wordsOfName(name)
  return PHONE_NAME.test(words) || PHONE_WORD.test(words)
})

// Passwords

const EMPTY_VALUE = /^(?:\W*|yes|no|none|n\/?a|unknown|true|false|\{\{[^{}]*\}\}|\[[^\]]*\])$/i
/** India's postal codes are called PIN codes. */
const POSTAL_PIN = /(?:^| )pin ?codes?$/
const POSTAL_CODE = /^[1-9]\d{2} ?\d{3}$/

function isPasswordField(path: readonly string[], value: string | number | boolean): boolean {
  const text = String(value).trim()
  if (typeof value === 'boolean' || EMPTY_VALUE.test(text)) return false
  const name = path.find(isSecretName)
  return name !== undefined && !(POSTAL_PIN.test(wordsOfName(name)) && POSTAL_CODE.test(text))
}

const NAMES = Object.values(PRIVATE_NAMES).flatMap(({ secret }) => secret)
const NUMERIC =
  /^(?:pin|pin ?code|pin number|cvv2?|cvc2?|card security code)$|pin$|geheimzahl|kartenprufnummer|^पन$|सवव|暗証番号|ヒン/
const alternatives = (names: readonly string[]) =>
  [...new Set(names.map(wordsOfName))]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(' ', "[ '’-]"))
    .join('|')
const isNumeric = (name: string) => NUMERIC.test(wordsOfName(name))
const IS = '(?:is|es|e|est|ist|lautet|ειναι|ह|هي|هو|是|は)'
const BEFORE = '(?<![a-z\\d])'
/** "PIN 1234", "the CVV is 123". */
const DIGITS_TOLD = new RegExp(
  `${BEFORE}(?:${alternatives(NAMES.filter(isNumeric))})(?:[ -]?(?:code|number|no|nr))?[.]?\\s*(?:${IS}\\s|[:=#：])?\\s*\\d{3,8}(?![\\d%])`,
  'u',
)
const WORDED = `${BEFORE}(?:${alternatives(NAMES.filter((name) => !isNumeric(name)))})`
/**
 * "password: hunter2", "the password is hunter2"; "the password is wrong" and "password: how is it reset?" tell none.
 */
const TOKEN = String.raw`["'“”«]?(?=\S*[\d!@#$%^&*_])\S{3,}`
const PASSWORD_TOLD = new RegExp(`${WORDED}\\s*(?:[:=：]\\s*|\\s?${IS}\\s?:?\\s*)${TOKEN}`, 'u')
const PASSWORD_ALONE = new RegExp(`${WORDED}\\s*[:=：]\\s*[^\\s?,;\\[{]{3,}\\s*(?:$|[\\n,;])`, 'mu')
/** "Log in with hunter2 as password", "pasvard hunter2 hai". */
const PASSWORD_GIVEN = new RegExp(
  `(?:(?:log|sign) ?in (?:with|using|as)[^.!?\\n]{0,60}?\\S{3,}|${TOKEN.replace('["', '(?:with |use |using )["')}),? as (?:the |my |our |your |a )?${WORDED}|${WORDED}\\s+${TOKEN}\\s+(?:ह|है|hai|です)`,
  'u',
)
/** Words about a password that do not tell it: "my password is wrong", "rejected", "not working". */
const OF_PASSWORDS =
  '\\p{L}+(?:e[dr]|ing|able|rect[oa]?)|wrong|old|safe|weak|long|lost|no|not|still|too|the|falsch|faux|perdu|refuse'
/**
 * "My password is sunshine": whose it is makes a word of letters alone one; and a passphrase of several words needs no
 * owner.
 */
const PASSWORD_OWNED = new RegExp(
  `(?:${BEFORE}(?:my|our|mi|mon|mein)\\s+(?:\\p{L}+\\s+)?${WORDED}\\s?${IS}\\s?:?\\s*["'“”«]?(?!(?:${OF_PASSWORDS})(?!\\p{L}))\\p{L}{3,}|` +
    `passphrase is(?: (?!to |for |not |the )\\p{L}+){3,})["'“”»]?\\s*(?:$|[\\n.,;!]|and )`,
  'mu',
)
const PIN_POSTAL = /(?<![a-z\d])pin[ -]?codes?\s*[:=#]?\s*[1-9]\d{2} ?\d{3}(?!\d)/gu

/** A quick check: a text without any of these tells no password. */
const TELLING = /[\p{Nd}:=：!@#$%^&*_]| (?:as|is|es|est|ist|lautet) /iu

/** Whether a text tells a password or a PIN, and does not only speak of one. */
export function tellsPassword(text: string): boolean {
  if (!TELLING.test(text)) return false
  const folded = foldText(withPlainDigits(text)).replace(/\{\{[^{}]*\}\}/g, ' ')
  return (
    DIGITS_TOLD.test(folded.replace(PIN_POSTAL, ' ')) ||
    PASSWORD_TOLD.test(folded) ||
    PASSWORD_GIVEN.test(folded) ||
    PASSWORD_ALONE.test(folded) ||
    PASSWORD_OWNED.test(folded)
  )
}

// What is said about it

const WHAT = { card: 'a payment card number', password: 'a password or PIN' } as const
const WHERE = {
  purpose: 'the purpose',
  objectives: 'the objectives',
  context: 'the context',
  vault: 'the private values',
} as const

/** The sentence of the refusal, to be shown. */
export function secretSentence({ kind, field, path }: SecretFound, where: string = WHERE[field]): string {
  const place = path.length === 0 ? where : `${where} (${path.join(' › ')})`
  return `This looks like ${WHAT[kind]}. Parley must not be given card numbers or passwords: remove it from ${place}.`
}
