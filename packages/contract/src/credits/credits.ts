import type { CreditPackage, PackageId } from './shapes.ts'

export const FREE_CREDITS = 10
export const SECONDS_PER_CREDIT = 60
export const CURRENCY = 'usd'
export const USAGE_HISTORY_DAYS = 10
export const TEST_PAYMENT = { intentPrefix: 'pi_test_', credits: 10, firstDelayMs: 2000, secondDelayMs: 1500 } as const
export const PUBLISHABLE_KEY_PREFIX = 'pk_'
/** Keys of the payments sandbox that stands in for Stripe. */
export const SANDBOX_KEYS = { secret: 'sk_test_sandbox', publishable: 'pk_test_sandbox' } as const
/** Stripe's signed events arrive here as raw bytes; the signature is the access. */
export const STRIPE_WEBHOOK_PATH = '/api/stripe/webhook'
/** A balance that falls below this is told once, by mail and on the page, until it has been there again. */
export const LOW_BALANCE_CREDITS = 3

/** Credits a call of that many connected seconds costs: one for each minute begun, none for no connection. */
export function creditsForSeconds(connectedSeconds: number): number {
  return Math.ceil(connectedSeconds / SECONDS_PER_CREDIT)
}

/** The least that these credits last for, shown beside a balance. */
export function estimatedMinutes(credits: number): number {
  return Math.floor((credits * SECONDS_PER_CREDIT) / 60)
}

/**
 * How long a call may last when nobody says so: as long as usual, but never with more than half of the credits, so that
 * one call does not hold them all.
 */
export function minutesWithRoom(usualMinutes: number, credits: number): number {
  return Math.min(usualMinutes, Math.max(1, Math.floor(estimatedMinutes(credits) / 2)))
}

export const PACKAGE_IDS = ['light', 'premium', 'pro'] as const

export const PACKAGES: readonly [CreditPackage, CreditPackage, CreditPackage] = [
  {
    id: 'light',
    name: 'Light',
    credits: 10,
    price: 9.99,
    popular: false,
    description: 'For the calls you keep putting off',
    productId: 'parley_light',
    features: ['10 call credits', 'Transcripts and summaries', 'Credits never expire'],
  },
  {
    id: 'premium',
    name: 'Premium',
    credits: 25,
    price: 19.99,
    bonus: 5,
    popular: true,
    description: 'For people who call every week',
    productId: 'parley_premium',
    features: ['25 call credits and 5 more', 'Transcripts and summaries', 'Credits never expire'],
  },
  {
    id: 'pro',
    name: 'Pro',
    credits: 75,
    price: 49.99,
    bonus: 25,
    popular: false,
    description: 'For teams that work through a list',
    productId: 'parley_pro',
    features: ['75 call credits and 25 more', 'Enough for a list of a hundred', 'Credits never expire'],
  },
]
/** Checkout preselects the second package, /new-payment the light one. */
export const CHECKOUT_DEFAULT: PackageId = 'premium'
export const NEW_PAYMENT_DEFAULT: PackageId = 'light'

export function packageById(id: string): CreditPackage | undefined {
  return PACKAGES.find((each) => each.id === id)
}

export function totalCredits(item: Pick<CreditPackage, 'credits' | 'bonus'>): number {
  return item.credits + (item.bonus ?? 0)
}

/** Price in whole cents. */
export function amountCents(item: Pick<CreditPackage, 'price'>): number {
  return Math.round(item.price * 100)
}

/** A purchase somebody began and left alone is not listed. */
export const PAYMENT_STATUSES = ['processing', 'succeeded', 'failed', 'canceled'] as const

/** What moved credits. */
export const MOVEMENT_KINDS = ['grant', 'purchase', 'settle', 'clawback', 'repay', 'adjust'] as const
