import { z } from 'zod'
import { EnterpriseInquiry } from './accounts.ts'
import { Id, IdParams, Instant, MessageReply } from './common.ts'
import { defineRoute } from './route.ts'

export const FREE_CREDITS = 10
export const SECONDS_PER_CREDIT = 60
export const CURRENCY = 'usd'
export const USAGE_HISTORY_DAYS = 10
export const TEST_PAYMENT = { intentPrefix: 'pi_test_', credits: 10, firstDelayMs: 2000, secondDelayMs: 1500 } as const
export const PUBLISHABLE_KEY_PREFIX = 'pk_'

/** Credits a call of that many connected seconds costs: one for each minute begun, none for no connection. */
export function creditsForSeconds(connectedSeconds: number): number {
  return Math.ceil(connectedSeconds / SECONDS_PER_CREDIT)
}

export const PACKAGE_IDS = ['light', 'premium', 'pro'] as const
export const PackageId = z.enum(PACKAGE_IDS)
export type PackageId = z.infer<typeof PackageId>

export const CreditPackage = z
  .object({
    id: PackageId,
    name: z.string(),
    credits: z.int().positive(),
    price: z.number().positive().describe('USD'),
    bonus: z.int().min(0).optional(),
    popular: z.boolean(),
    description: z.string(),
    productId: z.string(),
    features: z.array(z.string()),
  })
  .meta({ id: 'CreditPackage' })
export type CreditPackage = z.infer<typeof CreditPackage>

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
    features: ['75 call credits and 25 more', 'Batch calls from a file', 'Credits never expire'],
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

export const NewPaymentIntent = z
  .object({
    amount: z.int('Invalid amount.').positive('Invalid amount.').describe('Cents; must be the price in the catalogue'),
    credits: z.int().positive().describe('Credits and bonus; must be those in the catalogue'),
    packageId: z.string().max(40),
    productId: z.string().max(100).optional(),
  })
  .meta({ id: 'NewPaymentIntent' })

export const PaymentIntentReply = z.object({ clientSecret: z.string() }).meta({ id: 'PaymentIntent' })

export const PaymentResult = z
  .object({ success: z.boolean(), credits: z.int().min(0), message: z.string() })
  .meta({ id: 'PaymentResult', description: "A message containing 'already been added' means the credits were there before" })

export const AutoTopUp = z
  .object({ packageId: PackageId, thresholdCredits: z.int().min(1).max(1000) })
  .meta({ id: 'AutoTopUp', description: 'Buy this package with the saved card when the balance falls below the threshold' })

const IntentId = z.string().min(1).max(255)

export const UsageDay = z.object({ date: z.iso.date(), calls: z.int(), seconds: z.int(), credits: z.int() }).meta({ id: 'UsageDay' })

export const Usage = z
  .object({
    days: z.array(UsageDay),
    totals: z.object({ calls: z.int(), seconds: z.int(), credits: z.int() }),
  })
  .meta({ id: 'Usage', description: `The last ${USAGE_HISTORY_DAYS} days by completion date` })

/** What moved credits. */
export const MOVEMENT_KINDS = ['grant', 'purchase', 'settle', 'clawback', 'repay', 'adjust'] as const

export const Movement = z
  .object({
    id: Id,
    kind: z.enum(MOVEMENT_KINDS),
    credits: z.int().describe('Into the wallet when positive'),
    balance: z.int().describe('Posted credits afterwards'),
    cause: z.string().describe('In a sentence'),
    callId: Id.nullable(),
    at: Instant,
  })
  .meta({ id: 'Movement' })
export type Movement = z.infer<typeof Movement>

const room = 'credits'

export const creditsRoutes = {
  packages: defineRoute({
    id: 'listPackages',
    room,
    method: 'GET',
    path: '/api/packages',
    access: 'public',
    summary: 'What credits cost',
    reply: z.array(CreditPackage),
  }),
  createPaymentIntent: defineRoute({
    id: 'createPaymentIntent',
    room,
    method: 'POST',
    path: '/api/create-payment-intent',
    access: 'session',
    summary: 'Begin buying a package',
    body: NewPaymentIntent,
    reply: PaymentIntentReply,
    idempotent: true,
    errors: ['invalid_package', 'invalid_amount', 'unavailable'],
  }),
  createSubscription: defineRoute({
    id: 'createSubscription',
    room,
    method: 'POST',
    path: '/api/create-subscription',
    access: 'session',
    summary: 'Switch auto top-up on',
    body: AutoTopUp,
    reply: AutoTopUp,
    errors: ['conflict', 'unavailable'],
  }),
  processPaymentSuccess: defineRoute({
    id: 'processPaymentSuccess',
    room,
    method: 'POST',
    path: '/api/process-payment-success',
    access: 'session',
    summary: 'Credit a payment that the browser saw succeed',
    body: z.object({ paymentIntentId: IntentId, credits: z.int().positive().optional() }).meta({ id: 'PaymentSuccess' }),
    reply: PaymentResult,
    errors: ['unavailable'],
  }),
  processMissedPayment: defineRoute({
    id: 'processMissedPayment',
    room,
    method: 'POST',
    path: '/api/process-missed-payment',
    access: 'session',
    summary: 'Credit a payment whose success was not recorded',
    body: z.object({ paymentIntentId: IntentId }).meta({ id: 'MissedPayment' }),
    reply: PaymentResult,
    errors: ['unavailable'],
  }),
  usage: defineRoute({
    id: 'getUsage',
    room,
    method: 'GET',
    path: '/api/user/:id/usage',
    access: 'account',
    summary: `Calls, seconds and credits of the last ${USAGE_HISTORY_DAYS} days`,
    params: IdParams,
    reply: Usage,
  }),
  enterprise: defineRoute({
    id: 'contactSales',
    room,
    method: 'POST',
    path: '/api/enterprise-contact',
    access: 'public',
    summary: 'Ask for enterprise terms; answered within 24 hours',
    body: EnterpriseInquiry,
    reply: MessageReply,
    status: 201,
  }),
} as const
