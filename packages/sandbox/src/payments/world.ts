import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Store } from './store.ts'

/** The version of Stripe's API that the shapes follow. */
export const API_VERSION = '2026-10-28.endive'

/** What every object of the sandbox works with. */
export interface World {
  readonly store: Store
  /** Base URL of the sandbox, for the authentication page. */
  readonly url: string
  /** Duration of processing payments. */
  readonly processingMs: number
  /** Stores an event and sends it. */
  emit(type: Stripe.Event['type'], object: Stripe.Event.Data['object']): void
  /** Runs the work once after the delay, unless the sandbox is closed first. */
  later(delayMs: number, work: () => void): void
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function newId(prefix: string, length = 24): string {
  return `${prefix}_${[...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`
}

export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Whether the client secret matches the intent's. */
export function secretFits(
  secret: string | undefined,
  { client_secret: wanted }: { readonly client_secret: string | null },
): boolean {
  return wanted !== null && secret === wanted
}
