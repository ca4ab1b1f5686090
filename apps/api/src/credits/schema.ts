import { MOVEMENT_KINDS } from '@parley/contract'
import { type SQL, sql } from 'drizzle-orm'
import { bigint, check, customType, index, snakeCase, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

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
 * `posted` and `held` are moved by the triggers of ledger_entry and hold alone (migration "books").
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
    check('ledger_account_kind', oneOf(table.kind, ACCOUNT_KINDS)),
    check('ledger_account_owner', sql`(${table.kind} in ('wallet', 'debt')) = (${table.userId} is not null)`),
    check('ledger_account_held', sql`${table.held} >= 0 and (${table.kind} = 'wallet' or ${table.held} = 0)`),
    check('ledger_account_wallet', sql`${table.kind} <> 'wallet' or ${table.posted} - ${table.held} >= 0`),
    check('ledger_account_debt', sql`${table.kind} <> 'debt' or ${table.posted} <= 0`),
  ],
)

/** One event that moved credits, once for its key. Append-only. */
export const ledgerTx = snakeCase.table(
  'ledger_tx',
  {
    id: whole().primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: MOVEMENT_KINDS }).notNull(),
    idemKey: text().notNull().unique('ledger_tx_idem_key'),
    bodyHash: text().notNull(),
    cause: text().notNull(),
    callId: text(),
    at: instant().notNull().default(now),
    /** The transaction that wrote it: no other may add legs (migration "books_in_one_go"). */
    writtenBy: transactionId()
      .notNull()
      .default(sql`pg_current_xact_id()`),
  },
  (table) => [
    check('ledger_tx_kind', oneOf(table.kind, MOVEMENT_KINDS)),
    check('ledger_tx_call', sql`${table.kind} <> 'settle' or ${table.callId} is not null`),
  ],
)

/**
 * A leg of an event: credits into an account, or out of it below zero. The legs of an event sum to 0. Append-only.
 * That its event and its account are there is judged by the trigger that posts it, which looks them up anyway.
 */
export const ledgerEntry = snakeCase.table(
  'ledger_entry',
  {
    id: whole().primaryKey().generatedAlwaysAsIdentity(),
    txId: whole().notNull(),
    accountId: text().notNull(),
    credits: whole().notNull(),
  },
  (table) => [
    uniqueIndex('ledger_entry_tx_account').on(table.txId, table.accountId),
    index('ledger_entry_account').on(table.accountId, table.txId),
    check('ledger_entry_credits', sql`${table.credits} <> 0`),
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
    index('hold_user').on(table.userId),
    index('hold_expiry')
      .on(table.expiresAt)
      .where(sql`${table.state} = 'active'`),
    check('hold_credits', sql`${table.credits} between 1 and ${table.wantedCredits}`),
    check('hold_charged', sql`${table.chargedCredits} between 0 and ${table.credits} and ${table.connectedSeconds} >= 0`),
    check(
      'hold_state',
      sql`${table.state} in ('active', 'settled') and num_nulls(${table.connectedSeconds}, ${table.chargedCredits}, ${table.settledAt}) = case ${table.state} when 'active' then 3 else 0 end`,
    ),
  ],
)
