import { words } from '../../../words/index.ts'

/** The fields of the card form, as typed. */
export interface CardFields {
  readonly number: string
  readonly expiry: string
  readonly cvc: string
}

export type CardField = keyof CardFields
export type CardProblems = Partial<Record<CardField, string>>

export interface Card {
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
  readonly cvc: string
}

const NUMBER_DIGITS_MIN = 13
const NUMBER_DIGITS_MAX = 19
const AMEX = /^3[47]/

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

/** Groups as printed on the card: 4-4-4-4, or 4-6-5 on American Express. */
export function groupedNumber(typed: string): string {
  const digits = digitsOf(typed).slice(0, NUMBER_DIGITS_MAX)
  const groups = AMEX.test(digits) ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/.exec(digits)?.slice(1) : digits.match(/\d{1,4}/g)
  return (groups ?? []).filter(Boolean).join(' ')
}

/** MM / YY. The slash is added after the month and removed on deletion. */
export function slashedExpiry(typed: string, before = ''): string {
  const digits = digitsOf(typed)
  const month = /^[2-9]/.test(digits) ? `0${digits}` : digits
  const isDeleting = typed.length < before.length
  if (month.length < 2 || (isDeleting && month.length === 2)) return month
  // Some browsers autofill a four-digit year.
  const year = month.length === 6 ? month.slice(4) : month.slice(2, 4)
  return `${month.slice(0, 2)} / ${year}`
}

export function cvcDigits(typed: string): string {
  return digitsOf(typed).slice(0, 4)
}

/** The Luhn checksum. */
function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/** The card in the fields, or the problem of each field. */
export function checkCard(
  fields: CardFields,
  now: Date = new Date(),
): { readonly card: Card } | { readonly problems: CardProblems } {
  const number = digitsOf(fields.number)
  const [month = '', year = ''] = fields.expiry.split('/').map(digitsOf)
  const card = { number, expMonth: Number(month), expYear: 2000 + Number(year), cvc: digitsOf(fields.cvc) }
  const problems = Object.fromEntries(
    Object.entries({
      number: numberProblem(number),
      expiry:
        month.length < 2 || year.length < 2 ? words().credits.card.errors.expiryMissing : expiryProblem(card, now),
      cvc: card.cvc.length < (AMEX.test(number) ? 4 : 3) ? words().credits.card.errors.cvcMissing : undefined,
    }).filter(([, problem]) => problem !== undefined),
  )
  return Object.keys(problems).length > 0 ? { problems } : { card }
}

function numberProblem(number: string): string | undefined {
  const { numberMissing, numberWrong } = words().credits.card.errors
  if (number.length < NUMBER_DIGITS_MIN || (number.startsWith('4') && number.length < 16)) return numberMissing
  return hasCheckDigit(number) ? undefined : numberWrong
}

/** A card is valid to the last day of its month. */
function expiryProblem({ expMonth, expYear }: Card, now: Date): string | undefined {
  const { expiryWrong, expiryPast } = words().credits.card.errors
  if (expMonth < 1 || expMonth > 12) return expiryWrong
  const months = expYear * 12 + expMonth - (now.getFullYear() * 12 + now.getMonth() + 1)
  if (months < 0) return expiryPast
  return months > 50 * 12 ? expiryWrong : undefined
}
