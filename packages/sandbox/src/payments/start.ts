import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { SANDBOX_KEYS, SHELL_ORIGINS, STRIPE_WEBHOOK_PATH } from '@parley/contract'
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'

export interface EmbeddedPayments {
  /** Environment of the api with the sandbox's keys. */
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox: Sandbox
}

interface Around {
  readonly port: number
  readonly dataDir: string
  readonly publicUrl: string
  /** Where the api is reached from this machine. */
  readonly apiUrl: string
  /** The installation's secret, from which the webhook secret is derived. */
  readonly secret: string
}

/** Starts the payments sandbox beside its api. */
export async function startPayments(around: Around, options: Partial<SandboxOptions> = {}): Promise<EmbeddedPayments> {
  const { port, dataDir, publicUrl, apiUrl, secret } = around
  const webhookSecret = webhookSecretOf(secret)
  const sandbox = await startSandbox({
    port,
    file: join(dataDir, 'payments.jsonl'),
    webhook: { url: apiUrl + STRIPE_WEBHOOK_PATH, secret: webhookSecret },
    frameAncestors: [new URL(publicUrl).origin, apiUrl, ...SHELL_ORIGINS],
    ...options,
  })
  return { environment: paymentsEnvironment(sandbox.url, secret), sandbox }
}

/** What the api is given where the sandbox is, or will be, at this address. */
export function paymentsEnvironment(url: string, secret: string): EmbeddedPayments['environment'] {
  return {
    STRIPE_SECRET_KEY: SANDBOX_KEYS.secret,
    STRIPE_PUBLISHABLE_KEY: SANDBOX_KEYS.publishable,
    STRIPE_WEBHOOK_SECRET: webhookSecretOf(secret),
    STRIPE_API_BASE: url,
  }
}

function webhookSecretOf(secret: string): string {
  return `whsec_${createHmac('sha256', secret).update('payments sandbox').digest('base64url')}`
}
