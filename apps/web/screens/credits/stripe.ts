import { creditsRoutes } from '@parley/contract'
import { afterEach, beforeEach } from 'vitest'
import type { FakeApi } from '../api.ts'

// Fake Stripe.js with the parts that the page uses: becomes ready on demand, and answers as the test says.

interface Confirmed {
  readonly clientSecret: string
  readonly redirect: string
  readonly returnUrl: string
}

interface Seen {
  key: string
  options: { readonly appearance?: { readonly variables: Readonly<Record<string, string>> } }
  readonly updates: object[]
  readonly confirmed: Confirmed[]
}

interface Confirmation {
  readonly clientSecret: string
  readonly redirect: string
  readonly confirmParams: { readonly return_url: string }
}

export interface FakeStripe {
  readonly seen: Seen
  /** Makes its element ready. */
  readonly draw: () => void
  /** The answers to confirmations, and to requests for the status. */
  readonly say: (answer: unknown) => void
  readonly sayToLooks: (answer: unknown) => void
  /** Makes its element report incomplete fields. */
  readonly refuseFields: (error: object) => void
}

const NOTHING = { key: '', options: {} }
const LOOKS = { paymentIntent: { id: 'pi_1', status: 'requires_payment_method' } }

let seen: Seen = { ...NOTHING, updates: [], confirmed: [] }
let answer: unknown
let looks: unknown = LOOKS
let fieldError: object | undefined
let handlers: Record<string, (element: unknown) => void> = {}

const element = {
  mount(node: HTMLElement) {
    const field = document.createElement('input')
    field.setAttribute('aria-label', 'Inside Stripe')
    node.replaceChildren('Payment Element ', field)
  },
  on: (name: string, handler: (element: unknown) => void) => void (handlers[name] = handler),
  off() {},
  update() {},
  destroy() {},
  unmount() {},
}

async function confirm({ clientSecret, redirect, confirmParams }: Confirmation): Promise<unknown> {
  seen.confirmed.push({ clientSecret, redirect, returnUrl: confirmParams.return_url })
  return Promise.resolve(answer)
}

/** One per page: the loader keeps the first one. */
const Stripe = Object.assign(
  (key: string) => {
    seen.key = key
    return {
      elements(options: Seen['options']) {
        seen.options = options
        return {
          create: () => element,
          getElement: () => null,
          update: (changes: object) => void seen.updates.push(changes),
          submit: async () => Promise.resolve(fieldError ? { error: fieldError } : {}),
          on() {},
        }
      },
      createToken() {},
      createPaymentMethod() {},
      confirmCardPayment() {},
      registerAppInfo() {},
      _registerWrapper() {},
      retrievePaymentIntent: async () => Promise.resolve(looks),
      retrieveSetupIntent: async () => Promise.resolve(looks),
      confirmPayment: confirm,
      confirmSetup: confirm,
    }
  },
  { version: 'endive' },
)

/** Call once per file: uses Stripe keys, with Stripe.js already loaded. */
export function stripeInPage(api: () => FakeApi): FakeStripe {
  let keys = 0
  beforeEach(() => {
    seen = { ...NOTHING, updates: [], confirmed: [] }
    answer = undefined
    looks = LOOKS
    fieldError = undefined
    handlers = {}
    Object.assign(globalThis, { Stripe })
    // A new key per test, so that no page reuses an earlier Stripe instance.
    api().answer(creditsRoutes.paymentsConfig, { mode: 'stripe', publishableKey: `pk_test_${++keys}`, apiUrl: null })
  })
  afterEach(() => void Reflect.deleteProperty(globalThis, 'Stripe'))
  return {
    get seen() {
      return seen
    },
    draw: () => handlers['ready']?.(element),
    say: (said) => void (answer = said),
    sayToLooks: (said) => void (looks = said),
    refuseFields: (error) => void (fieldError = error),
  }
}
