import { index, integer, jsonb, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'

/** First answers under an Idempotency-Key, kept for a day. */
export const idempotentAnswers = snakeCase.table(
  'idempotent_answer',
  {
    userId: text().notNull(),
    routeId: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    answer: jsonb().$type<unknown>(),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.routeId, table.key] }), index().on(table.createdAt)],
)

/** What was last replayed of each set of SQL files (replay.ts). */
export const replayedSql = snakeCase.table('replayed_sql', {
  name: text().primaryKey(),
  version: integer().notNull(),
  hash: text().notNull(),
  replayedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
