import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Context, readConfig, startServer } from '@parley/api'
import { checkBooks } from '@parley/api/testing'
import { amountCents, packageById, type PackageId, type PaymentsConfig, totalCredits } from '@parley/contract'
import Stripe from 'stripe'
import { afterAll, afterEach } from 'vitest'
import { freePort, type Person, personWith } from '../../../../standalone/src/world.ts'
import { type Sandbox, type SandboxOptions, startPayments } from '@parley/sandbox'
import { addMember, FEW_CONNECTIONS } from '../../testing.ts'
import { holdRounds } from '../../platform/rounds/testing.ts'
import { testDatabase } from '../../platform/testing.ts'

export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  authenticates: '4000002500003155',
  processing: '4000000000000077',
  declinesLater: '4000000000000341',
  disputes: '4000000000000259',
} as const
export type CardName = keyof typeof CARDS

export const OPERATOR = 'operator@parley.example'

/** The api and the payments sandbox in this process, on a database and with data of their own. */
export interface Shop {
  readonly url: string
  readonly context: Context
  readonly sandbox: Sandbox
  readonly stripe: Stripe
  readonly webhookSecret: string
  /** A verified person, signed in, with the free credits. */
  person(): Promise<Person>
  close(): Promise<void>
}

export async function openShop(options: Partial<SandboxOptions> = {}): Promise<Shop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-shop-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const around = { port: 0, dataDir, publicUrl: url, apiUrl: url, secret: 'a'.repeat(32) }
  const { environment, sandbox } = await startPayments(around, { processingMs: 600_000, ...options })
  const database = await testDatabase()
  const data = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  const own = { ...data, PORT: String(port), INTERNAL_PORT: '0', PUBLIC_URL: url, LOG_LEVEL: 'silent' }
  const operator = { OPERATOR_EMAIL: OPERATOR }
  const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32), VOICE_URL: 'http://127.0.0.1:9' }
  const limits = {
    ...FEW_CONNECTIONS,
    SIGN_IN_LIMIT_PER_MINUTE: '10000',
    REQUEST_LIMIT_PER_MINUTE: '100000',
  }
  const server = await startServer(readConfig({ ...own, ...operator, ...secrets, ...limits, ...environment }))
  await holdRounds(server.context.db, ['credits.top-up', 'credits.reconcile'])
  return {
    url,
    context: server.context,
    sandbox,
    stripe: stripeAt(sandbox.url),
    webhookSecret: environment['STRIPE_WEBHOOK_SECRET'] ?? '',
    async person() {
      const member = { fullName: 'Ada Lovelace', email: `${randomUUID()}@example.com` }
      const { client, user } = await addMember({ url, context: server.context }, member)
      return personWith(url, client.cookieHeader(), user)
    },
    async close() {
      await server.close()
      await sandbox.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A shop for the tests of one file, told of events when a test says so. Its books are looked at after every test. */
export async function openAuditedShop() {
  const shop = await openShop({ holdEvents: true })
  afterAll(() => shop.close())
  afterEach(() => checkBooks(shop.context.db))
  const config = (await (await fetch(`${shop.url}/api/payments/config`)).json()) as PaymentsConfig
  /** The id of a payment that the page has confirmed. */
  const bought = async (person: Person, number: string = CARDS.good, packageId: PackageId = 'premium') => {
    const secret = await order(person, packageId)
    await confirm(config, secret, number)
    return idIn(secret)
  }
  /** Every event so far, once each and in order. */
  const deliverAll = async (type?: string) => {
    const statuses = []
    for (const event of shop.sandbox.events())
      if (type === undefined || event.type === type) statuses.push(await shop.sandbox.deliver(event.id))
    return statuses
  }
  return { shop, config, bought, deliverAll }
}

export function stripeAt(url: string): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
}

/** What a page sends for a package; each time another order. */
export async function order(
  person: Person,
  packageId: PackageId,
  more: { saveCard?: boolean; key?: string } = {},
): Promise<string> {
  const item = packageById(packageId)
  if (!item) throw new Error('No such package')
  const { saveCard, key = randomUUID() } = more
  const body = {
    amount: amountCents(item),
    credits: totalCredits(item),
    packageId,
    ...(saveCard === undefined ? {} : { saveCard }),
  }
  const answer = await person.send(
    'POST',
    '/api/create-payment-intent',
    body,
    key === '' ? {} : { 'idempotency-key': key },
  )
  if (!answer.ok) throw new Error(`Ordering answered ${answer.status}: ${await answer.text()}`)
  const { clientSecret } = (await answer.json()) as { clientSecret: string }
  return clientSecret
}

export function idIn(clientSecret: string): string {
  return clientSecret.slice(0, clientSecret.indexOf('_secret'))
}

/** The page's card form: the card and the confirmation go to the provider alone. Returns the provider's answer. */
export async function confirm(
  { apiUrl, publishableKey }: PaymentsConfig,
  clientSecret: string,
  number: string,
  kind: 'payment_intents' | 'setup_intents' = 'payment_intents',
): Promise<{ status: number; body: Stripe.PaymentIntent & { error?: { code: string; message: string } } }> {
  const headers = { authorization: `Bearer ${publishableKey}` }
  const card = {
    type: 'card',
    'card[number]': number,
    'card[exp_month]': '12',
    'card[exp_year]': '40',
    'card[cvc]': '123',
  }
  const made = await fetch(`${apiUrl}/v1/payment_methods`, { method: 'POST', headers, body: new URLSearchParams(card) })
  const { id } = (await made.json()) as { id: string }
  const body = new URLSearchParams({ payment_method: id, client_secret: clientSecret })
  const answer = await fetch(`${apiUrl}/v1/${kind}/${idIn(clientSecret)}/confirm`, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as Stripe.PaymentIntent }
}

/** What a page that saw a payment succeed, or missed it, asks of the api; the number that it sends decides nothing. */
export async function process(person: Person, intentId: string, door: 'success' | 'missed' = 'success') {
  const path = door === 'success' ? '/api/process-payment-success' : '/api/process-missed-payment'
  const answer = await person.send('POST', path, {
    paymentIntentId: intentId,
    ...(door === 'success' ? { credits: 9999 } : {}),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { success?: boolean; credits?: number; message: string; code?: string },
  }
}

export async function answerBank(
  intent: Pick<Stripe.PaymentIntent, 'next_action'>,
  answer: 'accept' | 'refuse',
): Promise<void> {
  const url = intent.next_action?.use_stripe_sdk?.['stripe_js'] ?? intent.next_action?.redirect_to_url?.url
  if (typeof url !== 'string') throw new Error('The bank asks for nothing')
  await fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) })
}
