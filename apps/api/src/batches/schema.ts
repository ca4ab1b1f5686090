import {
  BATCH_CONTACT_STATUSES,
  BATCH_STATUSES,
  type BatchPlan,
  type ErrorCode,
  type NewCall,
  PAUSED_BY,
  PERMISSIONS,
} from '@parley/contract'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'
import { user } from '../accounts/schema.ts'

/** Milliseconds, as JavaScript keeps them, so that a cursor finds its place again. */
const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })
const count = () => integer().notNull().default(0)

export const batch = snakeCase.table(
  'batch',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull().default(''),
    status: text({ enum: BATCH_STATUSES }).notNull().default('draft'),
    pausedBy: text({ enum: PAUSED_BY }),
    /** Why it is paused or what it waits for, in a sentence. */
    statusMessage: text(),
    /** Its rows are still coming in: nobody sees it yet, and it is swept away when they stop. */
    incoming: boolean().notNull().default(true),
    plan: jsonb().$type<BatchPlan>().notNull(),

    // The file it came from.
    fileName: text(),
    columns: jsonb().$type<readonly string[]>().notNull().default([]),
    phoneColumn: text(),
    nameColumn: text(),
    /** Where its contacts are, each place once. */
    places: jsonb().$type<string[]>().notNull().default([]),

    // What permission its contacts gave.
    marketing: boolean(),
    permission: text({ enum: PERMISSIONS }),
    permissionDetails: text(),
    permissionBy: text(),
    permissionAt: instant(),

    // Contacts by status; moved with the rows, in the same transaction.
    dropped: count(),
    waiting: count(),
    calling: count(),
    completed: count(),
    failed: count(),
    cancelled: count(),
    creditsCharged: count(),
    /** Calls in a row that the carrier failed. */
    carrierFailures: count(),

    scheduledFor: instant(),
    /** When the pacer looks at it next; null: at once. */
    lookAt: instant(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    endedAt: instant(),
  },
  (table) => [
    index('batch_list').on(table.userId, table.createdAt, table.id),
    index('batch_active')
      .on(table.lookAt)
      .where(sql`${table.status} in ('scheduled', 'running', 'paused')`),
    check('batch_paused', sql`(${table.status} = 'paused') = (${table.pausedBy} is not null)`),
    check(
      'batch_counts',
      sql`least(${table.waiting}, ${table.calling}, ${table.completed}, ${table.failed}, ${table.cancelled}) >= 0`,
    ),
  ],
)
export type BatchRecord = typeof batch.$inferSelect

/** What a row orders otherwise than its batch's plan. */
export type RowOrder = Partial<Pick<NewCall, 'purpose' | 'objectives' | 'tone' | 'maxDurationMinutes' | 'language'>>

export const batchContact = snakeCase.table(
  'batch_contact',
  {
    batchId: text()
      .notNull()
      .references(() => batch.id, { onDelete: 'cascade' }),
    /** Its number in the list; rows are called in this order. */
    row: integer().notNull(),
    /** As it was given. */
    phone: text().notNull(),
    /** E.164. */
    callee: text(),
    name: text(),
    /** The whole row. */
    context: jsonb().$type<Record<string, unknown>>().notNull(),
    order: jsonb().$type<RowOrder>(),
    /** consent's word for where the callee is. */
    place: text(),
    status: text({ enum: BATCH_CONTACT_STATUSES }).notNull(),
    /** Why it is not called. */
    code: text().$type<ErrorCode>(),
    attempts: count(),
    /** Calls it may get in all, when it was given more than the plan says. */
    attemptsMax: integer(),
    /** Of a retry, or of a rule that makes it wait; null: when its turn comes. */
    nextAttemptAt: instant(),
    callId: text(),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.row] }),
    index('batch_contact_fresh')
      .on(table.batchId, table.place, table.row)
      .where(sql`${table.status} = 'waiting' and ${table.nextAttemptAt} is null`),
    index('batch_contact_again')
      .on(table.batchId, table.nextAttemptAt)
      .where(sql`${table.status} = 'waiting' and ${table.nextAttemptAt} is not null`),
    index('batch_contact_again_at')
      .on(table.batchId, table.place, table.nextAttemptAt)
      .where(sql`${table.status} = 'waiting' and ${table.nextAttemptAt} is not null`),
    index('batch_contact_queued')
      .on(table.callee)
      .where(sql`${table.status} = 'waiting'`),
    index('batch_contact_status').on(table.batchId, table.status, table.row),
    index('batch_contact_call')
      .on(table.callId)
      .where(sql`${table.callId} is not null`),
  ],
)

/** The lines that lists share. Whoever takes one has it until the lease ends, whatever becomes of the process. */
export const dialSlot = snakeCase.table(
  'dial_slot',
  {
    id: integer().primaryKey(),
    callId: text(),
    leasedUntil: instant(),
  },
  (table) => [
    index('dial_slot_call')
      .on(table.callId)
      .where(sql`${table.callId} is not null`),
  ],
)
