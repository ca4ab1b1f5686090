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

/** What an event may end before its time: a line of the account becomes free, or credits do. */
const AWAITED = ['account', 'credits'] as const

/** Milliseconds, the precision of JavaScript, so that a cursor finds its row again. */
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
    /** Why the batch is paused or what it waits for, as a sentence. */
    statusMessage: text(),
    /** The upload is in progress: the batch is hidden, and deleted when the upload stops. */
    incoming: boolean().notNull().default(true),
    plan: jsonb().$type<BatchPlan>().notNull(),

    // Source file.
    fileName: text(),
    columns: jsonb().$type<readonly string[]>().notNull().default([]),
    phoneColumn: text(),
    nameColumn: text(),
    /** Distinct places of its contacts. */
    places: jsonb().$type<string[]>().notNull().default([]),

    // Consent evidence.
    marketing: boolean(),
    permission: text({ enum: PERMISSIONS }),
    permissionDetails: text(),
    permissionBy: text(),
    permissionAt: instant(),

    // Contacts by status; updated with the rows, in the same transaction.
    dropped: count(),
    waiting: count(),
    calling: count(),
    completed: count(),
    failed: count(),
    cancelled: count(),
    creditsCharged: count(),
    /** Consecutive carrier failures; see CARRIER_FAILURES_MAX. */
    carrierFailures: count(),

    scheduledFor: instant(),
    /** Time of the pacer's next look; null: at once. */
    lookAt: instant(),
    /** What a look before that time would be for, if an event of the account brings it; null: nothing. */
    waitsFor: text({ enum: AWAITED }),
    createdAt: instant().notNull(),
    startedAt: instant(),
    endedAt: instant(),
  },
  (table) => [
    index('batch_list').on(table.userId, table.createdAt, table.id),
    index('batch_due')
      .on(sql`coalesce(${table.lookAt}, '-infinity'::timestamptz)`)
      .where(sql`${table.status} = 'running' or ${table.status} = 'paused' and ${table.pausedBy} = 'hours'`)
      .concurrently(),
    index('batch_scheduled')
      .on(table.scheduledFor)
      .where(sql`${table.status} = 'scheduled'`)
      .concurrently(),
    index('batch_awaiting')
      .on(table.userId, table.lookAt)
      .where(sql`${table.status} = 'running' and ${table.waitsFor} is not null`)
      .concurrently(),
    check('batch_paused', sql`(${table.status} = 'paused') = (${table.pausedBy} is not null)`),
    check(
      'batch_counts',
      sql`least(${table.waiting}, ${table.calling}, ${table.completed}, ${table.failed}, ${table.cancelled}) >= 0`,
    ),
  ],
)
export type BatchRecord = typeof batch.$inferSelect

/** Where a row differs from the plan of its batch. */
export type RowOrder = Partial<
  Pick<NewCall, 'purpose' | 'objectives' | 'mandates' | 'tone' | 'maxDurationMinutes' | 'language'>
>

export const batchContact = snakeCase.table(
  'batch_contact',
  {
    batchId: text()
      .notNull()
      .references(() => batch.id, { onDelete: 'cascade' }),
    /** The row number; contacts are called in this order. */
    row: integer().notNull(),
    /** As typed. */
    phone: text().notNull(),
    /** E.164. */
    callee: text(),
    name: text(),
    /** The whole row. */
    context: jsonb().$type<Record<string, unknown>>().notNull(),
    order: jsonb().$type<RowOrder>(),
    /** The callee's place, as a key of the consent room. */
    place: text(),
    status: text({ enum: BATCH_CONTACT_STATUSES }).notNull(),
    /** Why the contact is not called. */
    code: text().$type<ErrorCode>(),
    attempts: count(),
    /** The limit of attempts, if raised above the plan's. */
    attemptsMax: integer(),
    /** When a retry or a rule allows the next attempt; null: at its turn. */
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

/** Concurrent calls shared by all batches. A slot is leased, so that a dead process frees it in time. */
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
