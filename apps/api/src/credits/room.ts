import { type LiveMessage, packageById, type PackageId } from '@parley/contract'
import type Stripe from 'stripe'
import type { Floor } from '../floor.ts'
import { type Bus, userTopic } from '../platform/bus.ts'
import { AppError } from '../platform/errors.ts'
import type { Hooks } from '../platform/hooks.ts'
import { type Balance, balanceMessage } from './ledger/ledger.ts'
import type { payment } from './schema.ts'

/** What every part of this room works with. */
export interface CreditsRoom extends Floor {
  /** undefined: no cards are taken here. */
  readonly stripe: Stripe | undefined
  readonly hooks: Hooks<CreditEvents>
}

interface CreditEvents {
  /** Credits have fallen low, and the person is told so. */
  low: [userId: string, balance: Balance]
}

export type Order = typeof payment.$inferSelect

export function stripeOf({ stripe }: CreditsRoom): Stripe {
  if (!stripe) throw new AppError('switched_off', 'Payments are not available here.')
  return stripe
}

/** Tells the person's pages, once the transaction is through. */
export function tell(bus: Bus, userId: string, available: number): void {
  bus.publish(userTopic(userId), balanceMessage(available) satisfies LiveMessage)
}

export function nameOf(packageId: PackageId): string {
  return `${packageById(packageId)?.name ?? packageId} package`
}

export function money(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
