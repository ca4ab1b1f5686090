import { Id, Instant } from '../common-shapes.ts'
import { MOVEMENT_KINDS, PACKAGE_IDS, PAYMENT_STATUSES, USAGE_HISTORY_DAYS } from './credits.ts'
import { z } from 'zod'

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
    mode: z
      .enum(['stripe', 'sandbox'])
      .describe("stripe: Stripe.js; sandbox: the page's own card form, which talks to apiUrl"),
    publishableKey: z.string(),
    apiUrl: z
      .url()
      .nullable()
      .describe('Where the card form sends cards in the sandbox, in the wire format of Stripe.js'),
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

export const AutoTopUp = z.object({ packageId: PackageId, thresholdCredits: z.int().min(1).max(1000) }).meta({
  id: 'AutoTopUp',
  description: 'Buy this package with the saved card when the balance falls below the threshold',
})

export const SavedCard = z
  .object({ brand: z.string(), last4: z.string(), expMonth: z.int(), expYear: z.int() })
  .meta({ id: 'SavedCard' })
export type SavedCard = z.infer<typeof SavedCard>

export const AutoTopUpState = z
  .object({
    settings: AutoTopUp.nullable().describe('null: switched off'),
    card: SavedCard.nullable(),
    problem: z
      .string()
      .nullable()
      .describe(
        'Why the last automatic purchase failed, in a sentence; it waits until a card is saved or it is switched on again',
      ),
  })
  .meta({ id: 'AutoTopUpState' })
export type AutoTopUpState = z.infer<typeof AutoTopUpState>

/** The provider's format: ids become part of its URLs. */
export const IntentId = z.string().min(1).max(255).regex(/^\w+$/)

export const Payment = z
  .object({
    id: Id.describe('The id of the purchase'),
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

export const UsageDay = z
  .object({ date: z.iso.date(), calls: z.int(), seconds: z.int(), credits: z.int() })
  .meta({ id: 'UsageDay' })

export const Usage = z
  .object({
    days: z.array(UsageDay),
    totals: z.object({ calls: z.int(), seconds: z.int(), credits: z.int() }),
  })
  .meta({ id: 'Usage', description: `The last ${USAGE_HISTORY_DAYS} days by completion date` })
export type Usage = z.infer<typeof Usage>

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
