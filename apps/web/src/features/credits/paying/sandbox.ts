import type { Answer, Intent } from './door.ts'
import { intentIdOf } from './orders.ts'
import type { Card } from './card.ts'

interface SandboxIntent {
  readonly id: string
  readonly status: string
  readonly next_action?: { readonly type: string } | null
  readonly last_payment_error?: { readonly message?: string } | null
}

interface SandboxError {
  readonly type: string
  readonly message?: string
  readonly payment_intent?: SandboxIntent
  readonly setup_intent?: SandboxIntent
}

interface Reply {
  readonly error?: SandboxError
}

const DEADLINE_MS = 20_000

/** The payments sandbox, spoken to as Stripe.js speaks to Stripe: the publishable key and the client secret open one intent. */
export interface Sandbox {
  confirm(card: Card): Promise<Answer>
  look(): Promise<Answer>
  /** The bank's question, answered by the person. */
  authenticate(isAccepted: boolean): Promise<Answer>
}

export function createSandbox(apiUrl: string, publishableKey: string, { kind, clientSecret }: Intent): Sandbox {
  const path = `/v1/${kind}_intents/${intentIdOf(clientSecret)}`
  const proof = { key: publishableKey, client_secret: clientSecret }
  const post = async (to: string, fields: Record<string, string>) =>
    ask(`${apiUrl}${to}`, { method: 'POST', body: new URLSearchParams({ ...fields, ...proof }) })
  return {
    confirm: async ({ number, cvc, expMonth, expYear }) =>
      post(`${path}/confirm`, {
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': number,
        'payment_method_data[card][exp_month]': String(expMonth),
        'payment_method_data[card][exp_year]': String(expYear),
        'payment_method_data[card][cvc]': cvc,
      }),
    look: async () => ask(`${apiUrl}${path}?${new URLSearchParams(proof)}`, { method: 'GET' }),
    authenticate: async (isAccepted) => post(`${path}/authenticate`, { outcome: isAccepted ? 'succeeded' : 'failed' }),
  }
}

async function ask(url: string, init: RequestInit): Promise<Answer> {
  let reply: SandboxIntent & Reply
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) })
    reply = await replyIn(response)
  } catch {
    return { kind: 'unreachable' }
  }
  return reply.error ? answerOfError(reply.error) : answerOf(reply)
}

/** The sandbox keeps to Stripe's shapes, which its own tests hold it to. */
async function replyIn(response: Response): Promise<SandboxIntent & Reply> {
  return (await response.json()) as SandboxIntent & Reply
}

function answerOf({ id, status, last_payment_error: last }: SandboxIntent): Answer {
  return { kind: 'intent', id, status, refusal: last?.message }
}

export function answerOfError({ type, message, payment_intent: payment, setup_intent: setup }: SandboxError): Answer {
  // Confirmed before: in another tab, or by a click whose answer was lost.
  const done = [payment, setup].find((intent) => intent?.status === 'succeeded' || intent?.status === 'processing')
  if (done) return answerOf(done)
  return type === 'api_error' ? { kind: 'unreachable' } : { kind: 'refused', message }
}
