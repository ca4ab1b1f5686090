import { type LiveMessage, packageById, type PackageId } from '@parley/contract'
import type Stripe from 'stripe'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Bus, userTopic } from '../platform/bus.ts'
import type { Db } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import type { Hooks } from '../platform/hooks.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Mailer } from '../platform/mail.ts'
import { type Balance, balanceMessage } from './ledger/ledger.ts'
import type { payment } from './schema.ts'

/** Dependencies of this room's functions. */
export interface CreditsRoom {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  readonly jobs: Jobs
  readonly bus: Bus
  readonly mailer: Mailer
  /** undefined: card payments are not configured. */
  readonly stripe: Stripe | undefined
  readonly hooks: Hooks<CreditEvents>
}

interface CreditEvents {
  /** Credits are low and the user is notified. */
  low: [userId: string, balance: Balance]
}

/** For reading a payment at the provider and recording it. */
export type Crediting = Pick<CreditsRoom, 'bus' | 'db' | 'jobs' | 'log' | 'stripe'>

/** For changing a card here and at the provider. */
export type CardWork = Pick<CreditsRoom, 'db' | 'log' | 'stripe'>

export type PaymentRow = typeof payment.$inferSelect

export function stripeOf({ stripe }: Pick<CreditsRoom, 'stripe'>): Stripe {
  if (!stripe) throw new AppError('switched_off', 'Payments are not available here.')
  return stripe
}

/** Publishes the balance to the user's pages; call it after the commit. */
export function tell(bus: Bus, userId: string, available: number): void {
  bus.publish(userTopic(userId), balanceMessage(available) satisfies LiveMessage)
}

export function nameOf(packageId: PackageId): string {
  return `${packageById(packageId)?.name ?? packageId} package`
}

export function money(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
