import { CALL_STATUSES } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'
import { user } from '../accounts/schema.ts'

const amount = () => integer().notNull().default(0)

/**
 * Figures of ended calls per user and quarter of an hour of placing, which fits every time zone. Triggers keep it in
 * step with `call` (migration `figures`), so that screens need not count 100,000 calls.
 */
export const callFigure = snakeCase.table(
  'call_figure',
  {
    userId: text()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    at: timestamp({ withTimezone: true, precision: 0 }).notNull(),
    answered: amount(),
    voicemail: amount(),
    noAnswer: amount(),
    failed: amount(),
    completed: amount(),
    seconds: amount(),
    completedSeconds: amount(),
    credits: amount(),
    met: amount(),
    refused: amount(),
    open: amount(),
    metWithinLimits: amount(),
    offered: amount(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.at] })],
)

/** Totals over all ended calls of a user, so that lists and figures need no counting. */
export const callTotal = snakeCase.table('call_total', {
  userId: text()
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  answered: amount(),
  voicemail: amount(),
  noAnswer: amount(),
  failed: amount(),
  completed: amount(),
  completedSeconds: amount(),
  credits: amount(),
  /** Calls with a summary. */
  summarized: amount(),
})

/**
 * What is searched of ended calls, one row each. Triggers keep it in step with `call` (migration `call_search`). A
 * partition a month: what grows old is not touched by new calls, and `user_id` leads the index of words.
 */
export const callSearch = snakeCase.table(
  'call_search',
  {
    userId: text().notNull(),
    createdAt: timestamp({ withTimezone: true, precision: 3, mode: 'date' }).notNull(),
    callId: text().notNull(),
    status: text({ enum: CALL_STATUSES }).notNull(),
    callee: text().notNull(),
    /** Callee, purpose, transcript and summary, a line each at least. */
    words: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.createdAt, table.callId] }),
    index('call_search_words')
      .using('gin', table.userId, sql`${table.words} gin_trgm_ops`)
      .with({ gin_pending_list_limit: 256 }),
  ],
)
