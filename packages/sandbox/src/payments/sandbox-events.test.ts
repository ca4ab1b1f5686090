import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { cardOf, clientOf, openSandboxes, ORDER, payWith } from './testing.ts'

// Tested through the official package: it must not notice a difference.

const WEBHOOK_SECRET = 'whsec_of_this_test'
const start = openSandboxes()
let stripe: Stripe
let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await start()
  stripe = clientOf(sandbox)
})

const pay = (number: string, more?: Partial<Stripe.PaymentIntentCreateParams>) => payWith(stripe, number, more)

describe('events', () => {
  test('are listed newest first, paginated and filtered by type and time', async () => {
    for (let times = 0; times < 3; times++) await pay('4242424242424242')
    const types = (await stripe.events.list({ limit: 4 })).data.map(({ type }) => type)
    expect(types).toEqual([
      'payment_intent.succeeded',
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.succeeded',
    ])
    const all = await stripe.events.list({ limit: 2, created: { gte: 0 } }).autoPagingToArray({ limit: 100 })
    expect(all).toHaveLength(9)
    expect((await stripe.events.list({ type: 'payment_intent.succeeded' })).data).toHaveLength(3)
    expect((await stripe.events.list({ created: { gt: Math.floor(Date.now() / 1000) + 10 } })).data).toEqual([])
    expect(await stripe.events.retrieve(all[0]!.id)).toMatchObject({
      api_version: '2026-10-28.endive',
      data: { object: { status: 'succeeded' } },
    })
  })

  test('are sent signed and retried until taken, also after a restart', async () => {
    const taken: Stripe.Event[] = []
    let refusing = true
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const event = stripe.webhooks.constructEvent(
        Buffer.concat(chunks),
        request.headers['stripe-signature']!,
        WEBHOOK_SECRET,
      )
      if (!refusing) taken.push(event)
      response.writeHead(refusing ? 500 : 200).end()
    }
    const receiver = createServer((request, response) => void receive(request, response))
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    const address = receiver.address()
    const webhook = {
      url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
      secret: WEBHOOK_SECRET,
    }
    const dir = await mkdtemp(join(tmpdir(), 'parley-sandbox-'))
    const options = { file: join(dir, 'payments.jsonl'), webhook }
    const first = await start(options)
    const paid = await clientOf(first).paymentIntents.create({
      ...ORDER,
      payment_method: 'pm_card_visa',
      confirm: true,
    })
    await vi.waitFor(() => expect(first.events()).toHaveLength(3))
    await first.close()
    refusing = false
    const second = await start(options)
    expect((await clientOf(second).paymentIntents.retrieve(paid.id)).status).toBe('succeeded')
    await vi.waitFor(
      () =>
        expect(taken.map(({ id }) => id).sort()).toEqual(
          second
            .events()
            .map(({ id }) => id)
            .sort(),
        ),
      { timeout: 40_000 },
    )
    // The receiver takes the event before the sandbox knows.
    await vi.waitFor(
      () =>
        expect(second.events().map(({ pending_webhooks: pending }) => pending)).toEqual(second.events().map(() => 0)),
      10_000,
    )
    expect((await clientOf(second).events.list()).data.every(({ pending_webhooks: pending }) => pending === 0)).toBe(
      true,
    )
    // A repeated delivery has the same id.
    expect(await second.deliver(taken[0]!.id)).toBe(200)
    expect(taken.at(-1)).toMatchObject({ id: taken[0]!.id })
    await new Promise<void>((done) => receiver.close(() => done()))
    await rm(dir, { recursive: true })
  })

  test('of a processing payment survive a restart, and the payment succeeds', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'parley-sandbox-'))
    const options = { file: join(dir, 'payments.jsonl'), processingMs: 60_000 }
    const first = await start(options)
    const processing = await clientOf(first).paymentIntents.create({
      ...ORDER,
      payment_method: (await clientOf(first).paymentMethods.create({ type: 'card', card: cardOf('4000000000000077') }))
        .id,
      confirm: true,
    })
    await first.close()
    const second = await start({ ...options, processingMs: 10 })
    await vi.waitFor(
      async () => expect((await clientOf(second).paymentIntents.retrieve(processing.id)).status).toBe('succeeded'),
      10_000,
    )
    await rm(dir, { recursive: true })
  })
})
