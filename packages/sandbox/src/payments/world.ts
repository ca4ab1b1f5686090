import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Store } from './store.ts'

/** The version of Stripe's API whose shapes these are. */
export const API_VERSION = '2026-10-28.endive'

/** What every part of the sandbox works with. */
export interface World {
  readonly store: Store
  /** Where the sandbox is reached, for the page that asks for authentication. */
  readonly url: string
  /** How long the card that is processed takes. */
  readonly processingMs: number
  /** Keeps an event of what has just happened and sends it. */
  emit(type: Stripe.Event['type'], object: Stripe.Event.Data['object']): void
  /** Once, later, unless the sandbox is closed before. */
  later(delayMs: number, work: () => void): void
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function newId(prefix: string, length = 24): string {
  return `${prefix}_${[...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`
}

export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Whether a question names the secret of what it asks for, as pages must. */
export function secretFits(
  secret: string | undefined,
  { client_secret: wanted }: { readonly client_secret: string | null },
): boolean {
  return wanted !== null && secret === wanted
}
