import { createHmac, randomUUID } from 'node:crypto'
import { type Webhook, WEBHOOK_EVENTS } from '@parley/contract'
import type { Key } from '@parley/contract/keys'
import { and, eq } from 'drizzle-orm'
import { settingsOf } from '../accounts/index.ts'
import { AppError } from '../platform/errors.ts'
import type { NoticesRoom } from './room.ts'
import { webhookEndpoint } from './schema.ts'

/**
 * The signing secrets of an address, derived and never stored, so that the database alone cannot sign. The first one is
 * shown and stays the same until the user rotates it or the operator rotates AUTH_SECRET; the others are of the older
 * keys of that, so that a receiver accepts what comes until its owner has changed the secret there.
 */
export async function secretsFor(
  { db, config: { authKeys } }: Pick<NoticesRoom, 'config' | 'db'>,
  userId: string,
  url: string,
): Promise<[string, ...string[]]> {
  const { id } = webhookEndpoint
  const [changed] = await db.select({ id }).from(webhookEndpoint).where(endpointOf(userId, url))
  const origin = changed?.id ?? `${userId} ${url}`
  const derived = ({ secret }: Key) =>
    `whsec_${createHmac('sha256', secret).update(`webhook:${origin}`).digest('base64')}`
  const [first, ...older] = authKeys
  return [derived(first), ...older.map(derived)]
}

const endpointOf = (userId: string, url: string) =>
  and(eq(webhookEndpoint.userId, userId), eq(webhookEndpoint.url, url))

export async function readWebhook(room: Pick<NoticesRoom, 'config' | 'db'>, userId: string): Promise<Webhook> {
  const { webhookUrl: url } = await settingsOf(room.db, userId)
  if (url === null) return { url, secret: null, events: [...WEBHOOK_EVENTS] }
  const [secret] = await secretsFor(room, userId, url)
  return { url, secret, events: [...WEBHOOK_EVENTS] }
}

export async function renewSecret(room: Pick<NoticesRoom, 'config' | 'db'>, userId: string): Promise<Webhook> {
  const { webhookUrl: url } = await settingsOf(room.db, userId)
  if (url === null) throw noAddress()
  const id = randomUUID()
  const { userId: person, url: address } = webhookEndpoint
  await room.db
    .insert(webhookEndpoint)
    .values({ userId, url, id })
    .onConflictDoUpdate({ target: [person, address], set: { id } })
  return readWebhook(room, userId)
}

export function noAddress(): AppError {
  return new AppError('conflict', 'Save a webhook URL first.', { field: 'webhookUrl' })
}
