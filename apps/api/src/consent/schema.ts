import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'
import { user } from '../accounts/schema.ts'

const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })

/** Numbers that an account never calls again. */
export const doNotCall = snakeCase.table(
  'do_not_call',
  {
    userId: text()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** E.164. */
    phone: text().notNull(),
    source: text({ enum: ['callee', 'account'] }).notNull(),
    /** What the callee said, where it was said in a call. */
    quote: text(),
    callId: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.phone] }),
    index('do_not_call_added').on(table.userId, table.createdAt),
    check('do_not_call_source', sql`${table.source} in ('callee', 'account')`),
  ],
)

/** The kill switch, read whenever a number is about to be dialed: one row, or none while it was never turned. */
export const dialingSwitch = snakeCase.table(
  'dialing_switch',
  {
    id: integer().primaryKey().default(1),
    on: boolean().notNull(),
    /** The operator's own words. */
    reason: text(),
    changedAt: instant().notNull().defaultNow(),
  },
  (table) => [check('dialing_switch_one_row', sql`${table.id} = 1`)],
)
