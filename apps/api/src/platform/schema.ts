import { bigint, date, index, integer, jsonb, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'

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

/** Tasks that one process of the cluster repeats (rounds/). Times are the database's own. */
export const repeatedTask = snakeCase.table('repeated_task', {
  name: text().primaryKey(),
  intervalMs: integer().notNull(),
  nextRunAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** The process that runs it; null: none. */
  owner: text(),
  /** Grows with every run: a process with an older one has lost the task. */
  fence: bigint({ mode: 'number' }).notNull().default(0),
  leaseUntil: timestamp({ withTimezone: true }),
  lastStartedAt: timestamp({ withTimezone: true }),
  lastSucceededAt: timestamp({ withTimezone: true }),
  lastFailedAt: timestamp({ withTimezone: true }),
  failuresInRow: integer().notNull().default(0),
  /** Of the last failure: the kind of its error, without values. */
  lastErrorKind: text(),
})

/**
 * What an account's rows in archives are encrypted with, made when its first month is archived. It goes with the account
 * (the migration refers it to `user`), and with it what anybody could read of them.
 */
export const archiveKey = snakeCase.table('archive_key', {
  userId: text().primaryKey(),
  /** 32 bytes, base64. */
  key: text().notNull(),
})

/** Months of tables in partitions that are kept as files (database/partitions/archive.ts). */
export const partitionArchive = snakeCase.table('partition_archive', {
  /** Of the partition. */
  name: text().primaryKey(),
  table: text().notNull(),
  /** Its first day. */
  month: date().notNull(),
  rows: bigint({ mode: 'number' }).notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
  archivedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Until then the partition is there again. */
  restoredUntil: timestamp({ withTimezone: true }),
})

/** What a repeated task failed with: it is passed over until its back-off has ended. */
export const passedOver = snakeCase.table(
  'passed_over',
  {
    task: text().notNull(),
    /** The account or thing by its id. */
    subject: text().notNull(),
    failures: integer().notNull().default(1),
    retryAt: timestamp({ withTimezone: true }).notNull(),
    errorKind: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.task, table.subject] }), index().on(table.retryAt)],
)
