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
  const webhookSecret = `whsec_${createHmac('sha256', secret).update('payments sandbox').digest('base64url')}`
  const sandbox = await startSandbox({
    port,
    file: join(dataDir, 'payments.jsonl'),
    webhook: { url: apiUrl + STRIPE_WEBHOOK_PATH, secret: webhookSecret },
    frameAncestors: [new URL(publicUrl).origin, apiUrl, ...SHELL_ORIGINS],
    ...options,
  })
  const environment = {
    STRIPE_SECRET_KEY: SANDBOX_KEYS.secret,
    STRIPE_PUBLISHABLE_KEY: SANDBOX_KEYS.publishable,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: sandbox.url,
  }
  return { environment, sandbox }
}
