import { SANDBOX_KEYS } from '@parley/contract'
import Stripe from 'stripe'
import { afterEach } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'

/** Starts sandboxes in this process and closes them at the end of each test. */
export function openSandboxes(): (options?: Partial<SandboxOptions>) => Promise<Sandbox> {
  const open: Sandbox[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
  return async (options = {}) => {
    const started = await startSandbox({ port: 0, processingMs: 30, ...options })
    open.push(started)
    return started
  }
}

/** The official package at a sandbox. */
export function clientOf({ url }: Pick<Sandbox, 'url'>, key: string = SANDBOX_KEYS.secret): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
}

export const ORDER = {
  amount: 1999,
  currency: 'usd',
  allowed_payment_method_types: ['card'],
  metadata: { order: 'o-1' },
}

export const cardOf = (number: string) => ({
  number,
  exp_month: 12,
  exp_year: new Date().getUTCFullYear() + 1,
  cvc: '123',
})

/** Pays the order with a card of this number. */
export async function payWith(
  stripe: Stripe,
  number: string,
  more: Partial<Stripe.PaymentIntentCreateParams> = {},
): Promise<Stripe.PaymentIntent> {
  const { id } = await stripe.paymentMethods.create({ type: 'card', card: cardOf(number) })
  return stripe.paymentIntents.create({ ...ORDER, payment_method: id, confirm: true, ...more })
}
