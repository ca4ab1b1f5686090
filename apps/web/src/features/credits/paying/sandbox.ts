import { type Answer, type Intent, isDecided } from './door.ts'
import { intentIdOf } from './purchases.ts'
import type { Card } from './card.ts'

interface LastError {
  readonly message?: string
}

interface SandboxIntent {
  readonly id: string
  readonly status: string
  readonly next_action?: { readonly use_stripe_sdk?: { readonly stripe_js?: string } } | null
  readonly last_payment_error?: LastError | null
  readonly last_setup_error?: LastError | null
}

interface SandboxError {
  readonly type: string
  readonly message?: string
  readonly payment_intent?: SandboxIntent
  readonly setup_intent?: SandboxIntent
}

type Reply = SandboxIntent & { readonly error?: SandboxError }

/** An answer, or the URL of the bank's 3-D Secure page. */
type Confirmation = Answer | { readonly kind: 'bank-asks'; readonly url: string }

/**
 * A client of the payments sandbox that speaks Stripe's API: publishable key and client secret give access to one
 * intent.
 */
export interface Sandbox {
  confirm(card: Card): Promise<Confirmation>
  look(): Promise<Answer>
}

const DEADLINE_MS = 20_000

export function createSandbox(apiUrl: string, publishableKey: string, { kind, clientSecret }: Intent): Sandbox {
  const path = `${apiUrl}/v1/${kind}_intents/${intentIdOf(clientSecret)}`
  const proof = { key: publishableKey, client_secret: clientSecret }
  return {
    async confirm({ number, cvc, expMonth, expYear }) {
      const body = new URLSearchParams({
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': number,
        'payment_method_data[card][exp_month]': String(expMonth),
        'payment_method_data[card][exp_year]': String(expYear),
        'payment_method_data[card][cvc]': cvc,
        use_stripe_sdk: 'true',
        ...proof,
      })
      const reply = await send(`${path}/confirm`, { method: 'POST', body })
      const url = reply?.status === 'requires_action' ? reply.next_action?.use_stripe_sdk?.stripe_js : undefined
      return url === undefined ? answerTo(reply) : { kind: 'bank-asks', url }
    },
    look: async () => answerTo(await send(`${path}?${new URLSearchParams(proof)}`, { method: 'GET' })),
  }
}

/** undefined without a response. The sandbox's own tests keep it to Stripe's shapes. */
async function send(url: string, init: RequestInit): Promise<Reply | undefined> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) })
    return (await response.json()) as Reply
  } catch {
    return undefined
  }
}

function answerTo(reply: Reply | undefined): Answer {
  if (!reply) return { kind: 'unreachable' }
  if (!reply.error) return answerOf(reply)
  const { type, message, payment_intent: payment, setup_intent: setup } = reply.error
  // Confirmed before, in another tab or with a lost response; or canceled, because another tab created a new one.
  const done = [payment, setup].find((intent) => intent && isDecided(intent.status))
  if (done) return answerOf(done)
  return type === 'api_error' ? { kind: 'unreachable' } : { kind: 'refused', message }
}

function answerOf({ id, status, last_payment_error: payment, last_setup_error: setup }: SandboxIntent): Answer {
  return { kind: 'intent', id, status, refusal: payment?.message ?? setup?.message }
}
