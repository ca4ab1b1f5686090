import { CURRENCY, MOVEMENT_KINDS, PACKAGE_IDS, PAYMENT_STATUSES } from '@parley/contract'
import { type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  primaryKey,
  snakeCase,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

export const ACCOUNT_KINDS = ['wallet', 'debt', 'sales', 'promo', 'usage', 'writeoff'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

const instant = () => timestamp({ withTimezone: true, mode: 'date' })
const now = sql`clock_timestamp()`
const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })
const whole = () => bigint({ mode: 'number' })

function oneOf(column: unknown, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`
}

/**
 * Every credit is in one of these. A person has a wallet and a debt (below zero: credits owed); the house has the rest.
 * `posted` and `held` are moved by the triggers of ledger_entry and hold alone (ledger/sql/), and only to where an
 * account may stand: the rules of the books are in those triggers and not in CHECKs, which PostgreSQL reads anew in
 * every statement (docs/decisions/0019).
 */
export const ledgerAccount = snakeCase.table(
  'ledger_account',
  {
    id: text().primaryKey(),
    kind: text({ enum: ACCOUNT_KINDS }).notNull(),
    userId: text(),
    posted: whole().notNull().default(0),
    held: whole().notNull().default(0),
  },
  (table) => [uniqueIndex('ledger_account_user_kind').on(table.userId, table.kind)],
)

/** One event that moved credits, once for its key. Append-only. */
export const ledgerTx = snakeCase.table('ledger_tx', {
  id: whole().primaryKey().generatedAlwaysAsIdentity(),
  kind: text({ enum: MOVEMENT_KINDS }).notNull(),
  idemKey: text().notNull().unique('ledger_tx_idem_key'),
  bodyHash: text().notNull(),
  cause: text().notNull(),
  callId: text(),
  at: instant().notNull().default(now),
  /** The transaction that wrote it: no other may add legs (ledger/sql/ledger_entry_post.sql). */
  writtenBy: transactionId()
    .notNull()
    .default(sql`pg_current_xact_id()`),
})

/**
 * A leg of an event: credits into an account, or out of it below zero. The legs of an event sum to 0. Append-only.
 * That its event and its account are there is judged by the trigger that posts it, which looks them up anyway.
 */
export const ledgerEntry = snakeCase.table(
  'ledger_entry',
  {
    id: whole().notNull().generatedAlwaysAsIdentity(),
    txId: whole().notNull(),
    accountId: text().notNull(),
    credits: whole().notNull(),
  },
  (table) => [
    primaryKey({ name: 'ledger_entry_tx_account', columns: [table.txId, table.accountId] }),
    index('ledger_entry_account').on(table.accountId, table.txId),
    // What went into a wallet is little beside what calls took out of it.
    index('ledger_entry_in')
      .on(table.accountId)
      .where(sql`${table.credits} > 0 and starts_with(${table.accountId}, 'wallet:')`),
  ],
)

/** Credits set aside while a call runs. Settled once: what was used is charged, the rest is free again. */
export const hold = snakeCase.table(
  'hold',
  {
    callId: text().primaryKey(),
    userId: text().notNull(),
    wantedCredits: whole().notNull(),
    credits: whole().notNull(),
    state: text({ enum: ['active', 'settled'] })
      .notNull()
      .default('active'),
    expiresAt: instant().notNull(),
    connectedSeconds: whole(),
    chargedCredits: whole(),
    createdAt: instant().notNull().default(now),
    settledAt: instant(),
  },
  (table) => [
    index('hold_expiry')
      .on(table.expiresAt)
      .where(sql`${table.state} = 'active'`),
  ],
)

/** Open until anything has come of it, such as a card that was declined. */
const ORDER_STATUSES = ['open', ...PAYMENT_STATUSES] as const

/** Nothing final has come of it: the provider is asked again. */
export const UNFINISHED = ['open', 'processing', 'failed'] as const

/**
 * A purchase, as ordered: the catalogue's numbers of that moment. One order, one payment intent.
 * `returnedCents` is what was refunded or is disputed; `taken*` are the credits that the books took back for it.
 */
export const payment = snakeCase.table(
  'payment',
  {
    id: text().primaryKey(),
    intentId: text().unique('payment_intent_id'),
    userId: text().notNull(),
    packageId: text({ enum: PACKAGE_IDS }).notNull(),
    credits: integer().notNull(),
    bonusCredits: integer().notNull(),
    amountCents: integer().notNull(),
    currency: text().notNull().default(CURRENCY),
    status: text({ enum: ORDER_STATUSES }).notNull().default('open'),
    /** Made by auto top-up. */
    automatic: boolean().notNull().default(false),
    /** No page shows it any more: another order took its place. */
    superseded: boolean().notNull().default(false),
    /** The card is kept for auto top-up. */
    saveCard: boolean().notNull().default(false),
    capturedCents: integer().notNull().default(0),
    returnedCents: integer().notNull().default(0),
    takenCredits: integer().notNull().default(0),
    takenBonusCredits: integer().notNull().default(0),
    /** As a receipt names it: the brand and the last digits. */
    card: text(),
    createdAt: instant().notNull().default(now),
    paidAt: instant(),
    /**
     * When the provider was last asked about it, to the microsecond: an answer to an earlier question changes nothing
     * any more.
     */
    checkedAt: timestamp({ withTimezone: true, mode: 'string' }).notNull().default(now),
    /** When the reconciler last took it up, whether or not it found anything out. */
    askedAt: instant().notNull().default(now),
  },
  (table) => [
    index('payment_user').on(table.userId, table.createdAt),
    index('payment_unfinished')
      .on(table.checkedAt)
      .where(sql`${table.status} in ('open', 'processing', 'failed')`),
    check('payment_status', oneOf(table.status, ORDER_STATUSES)),
    check(
      'payment_captured',
      sql`${table.capturedCents} = case when ${table.status} = 'succeeded' then ${table.amountCents} else 0 end`,
    ),
    check('payment_paid', sql`(${table.paidAt} is not null) = (${table.status} = 'succeeded')`),
    check('payment_returned', sql`${table.returnedCents} between 0 and ${table.capturedCents}`),
    check(
      'payment_taken',
      sql`${table.takenCredits} between 0 and ${table.credits} and ${table.takenBonusCredits} between 0 and ${table.bonusCredits}`,
    ),
  ],
)

/** Money on its way back. It counts while it stands; a refund that failed in the end counts no more. */
export const paymentRefund = snakeCase.table(
  'payment_refund',
  {
    id: text().primaryKey(),
    orderId: text().notNull(),
    cents: integer().notNull(),
    status: text({ enum: ['standing', 'failed'] }).notNull(),
    createdAt: instant().notNull().default(now),
  },
  (table) => [
    index('payment_refund_order').on(table.orderId),
    check('payment_refund_status', oneOf(table.status, ['standing', 'failed'])),
  ],
)

/** A payer's bank that asks for the money back. It counts while open and when lost. */
export const paymentDispute = snakeCase.table(
  'payment_dispute',
  {
    id: text().primaryKey(),
    orderId: text().notNull(),
    cents: integer().notNull(),
    status: text({ enum: ['open', 'won', 'lost'] }).notNull(),
    createdAt: instant().notNull().default(now),
  },
  (table) => [
    index('payment_dispute_order').on(table.orderId),
    check('payment_dispute_status', oneOf(table.status, ['open', 'won', 'lost'])),
  ],
)

/** Events of the payment provider that had their effect, in the same transaction. */
export const stripeEvent = snakeCase.table(
  'stripe_event',
  { id: text().primaryKey(), type: text().notNull(), at: instant().notNull().default(now) },
  (table) => [index('stripe_event_at').on(table.at)],
)

/**
 * Events whose effect failed, and when it is tried again; without a time they were given up, and stay to be looked at.
 */
export const stripeEventRetry = snakeCase.table(
  'stripe_event_retry',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    intentId: text(),
    setupIntentId: text(),
    failures: integer().notNull().default(0),
    nextAttemptAt: instant(),
    createdAt: instant().notNull().default(now),
  },
  (table) => [
    index('stripe_event_retry_due')
      .on(table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
  ],
)

/** How far the provider's list of events has been read; one row. */
export const stripeReading = snakeCase.table(
  'stripe_reading',
  { id: boolean().primaryKey().default(true), readUntil: instant().notNull() },
  (table) => [check('stripe_reading_one', sql`${table.id}`)],
)

/** A person at the payment provider, with the card that was saved. */
export const paymentCustomer = snakeCase.table('payment_customer', {
  userId: text().primaryKey(),
  customerId: text().notNull().unique('payment_customer_id'),
  paymentMethodId: text(),
  brand: text(),
  last4: text(),
  expMonth: integer(),
  expYear: integer(),
})

/** Buy this package whenever fewer credits are left. A problem stops it until the person does something about it. */
export const autoTopUp = snakeCase.table(
  'auto_top_up',
  {
    userId: text().primaryKey(),
    packageId: text({ enum: PACKAGE_IDS }).notNull(),
    thresholdCredits: integer().notNull(),
    problem: text(),
    /** The purchase under way. */
    orderId: text(),
    /** When it was last this person's turn. */
    triedAt: instant().notNull().default(now),
  },
  (table) => [check('auto_top_up_threshold', sql`${table.thresholdCredits} > 0`)],
)

/**
 * Wallets that have fallen below what is low, written by the trigger that moves them
 * (ledger/sql/ledger_entry_post.sql). Told once.
 */
export const lowBalance = snakeCase.table(
  'low_balance',
  { userId: text().primaryKey(), fellAt: instant().notNull().default(now), toldAt: instant() },
  (table) => [
    index('low_balance_untold')
      .on(table.fellAt)
      .where(sql`${table.toldAt} is null`),
  ],
)
