import { sql } from 'drizzle-orm'
import { index, integer, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'
import { user } from '../accounts/schema.ts'

export const contact = snakeCase.table(
  'contact',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** E.164. */
    phone: text().notNull(),
    email: text(),
    company: text(),
    title: text(),
    notes: text(),
    tags: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    totalCalls: integer().notNull().default(0),
    successfulCalls: integer().notNull().default(0),
    /** Milliseconds, the precision of JavaScript, so that a cursor finds its row again. */
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    index('contact_list').on(table.userId, table.createdAt, table.id),
    index('contact_phone').on(table.userId, table.phone),
  ],
)
