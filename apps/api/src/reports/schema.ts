import { integer, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'
import { user } from '../accounts/schema.ts'

const amount = () => integer().notNull().default(0)

/**
 * Ended calls of a person by the quarter of an hour in which they were placed: every time zone's days and hours begin
 * with one. The database itself keeps it in step with `call` (migration `figures`), so that a screen never counts
 * 100,000 calls.
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

/** Sums over all ended calls of a user, so that neither totals of lists nor figures are counted again. */
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
