import { type Route, systemRoutes } from '@parley/contract'
import { onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { type FakeApi, press } from '../testing.tsx'

// The card processor of the payments sandbox in Stripe's wire format, and helpers that fill in a card.

type Say = () => Response | Promise<Response>

export interface Processor {
  /** Answers the confirmations from now on. */
  onCard(say: Say): void
  /** Answers the status requests from now on. */
  onLook(say: Say): void
  /** The confirmations received. */
  readonly cards: readonly { readonly path: string; readonly form: Readonly<Record<string, string>> }[]
  /** The number of status requests. */
  readonly looks: () => number
}

/** Accepts every card by default. */
export function processor(api: FakeApi): Processor {
  let onCard: Say = () => intent('succeeded')
  let onLook: Say = () => intent('requires_payment_method')
  let looks = 0
  const cards: { path: string; form: Record<string, string> }[] = []
  api.elsewhere(/^https:\/\/sandbox\.example\/v1\/(payment|setup)_intents\//, async (request) => {
    if (request.method === 'GET') {
      looks++
      return onLook()
    }
    cards.push({
      path: new URL(request.url).pathname,
      form: Object.fromEntries(new URLSearchParams(await request.text())),
    })
    return onCard()
  })
  return { onCard: (say) => void (onCard = say), onLook: (say) => void (onLook = say), cards, looks: () => looks }
}

export function intent(status: string, more: Readonly<Record<string, unknown>> = {}): Response {
  return Response.json({ id: 'pi_1', object: 'payment_intent', status, ...more })
}

/** The bank requires 3-D Secure. */
export function bankAsks(): Response {
  const use_stripe_sdk = { type: 'three_d_secure_redirect', stripe_js: 'data:text/html,<h1>3D Secure</h1>' }
  return intent('requires_action', { next_action: { type: 'use_stripe_sdk', use_stripe_sdk } })
}

export function declined(message?: string): Response {
  const payment_intent = { id: 'pi_1', status: 'requires_payment_method' }
  return Response.json(
    { error: { type: 'card_error', code: 'card_declined', message, payment_intent } },
    { status: 402 },
  )
}

/** The payment cannot take a card in this status. */
export function isAlready(status: string): Response {
  const message = `You cannot confirm this PaymentIntent because it has a status of ${status}.`
  const code = 'payment_intent_unexpected_state'
  return Response.json(
    { error: { type: 'invalid_request_error', code, message, payment_intent: { id: 'pi_1', status } } },
    { status: 400 },
  )
}

/** The server cannot be reached. */
export async function lost(): Promise<Response> {
  return Promise.reject(new TypeError('Failed to fetch'))
}

export interface Held {
  readonly say: Say
  readonly letGo: () => void
}

/** A delayed answer. */
export function held(say: Say): Held {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  return {
    say: async () => {
      await promise
      return say()
    },
    letGo: () => resolve(undefined),
  }
}

export async function fillCard(number = '4242 4242 4242 4242'): Promise<void> {
  await page.getByLabelText('Card number').fill(number)
  await page.getByLabelText('Expiration date').fill('12 / 34')
  await page.getByLabelText('Security code').fill('123')
}

export async function pay(button: string, number?: string): Promise<void> {
  await fillCard(number)
  await press(button)
}

/** The region of the toasts. */
export const toasts = () => page.getByRole('region', { name: /^Notifications/ })

/** Blocks navigations that leave the page, and records them. */
export function waysOut(): readonly string[] {
  const ways: string[] = []
  const stay = (event: NavigateEvent) => {
    if (event.destination.sameDocument) return
    event.preventDefault()
    const { pathname, search } = new URL(event.destination.url)
    ways.push(`${event.navigationType} ${pathname}${search}`)
  }
  navigation.addEventListener('navigate', stay)
  onTestFinished(() => navigation.removeEventListener('navigate', stay))
  return ways
}

/** Shortens the delay between retries. */
export async function hurryReads(): Promise<void> {
  const { queryClient } = await import('../../src/app/App.tsx')
  const before = queryClient.getDefaultOptions()
  queryClient.setDefaultOptions({ ...before, queries: { ...before.queries, retryDelay: 10 } })
  onTestFinished(() => queryClient.setDefaultOptions(before))
}

/** Makes the route unreachable while the server's health is good. */
export function lose(api: FakeApi, route: Route): void {
  api.lose(route)
  api.send(systemRoutes.health, '{}')
}
