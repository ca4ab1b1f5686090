import { SANDBOX_KEYS } from '@parley/contract'
import { ConfigError } from '@parley/contract/environment'
import { z } from 'zod'

const Address = z.url({ protocol: /^https?$/, error: 'must be an address such as https://parley.example' })

/** With whom cards are charged: the variables of readConfig() that say it. */
export const paymentsVariables = {
  STRIPE_SECRET_KEY: z
    .optional(z.string().regex(/^(sk|rk)_/, 'must begin with sk_ or rk_: it is the secret key'))
    .meta({
      description: 'secret key of Stripe; set all three keys, or none for the payments sandbox',
      unset: 'payments sandbox',
    }),
  STRIPE_PUBLISHABLE_KEY: z
    .optional(z.string().startsWith('pk_', 'must begin with pk_: it is the publishable key, which pages show'))
    .meta({
      description: 'publishable key of Stripe, shown in pages',
      unset: 'payments sandbox',
    }),
  STRIPE_WEBHOOK_SECRET: z
    .optional(
      z.string().startsWith('whsec_', "must begin with whsec_: it is the signing secret of the webhook's endpoint"),
    )
    .meta({ description: 'signing secret of the webhook PUBLIC_URL/api/stripe/webhook', unset: 'payments sandbox' }),
  STRIPE_API_BASE: z.optional(Address).meta({
    description: "another server that speaks Stripe's wire format",
    unset: "Stripe's own",
  }),
}

/** With whom cards are charged. The sandbox speaks Stripe's wire format, at an address that pages reach too. */
export type PaymentsKeys =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'stripe' | 'sandbox'
      readonly secretKey: string
      readonly publishableKey: string
      readonly webhookSecret: string
      /** undefined: Stripe's own. */
      readonly apiBase: string | undefined
    }

/** @throws ConfigError with one sentence for keys that do not belong together */
export function paymentsOf(env: z.output<z.ZodObject<typeof paymentsVariables>>): PaymentsKeys {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = env
  if (secretKey === undefined && publishableKey === undefined && webhookSecret === undefined) return { kind: 'off' }
  if (secretKey === undefined || publishableKey === undefined || webhookSecret === undefined) {
    throw new ConfigError(
      'Set all of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET, or none of them.',
    )
  }
  if (secretKey.includes('_live_') !== publishableKey.includes('_live_')) {
    throw new ConfigError(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: use two live keys, or two test keys.',
    )
  }
  const kind = secretKey === SANDBOX_KEYS.secret ? 'sandbox' : 'stripe'
  const apiBase = env.STRIPE_API_BASE?.replace(/\/$/, '')
  if (kind === 'sandbox' && apiBase === undefined)
    throw new ConfigError('STRIPE_API_BASE is missing: the keys are those of the payments sandbox.')
  return { kind, secretKey, publishableKey, webhookSecret, apiBase }
}
