import { DO_NOT_CALL_SOURCES } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'
import { user } from '../accounts/schema.ts'

const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })
const owner = () =>
  text()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

/** Numbers that an account never calls again. */
export const doNotCall = snakeCase.table(
  'do_not_call',
  {
    userId: owner(),
    /** E.164. */
    phone: text().notNull(),
    source: text({ enum: DO_NOT_CALL_SOURCES }).notNull(),
    /** The callee's words, for an opt-out in a call. */
    quote: text(),
    callId: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.phone] }),
    index('do_not_call_added').on(table.userId, table.createdAt),
    check('do_not_call_source', sql`${table.source} in ('callee', 'account', 'imported')`),
  ],
)

/** Do-not-call lists of deleted accounts, as hashes under keys that are not stored: no number can be read from them. */
export const keptDoNotCall = snakeCase.table(
  'kept_do_not_call',
  { listId: text().notNull(), phoneHash: text().notNull() },
  (table) => [primaryKey({ columns: [table.listId, table.phoneHash] })],
)

/** Users who returned after a deletion: the key recognises their do-not-call numbers when typed again. */
export const returnedDoNotCall = snakeCase.table('returned_do_not_call', {
  userId: owner().primaryKey(),
  listKey: text().notNull(),
})

/** Numbers that no account may call, kept by the operator. */
export const platformDoNotCall = snakeCase.table('platform_do_not_call', {
  phone: text().primaryKey(),
  reason: text(),
  createdAt: instant().notNull().defaultNow(),
})

/** Numbers that an account may call before its first purchase, where free credits are for verified numbers only. */
export const verifiedNumber = snakeCase.table(
  'verified_number',
  {
    userId: owner(),
    /** E.164. */
    phone: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.phone] })],
)

/** The dialing switch, read before every dialing: one row, or none if never switched. */
export const dialingSwitch = snakeCase.table(
  'dialing_switch',
  {
    id: integer().primaryKey().default(1),
    on: boolean().notNull(),
    /** The operator's reason. */
    reason: text(),
    changedAt: instant().notNull().defaultNow(),
  },
  (table) => [check('dialing_switch_one_row', sql`${table.id} = 1`)],
)

export const AUDITED = ['dialed', 'refused', 'opted_out', 'listed', 'unlisted', 'evidence'] as const

/** Decisions of the gate and changes of its lists, in a partition a month. Also counts attempts per number. */
export const consentAudit = snakeCase.table(
  'consent_audit',
  {
    id: bigint({ mode: 'number' })
      .notNull()
      .default(sql`nextval('consent_audit_ids')`),
    userId: owner(),
    kind: text({ enum: AUDITED }).notNull(),
    phone: text(),
    callId: text(),
    batchId: text(),
    /** The refusal's code, or the user's text. */
    detail: text(),
    at: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.at] }),
    index('consent_audit_list').on(table.userId, table.at, table.id),
    index('consent_audit_number').on(table.userId, table.phone, table.at),
    index('consent_audit_at').on(table.at),
    check(
      'consent_audit_kind',
      sql`${table.kind} in ('dialed', 'refused', 'opted_out', 'listed', 'unlisted', 'evidence')`,
    ),
  ],
)
