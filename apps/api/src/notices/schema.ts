import type { WebhookDelivery, WebhookEvent } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, primaryKey, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'
import { user } from '../accounts/schema.ts'

const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })
const owner = () =>
  text()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

/**
 * An address whose secret a person has changed, or had before secrets were made of the address: it is derived from this
 * id.
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

/** What was sent to a webhook, or is to be. The id is the webhook-id of every attempt. */
export const webhookDelivery = snakeCase.table(
  'webhook_delivery',
  {
    id: text().primaryKey(),
    userId: owner(),
    type: text().$type<WebhookDelivery['type']>().notNull(),
    url: text().notNull(),
    /** The call that it tells of, whose words it loses with that call. */
    callId: text(),
    payload: jsonb().$type<WebhookEvent>().notNull(),
    status: text({ enum: ['waiting', 'delivered', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer().notNull().default(0),
    /** Attempts before the last replay: those that follow have the whole schedule again. */
    attemptsBefore: integer().notNull().default(0),
    responseStatus: integer(),
    response: text(),
    error: text(),
    nextAttemptAt: instant(),
    /** An attempt is under way, until then at the latest: nobody else makes one. */
    sendingUntil: instant(),
    createdAt: instant().notNull().defaultNow(),
    deliveredAt: instant(),
  },
  (table) => [
    index('webhook_delivery_list').on(table.userId, table.createdAt, table.id),
    index('webhook_delivery_call')
      .on(table.callId)
      .where(sql`${table.callId} is not null`),
    index('webhook_delivery_old').on(table.createdAt),
    check('webhook_delivery_status', sql`${table.status} in ('waiting', 'delivered', 'failed')`),
  ],
)
