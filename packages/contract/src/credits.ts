import { z } from 'zod'
import { EnterpriseInquiry } from './accounts.ts'
import { Id, IdParams, Instant, MessageReply, PageQuery } from './common.ts'
import { defineRoute } from './route.ts'

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
 * How long a call may last when nobody says so: as long as usual, but never with more than half of the credits, so that one call
 * does not hold them all.
 */
export function minutesWithRoom(usualMinutes: number, credits: number): number {
  return Math.min(usualMinutes, Math.max(1, Math.floor(estimatedMinutes(credits) / 2)))
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

export const NewPaymentIntent = z
  .object({
    amount: z.int('Invalid amount.').positive('Invalid amount.').describe('Cents; must be the price in the catalogue'),
    credits: z.int().positive().describe('Credits and bonus; must be those in the catalogue'),
    packageId: z.string().max(40),
    productId: z.string().max(100).optional(),
    saveCard: z.boolean().optional().describe('Keep the card for auto top-up'),
  })
  .meta({ id: 'NewPaymentIntent' })

export const PaymentIntentReply = z.object({ clientSecret: z.string() }).meta({ id: 'PaymentIntent' })
export const SetupIntentReply = z.object({ clientSecret: z.string() }).meta({ id: 'SetupIntent' })

/** What a page needs to take a card. */
export const PaymentsConfig = z
  .object({
    mode: z.enum(['stripe', 'sandbox']).describe("stripe: Stripe.js; sandbox: the page's own card form, which talks to apiUrl"),
    publishableKey: z.string(),
    apiUrl: z.url().nullable().describe('Where the card form sends cards in the sandbox, in the wire format of Stripe.js'),
  })
  .meta({ id: 'PaymentsConfig' })
export type PaymentsConfig = z.infer<typeof PaymentsConfig>

export const PaymentResult = z
  .object({
    success: z.boolean(),
    credits: z.int().min(0),
    status: z
      .enum(['added', 'already_added', 'processing', 'unpaid'])
      .describe('already_added: an earlier request or the webhook added them; processing, unpaid: nothing was added'),
    message: z.string(),
  })
  .meta({ id: 'PaymentResult', description: "The message contains 'already been added' where status is already_added" })

export const AutoTopUp = z
  .object({ packageId: PackageId, thresholdCredits: z.int().min(1).max(1000) })
  .meta({ id: 'AutoTopUp', description: 'Buy this package with the saved card when the balance falls below the threshold' })

export const SavedCard = z.object({ brand: z.string(), last4: z.string(), expMonth: z.int(), expYear: z.int() }).meta({ id: 'SavedCard' })
export type SavedCard = z.infer<typeof SavedCard>

export const AutoTopUpState = z
  .object({
    settings: AutoTopUp.nullable().describe('null: switched off'),
    card: SavedCard.nullable(),
    problem: z
      .string()
      .nullable()
      .describe('Why the last automatic purchase failed, in a sentence; it waits until a card is saved or it is switched on again'),
  })
  .meta({ id: 'AutoTopUpState' })
export type AutoTopUpState = z.infer<typeof AutoTopUpState>

/** As the provider writes its ids: one becomes part of an address there. */
const IntentId = z.string().min(1).max(255).regex(/^\w+$/)

/** A purchase somebody began and left alone is not listed. */
export const PAYMENT_STATUSES = ['processing', 'succeeded', 'failed', 'canceled'] as const

export const Payment = z
  .object({
    id: Id.describe('Our order'),
    intentId: z.string(),
    packageId: PackageId,
    credits: z.int().describe('Credits and bonus'),
    amountCents: z.int(),
    currency: z.string(),
    status: z.enum(PAYMENT_STATUSES),
    refundedCents: z.int(),
    disputed: z.boolean().describe('The bank is looking into it, or decided against the payment'),
    automatic: z.boolean().describe('Made by auto top-up'),
    createdAt: Instant,
    paidAt: Instant.nullable().describe('There is a receipt once it is paid'),
  })
  .meta({ id: 'Payment' })
export type Payment = z.infer<typeof Payment>

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
  paymentsConfig: defineRoute({
    id: 'getPaymentsConfig',
    room,
    method: 'GET',
    path: '/api/payments/config',
    access: 'public',
    summary: 'What a page needs to take a card',
    reply: PaymentsConfig,
    errors: ['switched_off'],
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
    errors: ['invalid_package', 'invalid_amount', 'unavailable', 'switched_off'],
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
    errors: ['conflict', 'unavailable', 'switched_off'],
  }),
  autoTopUp: defineRoute({
    id: 'getAutoTopUp',
    room,
    method: 'GET',
    path: '/api/user/:id/auto-top-up',
    access: 'account',
    summary: 'Auto top-up and the saved card',
    params: IdParams,
    reply: AutoTopUpState,
  }),
  stopAutoTopUp: defineRoute({
    id: 'stopAutoTopUp',
    room,
    method: 'DELETE',
    path: '/api/user/:id/auto-top-up',
    access: 'session',
    summary: 'Switch auto top-up off; the card stays saved',
    params: IdParams,
    reply: AutoTopUpState,
  }),
  createSetupIntent: defineRoute({
    id: 'createSetupIntent',
    room,
    method: 'POST',
    path: '/api/create-setup-intent',
    access: 'session',
    summary: 'Begin saving a card without buying',
    reply: SetupIntentReply,
    errors: ['unavailable', 'switched_off'],
  }),
  saveCard: defineRoute({
    id: 'saveCard',
    room,
    method: 'POST',
    path: '/api/save-card',
    access: 'session',
    summary: 'Keep the card of a setup intent that the browser saw succeed',
    body: z.object({ setupIntentId: IntentId }).meta({ id: 'CardToSave' }),
    reply: AutoTopUpState,
    errors: ['conflict', 'not_found', 'unavailable', 'switched_off'],
  }),
  forgetCard: defineRoute({
    id: 'forgetCard',
    room,
    method: 'DELETE',
    path: '/api/user/:id/card',
    access: 'session',
    summary: 'Forget the saved card and switch auto top-up off',
    params: IdParams,
    reply: AutoTopUpState,
    errors: ['unavailable', 'switched_off'],
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
    errors: ['not_found', 'invalid_amount', 'unavailable', 'switched_off'],
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
    errors: ['not_found', 'invalid_amount', 'unavailable', 'switched_off'],
  }),
  payments: defineRoute({
    id: 'listPayments',
    room,
    method: 'GET',
    path: '/api/user/:id/payments',
    access: 'account',
    summary: 'Purchases, newest first',
    params: IdParams,
    query: PageQuery,
    reply: z.array(Payment),
    paged: true,
  }),
  receipt: defineRoute({
    id: 'getReceipt',
    room,
    method: 'GET',
    path: '/api/payments/:id/receipt.pdf',
    access: 'account',
    summary: 'Receipt of a purchase that was paid, as PDF',
    params: IdParams,
    status: 200,
  }),
  statement: defineRoute({
    id: 'getStatement',
    room,
    method: 'GET',
    path: '/api/user/:id/statement',
    access: 'account',
    summary: 'Everything that moved credits, newest first, with its cause and the balance afterwards',
    params: IdParams,
    query: PageQuery,
    reply: z.array(Movement),
    paged: true,
  }),
  statementFile: defineRoute({
    id: 'getStatementFile',
    room,
    method: 'GET',
    path: '/api/user/:id/statement.csv',
    access: 'account',
    summary: 'The whole statement as CSV',
    params: IdParams,
    status: 200,
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
