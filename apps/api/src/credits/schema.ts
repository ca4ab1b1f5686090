import { CURRENCY, MOVEMENT_KINDS, PACKAGE_IDS, PAYMENT_STATUSES } from '@parley/contract'
import { type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgSequence,
  primaryKey,
  smallint,
  snakeCase,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

export const ACCOUNT_KINDS = ['wallet', 'debt', 'sales', 'promo', 'usage', 'writeoff'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

const instant = () => timestamp({ withTimezone: true, mode: 'date' })
const now = sql`clock_timestamp()`
const whole = () => bigint({ mode: 'number' })

function oneOf(column: unknown, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`
}

/**
 * A user has a wallet and a debt account (negative: owed). What the house has of each other kind is the sum of its
 * transfers. Only the functions of the books move `posted` and `held` (ledger/sql/, docs/decisions/0063). CHECKs are
 * short, with few constants: PostgreSQL reads their text in every statement that writes.
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
  (table) => [
    uniqueIndex('ledger_account_user_kind').on(table.userId, table.kind),
    check(
      'ledger_account_balance',
      sql`${table.held} >= 0 and case ${table.kind} when 'debt' then greatest(${table.posted}, ${table.held}) <= 0 else ${table.held} <= ${table.posted} end`,
    ),
  ],
)

/** Ids of events. Drawn while the wallet is locked, so they ascend in the order of a user's events. */
export const ledgerTransferId = pgSequence('ledger_transfer_id')

/**
 * Credits that went from the account `debit` to the account `credit`, one of them at least the user's. An event is one
 * transfer, or several with its id; the first bears its key. Append-only.
 */
export const ledgerTransfer = snakeCase.table(
  'ledger_transfer',
  {
    id: whole().notNull(),
    part: smallint().notNull().default(1),
    userId: text().notNull(),
    kind: text({ enum: MOVEMENT_KINDS }).notNull(),
    debit: text({ enum: ACCOUNT_KINDS }).notNull(),
    credit: text({ enum: ACCOUNT_KINDS }).notNull(),
    amount: whole().notNull(),
    /** What the wallet has posted after the event. */
    balanceAfter: whole().notNull(),
    idemKey: text().unique('ledger_transfer_idem_key'),
    /** Of what determines the effect; a settlement's is its hold. */
    bodyHash: text(),
    cause: text().notNull(),
    callId: text(),
    at: instant().notNull().default(now),
  },
  (table) => [
    primaryKey({ name: 'ledger_transfer_pkey', columns: [table.id, table.part] }),
    index('ledger_transfer_user').on(table.userId, table.id),
    // Partial: calls make most transfers, purchases few.
    index('ledger_transfer_purchase')
      .on(table.userId)
      .where(sql`${table.kind} = 'purchase'`),
    check('ledger_transfer_moves', sql`${table.amount} > 0 and ${table.debit} <> ${table.credit}`),
  ],
)

/** Credits set aside for a live call. Settled once: charges what was used and releases the rest. */
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
    check(
      'hold_settled',
      sql`(${table.state} = 'active') = (${table.settledAt} is null) and (${table.chargedCredits} is null) = (${table.settledAt} is null) and (${table.connectedSeconds} is null) = (${table.settledAt} is null) and least(${table.chargedCredits}, ${table.connectedSeconds}) >= 0 and ${table.chargedCredits} <= ${table.credits} and ${table.credits} > 0 and ${table.credits} <= ${table.wantedCredits}`,
    ),
  ],
)

/** open: no result yet, or one that is not final, such as a declined card. */
const ORDER_STATUSES = ['open', ...PAYMENT_STATUSES] as const

/** Without a final result; the provider is asked again. */
export const UNFINISHED = ['open', 'processing', 'failed'] as const

/**
 * A purchase at the catalogue's price of its time; one payment intent each. `returnedCents`: refunded or disputed.
 * `taken*`: credits taken back for it.
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
    /** Replaced by another purchase; no page shows it any more. */
    superseded: boolean().notNull().default(false),
    /** The card is saved for auto top-up. */
    saveCard: boolean().notNull().default(false),
    capturedCents: integer().notNull().default(0),
    returnedCents: integer().notNull().default(0),
    takenCredits: integer().notNull().default(0),
    takenBonusCredits: integer().notNull().default(0),
    /** Brand and last digits, for the receipt. */
    card: text(),
    createdAt: instant().notNull().default(now),
    paidAt: instant(),
    /** Start of the last reading at the provider, in microseconds; older readings change nothing. */
    checkedAt: timestamp({ withTimezone: true, mode: 'string' }).notNull().default(now),
    /** The reconciler's last attempt, successful or not. */
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

/** A refund. It counts while pending or succeeded; a failed one does not. */
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

/**
 * A dispute (chargeback). It counts while open and when lost. `rounds`: how often it was opened or lost, the first time
 * and each time after it was won; each round has its own keys in the books.
 */
export const paymentDispute = snakeCase.table(
  'payment_dispute',
  {
    id: text().primaryKey(),
    orderId: text().notNull(),
    cents: integer().notNull(),
    status: text({ enum: ['open', 'won', 'lost'] }).notNull(),
    rounds: integer().notNull().default(1),
    createdAt: instant().notNull().default(now),
  },
  (table) => [
    index('payment_dispute_order').on(table.orderId),
    check('payment_dispute_status', oneOf(table.status, ['open', 'won', 'lost'])),
    check('payment_dispute_rounds', sql`${table.rounds} > 0`),
  ],
)

/**
 * A thing that a person has to decide, one for each payment. `decidedAt` with a decision; `doneAt` when nothing is left
 * to do, which a refund is once the provider has it.
 */
export const operatorTask = snakeCase.table(
  'operator_task',
  {
    id: whole().primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: ['paid_mismatch', 'unreadable'] }).notNull(),
    intentId: text().notNull().unique('operator_task_intent'),
    orderId: text().notNull(),
    detail: text().notNull(),
    decision: text({ enum: ['closed', 'granted', 'refunded'] }),
    reason: text(),
    openedAt: instant().notNull().default(now),
    decidedAt: instant(),
    doneAt: instant(),
  },
  (table) => [
    index('operator_task_open')
      .on(table.id)
      .where(sql`${table.doneAt} is null`),
    check(
      'operator_task_decided',
      sql`(${table.decision} is null) = (${table.decidedAt} is null) and (${table.doneAt} is null or ${table.decision} is not null)`,
    ),
  ],
)

/** Provider events that were applied, written in the same transaction. */
export const stripeEvent = snakeCase.table(
  'stripe_event',
  { id: text().primaryKey(), type: text().notNull(), at: instant().notNull().default(now) },
  (table) => [index('stripe_event_at').on(table.at)],
)

/** Failed provider events and their next retry; without a time they were given up and stay for inspection. */
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

/** How far the provider's events have been read; one row. */
export const stripeReading = snakeCase.table(
  'stripe_reading',
  { id: boolean().primaryKey().default(true), readUntil: instant().notNull() },
  (table) => [check('stripe_reading_one', sql`${table.id}`)],
)

/** The provider's customer of a user, with the saved card. */
export const paymentCustomer = snakeCase.table('payment_customer', {
  userId: text().primaryKey(),
  customerId: text().notNull().unique('payment_customer_id'),
  paymentMethodId: text(),
  brand: text(),
  last4: text(),
  expMonth: integer(),
  expYear: integer(),
})

/** Buys this package when credits fall below the threshold. A problem stops it until the user acts. */
export const autoTopUp = snakeCase.table(
  'auto_top_up',
  {
    userId: text().primaryKey(),
    packageId: text({ enum: PACKAGE_IDS }).notNull(),
    thresholdCredits: integer().notNull(),
    problem: text(),
    /** The purchase in progress. */
    orderId: text(),
    /** The last attempt. */
    triedAt: instant().notNull().default(now),
  },
  (table) => [check('auto_top_up_threshold', sql`${table.thresholdCredits} > 0`)],
)

/**
 * Wallets below the low-balance limit, written by the books (ledger/sql/books_low.sql). Notified once.
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
