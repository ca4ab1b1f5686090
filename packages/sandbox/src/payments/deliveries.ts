import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import type { Store } from './store.ts'
import { API_VERSION, newId, seconds } from './world.ts'

export interface Webhook {
  readonly url: string
  readonly secret: string
}

const DEADLINE_MS = 10_000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 3_600_000
const ATTEMPTS_MAX = 30
const LOOK_EVERY_MS = 200
const AT_ONCE = 5

/** Sends signed events until they are taken, also after a restart. */
export class Deliveries {
  readonly #store: Store
  readonly #webhook: Webhook | undefined
  readonly #underway = new Map<string, Promise<void>>()
  readonly #clock: NodeJS.Timeout | undefined

  /** With `held`, events are sent by deliver() only. */
  constructor(store: Store, webhook: Webhook | undefined, options: { readonly held: boolean }) {
    this.#store = store
    this.#webhook = webhook
    if (webhook && !options.held) this.#clock = setInterval(() => this.#look(), LOOK_EVERY_MS)
  }

  add(type: Stripe.Event['type'], object: Stripe.Event.Data['object'], request: Stripe.Event['request']): void {
    const id = newId('evt')
    const pending = this.#webhook ? 1 : 0
    // Stripe's own type ties each type of event to its object; the caller names both.
    const created = seconds()
    const about = { id, api_version: API_VERSION, created, livemode: false, pending_webhooks: pending, request, type }
    const event = { object: 'event', ...about, data: { object } } as Stripe.Event
    this.#store.put('event', event)
    if (this.#webhook) this.#store.put('delivery', { id, attempts: 0, dueAt: Date.now() })
  }

  /** Sends an event now, even if it was taken before. Returns the answer's status, 0 without one. */
  async deliver(id: string): Promise<number> {
    const event = this.#store.find('event', id)
    if (!event || !this.#webhook) return 0
    const status = await post(this.#webhook, event)
    if (status >= 200 && status < 300) {
      this.#store.drop('delivery', id)
      this.#store.put('event', { ...event, pending_webhooks: 0 })
      this.#store.commit()
    }
    return status
  }

  async close(): Promise<void> {
    clearInterval(this.#clock)
    await Promise.all(this.#underway.values())
  }

  #look(): void {
    const now = Date.now()
    for (const delivery of this.#store.all('delivery')) {
      if (this.#underway.size >= AT_ONCE) return
      if (delivery.dueAt > now || this.#underway.has(delivery.id)) continue
      // An attempt whose result could not be written is repeated.
      const attempt = this.#attempt(delivery.id, delivery.attempts + 1).catch(() => undefined)
      this.#underway.set(delivery.id, attempt)
      void attempt.finally(() => this.#underway.delete(delivery.id))
    }
  }

  async #attempt(id: string, attempts: number): Promise<void> {
    const status = await this.deliver(id)
    if (status >= 200 && status < 300) return
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS)
    if (attempts >= ATTEMPTS_MAX) this.#store.drop('delivery', id)
    else this.#store.put('delivery', { id, attempts, dueAt: Date.now() + pauseMs })
    this.#store.commit()
  }
}

async function post({ url, secret }: Webhook, event: Stripe.Event): Promise<number> {
  const body = JSON.stringify(event)
  const at = seconds()
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${at},v1=${signature}` }
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
