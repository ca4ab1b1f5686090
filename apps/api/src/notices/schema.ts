import { type Language, SHELL_PLATFORMS, type WebhookDelivery, type WebhookEvent } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'
import { session, user } from '../accounts/schema.ts'

const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })
const owner = () =>
  text()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

/**
 * Webhook addresses with a rotated or legacy secret, which is derived from this id. All others derive it from the
 * address.
 */
export const webhookEndpoint = snakeCase.table(
  'webhook_endpoint',
  {
    userId: owner(),
    id: text().notNull(),
    url: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.url] })],
)

/** Deliveries to webhooks, sent or waiting, in a partition a month. The id is the webhook-id of every attempt. */
export const webhookDelivery = snakeCase.table(
  'webhook_delivery',
  {
    id: text().notNull(),
    userId: owner(),
    type: text().$type<WebhookDelivery['type']>().notNull(),
    url: text().notNull(),
    /** The call of the event; its words are erased with those of the call. */
    callId: text(),
    payload: jsonb().$type<WebhookEvent>().notNull(),
    status: text({ enum: ['waiting', 'delivered', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer().notNull().default(0),
    /** Attempts before the last replay; a replay starts the schedule again. */
    attemptsBefore: integer().notNull().default(0),
    responseStatus: integer(),
    response: text(),
    error: text(),
    nextAttemptAt: instant(),
    /** Lease of the current attempt, so that no other process makes one. */
    sendingUntil: instant(),
    createdAt: instant().notNull().defaultNow(),
    deliveredAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.createdAt] }),
    index('webhook_delivery_list').on(table.userId, table.createdAt, table.id),
    index('webhook_delivery_call')
      .on(table.callId)
      .where(sql`${table.callId} is not null`),
    index('webhook_delivery_old').on(table.createdAt),
    check('webhook_delivery_status', sql`${table.status} in ('waiting', 'delivered', 'failed')`),
  ],
)

/** Phones that get notifications. Each leaves with the session that added it. */
export const device = snakeCase.table(
  'device',
  {
    id: text().primaryKey(),
    userId: owner(),
    sessionId: text()
      .notNull()
      .references(() => session.id, { onDelete: 'cascade' }),
    platform: text({ enum: SHELL_PLATFORMS }).notNull(),
    /** Apple's device token or Firebase's registration token: whoever has our keys can notify this phone with it. */
    token: text().notNull().unique(),
    language: text().$type<Language>().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [index().on(table.userId, table.createdAt), index().on(table.sessionId)],
)
