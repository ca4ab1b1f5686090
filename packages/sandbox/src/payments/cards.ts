import type Stripe from 'stripe'
import { refused } from './errors.ts'

type Brand = 'visa' | 'mastercard' | 'amex'

/** How a card number behaves; the numbers are those of Stripe's test mode. */
export interface TestCard {
  readonly number: string
  readonly brand: Brand
  /** The bank's answer to a charge. */
  readonly charge: 'approve' | 'process' | Decline
  /**
   * Whether the bank requires authentication: always on a page, and off session unless the card was set up on a page.
   */
  readonly authenticates?: boolean
  /** The customer disputes the charge at once. */
  readonly disputes?: boolean
  /** A refund fails after it was sent. */
  readonly refundFails?: boolean
  /** Declined during setup as well. */
  readonly declinesSetup?: boolean
}

export interface Decline {
  readonly code: string
  readonly declineCode: string
  readonly message: string
}

const decline = (code: string, declineCode: string, message: string): Decline => ({ code, declineCode, message })
const GENERIC = decline('card_declined', 'generic_decline', 'Your card was declined.')

const CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', charge: 'approve' },
  { number: '5555555555554444', brand: 'mastercard', charge: 'approve' },
  { number: '378282246310005', brand: 'amex', charge: 'approve' },
  { number: '4000000000000002', brand: 'visa', charge: GENERIC, declinesSetup: true },
  {
    number: '4000000000009995',
    brand: 'visa',
    charge: decline('card_declined', 'insufficient_funds', 'Your card has insufficient funds.'),
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    charge: decline('expired_card', 'expired_card', 'Your card has expired.'),
    declinesSetup: true,
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    charge: decline('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."),
    declinesSetup: true,
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    charge: decline(
      'processing_error',
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ),
  },
  { number: '4000002500003155', brand: 'visa', charge: 'approve', authenticates: true },
  { number: '4000008400001629', brand: 'visa', charge: GENERIC, authenticates: true },
  { number: '4000000000000077', brand: 'visa', charge: 'process' },
  { number: '4000000000000341', brand: 'visa', charge: GENERIC },
  { number: '4000000000000259', brand: 'visa', charge: 'approve', disputes: true },
  { number: '4000000000005126', brand: 'visa', charge: 'approve', refundFails: true },
]

/** Payment methods that programs may name without card data. */
const NAMED: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_authenticationRequired: '4000002500003155',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_createDispute: '4000000000000259',
}

export function namedCard(id: string): string | undefined {
  return NAMED[id]
}

export interface CardEntry {
  readonly number: string
  readonly exp_month: number
  readonly exp_year: number
  readonly cvc?: string | undefined
}

export function testCard(number: string): TestCard {
  const known = CARDS.find((card) => card.number === number)
  if (known) return known
  const declined = decline(
    'card_declined',
    'test_mode_live_card',
    'Your card was declined. Your request was in test mode, but used a non test card.',
  )
  return { number, brand: 'visa', charge: declined, declinesSetup: true }
}

/** Refuses invalid card data, as Stripe's form does. */
export function checkEntry({ number, exp_month: month, exp_year: year, cvc }: CardEntry, now = new Date()): TestCard {
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    throw refused('Your card number is incorrect.', { code: 'incorrect_number', param: 'number' })
  }
  if (month < 1 || month > 12)
    throw refused("Your card's expiration month is invalid.", { code: 'invalid_expiry_month', param: 'exp_month' })
  const fullYear = year < 100 ? 2000 + year : year
  const isPast = fullYear < now.getUTCFullYear() || (fullYear === now.getUTCFullYear() && month < now.getUTCMonth() + 1)
  if (isPast || fullYear > now.getUTCFullYear() + 50) {
    throw refused("Your card's expiration year is invalid.", { code: 'invalid_expiry_year', param: 'exp_year' })
  }
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc))
    throw refused("Your card's security code is invalid.", { code: 'invalid_cvc', param: 'cvc' })
  return testCard(number)
}

function passesLuhn(number: string): boolean {
  const sum = Array.from(number)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/** As Stripe describes a card: its brand and last digits, never its number. */
export function describeCard(
  { number, brand }: TestCard,
  { exp_month, exp_year }: Pick<CardEntry, 'exp_month' | 'exp_year'>,
): Stripe.PaymentMethod.Card {
  return {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: brand === 'amex' ? 'american_express' : brand,
    exp_month,
    exp_year: exp_year < 100 ? 2000 + exp_year : exp_year,
    fingerprint: `sandbox${number.slice(-8)}`,
    funding: 'credit',
    generated_from: null,
    last4: number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
}
