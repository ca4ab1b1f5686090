import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { SANDBOX_KEYS, STRIPE_WEBHOOK_PATH } from '@parley/contract'
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'

export interface EmbeddedPayments {
  /** What the api reads its keys from. */
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox: Sandbox
}

interface Around {
  readonly port: number
  readonly dataDir: string
  readonly publicUrl: string
  /** Where the api is reached from this machine. */
  readonly apiUrl: string
  /** Of this installation: what the webhook is signed with follows from it. */
  readonly secret: string
}

/** The payments sandbox beside the api that it serves. */
export async function startPayments(around: Around, options: Partial<SandboxOptions> = {}): Promise<EmbeddedPayments> {
  const { port, dataDir, publicUrl, apiUrl, secret } = around
  const webhookSecret = `whsec_${createHmac('sha256', secret).update('payments sandbox').digest('base64url')}`
  const sandbox = await startSandbox({
    port,
    file: join(dataDir, 'payments.jsonl'),
    webhook: { url: apiUrl + STRIPE_WEBHOOK_PATH, secret: webhookSecret },
    frameAncestors: [new URL(publicUrl).origin, apiUrl],
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
