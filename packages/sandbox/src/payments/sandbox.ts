import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'
import { call } from './api.ts'
import { challenge, CHALLENGE_PATH } from './challenges.ts'
import { Deliveries, type Webhook } from './deliveries.ts'
import { closeDispute, openDispute, reopenDispute } from './objects/disputes.ts'
import { Failure, missing } from './errors.ts'
import { type Answer, json, type Question, serve } from './http.ts'
import { findIntent, finishProcessing } from './objects/intents.ts'
import { failRefund } from './objects/refunds.ts'
import { Store } from './store.ts'
import { API_VERSION, newId, type World } from './world.ts'

export interface SandboxOptions {
  /** 0: any free port. */
  readonly port: number
  /** File of the store; without one, nothing outlives the process. */
  readonly file?: string
  readonly webhook?: Webhook
  /** Origins whose pages may frame the bank's page. */
  readonly frameAncestors?: readonly string[]
  /** For tests: events are sent by deliver() only, in any order and number. */
  readonly holdEvents?: boolean
  readonly processingMs?: number
}

/** A payment provider on this machine, in Stripe's wire format. */
export interface Sandbox {
  readonly url: string
  /** Every event so far, oldest first. */
  events(): Stripe.Event[]
  /** Sends an event now, even if it was taken before. Returns the answer's status, 0 without one. */
  deliver(eventId: string): Promise<number>
  /** What only a cardholder's bank can do. */
  openDispute(intentId: string, cents?: number): Stripe.Dispute
  closeDispute(disputeId: string, outcome: 'won' | 'lost'): Stripe.Dispute
  /** Takes a won dispute up again. */
  reopenDispute(disputeId: string): Stripe.Dispute
  failRefund(refundId: string): Stripe.Refund
  /** Completes a processing payment at once. */
  finishProcessing(intentId: string): void
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const PROCESSING_MS = 5000

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const store = new Store(options.file)
  const deliveries = new Deliveries(store, options.webhook, { held: options.holdEvents ?? false })
  const server = createServer()
  await new Promise<void>((done, failed) => server.once('error', failed).listen(options.port, HOST, done))
  const url = `http://${HOST}:${portOf(server.address())}`
  const timers = new Set<NodeJS.Timeout>()
  let request: Stripe.Event['request'] = null
  /** Writes changes before the answer is sent. */
  const kept = <T>(work: () => T): T => {
    try {
      return work()
    } finally {
      store.commit()
    }
  }
  const later = (delayMs: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      request = null
      kept(work)
    }, delayMs)
    timers.add(timer)
  }
  const emit: World['emit'] = (type, object) => deliveries.add(type, object, request)
  const world: World = { store, url, processingMs: options.processingMs ?? PROCESSING_MS, emit, later }
  resume(world)
  server.on('request', (asked, response) => {
    void serve(asked, response, (question) => {
      request = { id: newId('req', 14), idempotency_key: question.header('idempotency-key') ?? null }
      response.setHeader('request-id', request.id ?? '')
      return kept(() => answerTo(world, question, options.frameAncestors ?? []))
    })
  })
  return {
    url,
    events: () => store.all('event'),
    deliver: (eventId) => deliveries.deliver(eventId),
    openDispute: (intentId, cents) => kept(() => disputeOf(world, intentId, cents)),
    closeDispute: (disputeId, outcome) => kept(() => closeDispute(world, disputeId, outcome)),
    reopenDispute: (disputeId) => kept(() => reopenDispute(world, disputeId)),
    failRefund: (refundId) => kept(() => failRefund(world, refundId)),
    finishProcessing: (intentId) => kept(() => finishProcessing(world, intentId)),
    async close() {
      for (const timer of timers) clearTimeout(timer)
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await Promise.all([closed, deliveries.close()])
    },
  }
}

/** Resumes payments that were processing when the sandbox stopped. */
function resume(world: World): void {
  for (const { id, status } of world.store.all('payment_intent')) {
    if (status === 'processing') world.later(world.processingMs, () => finishProcessing(world, id))
  }
}

/** As at Stripe: any page may send requests; no cookie is read. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'request-id',
  'stripe-version': API_VERSION,
}
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
  'access-control-max-age': '600',
}

function answerTo(world: World, question: Question, frameAncestors: readonly string[]): Answer {
  if (question.method === 'OPTIONS') return { status: 204, headers: { ...CORS, ...PREFLIGHT } }
  if (question.pathname.startsWith(CHALLENGE_PATH)) return challenge(world, question, frameAncestors)
  const { status, headers, body = '' } = failing(() => call(world, question))
  return { status, headers: { ...headers, ...CORS }, body }
}

/** Errors become answers here, so that they carry CORS headers too. */
function failing(work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure) return json(error.status, error.body)
    throw error
  }
}

function disputeOf(world: World, intentId: string, cents?: number): Stripe.Dispute {
  const { latest_charge: chargeId } = findIntent(world, intentId)
  const charge = typeof chargeId === 'string' ? world.store.find('charge', chargeId) : undefined
  if (!charge) throw missing('charge', `of ${intentId}`)
  return openDispute(world, charge, cents ?? charge.amount)
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The payments sandbox does not listen on a port.')
  return address.port
}
