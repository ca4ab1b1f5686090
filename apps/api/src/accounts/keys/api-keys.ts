import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_KEYS_MAX, APP_SCHEME, type ApiKey, type KeyScope } from '@parley/contract'
import { and, desc, eq } from 'drizzle-orm'
import { type Db, type Reader, withTx } from '../../platform/db.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import { API_KEY_PREFIX } from '../../platform/pages/protection.ts'
import type { Asking } from '../sign-in/auth.ts'
import { recordEvent } from '../events.ts'
import { holdAccount } from '../sign-in/pending.ts'
import { apiKey } from '../schema.ts'

const SECRET_BYTES = 24
const CHECKSUM_LETTERS = 6
const USE_NOTED_EVERY_MS = 60_000

/** `parley_`, a secret and a checksum, which detects typing mistakes and lets scanners recognise leaked keys. */
function newKey(): string {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return `${API_KEY_PREFIX}${secret}${checksumOf(secret)}`
}

function checksumOf(secret: string): string {
  return crc32(`${APP_SCHEME}:${secret}`)
    .toString(36)
    .padStart(CHECKSUM_LETTERS + 1, '0')
    .slice(-CHECKSUM_LETTERS)
}

function isWellFormed(key: string): boolean {
  const secret = key.slice(API_KEY_PREFIX.length, -CHECKSUM_LETTERS)
  return key.startsWith(API_KEY_PREFIX) && key.endsWith(checksumOf(secret)) && secret !== ''
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** The user of an API key. Throws if a key is present but invalid. */
export async function authenticateKey(db: Db, authorization: string): Promise<Actor> {
  const key = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? ''
  const wrong = new AppError('unauthenticated', 'The API key is wrong or was revoked.')
  if (!isWellFormed(key)) throw wrong
  const [found] = await db
    .select()
    .from(apiKey)
    .where(eq(apiKey.hash, hashOf(key)))
  if (!found) throw wrong
  const now = new Date()
  if (now.getTime() - (found.lastUsedAt?.getTime() ?? 0) > USE_NOTED_EVERY_MS) {
    await db.update(apiKey).set({ lastUsedAt: now }).where(eq(apiKey.id, found.id))
  }
  return { userId: found.userId, via: 'key', sessionId: null, scopes: found.scopes }
}

/** Newest first. */
export async function listKeys(reader: Reader, userId: string): Promise<ApiKey[]> {
  const rows = await reader
    .select()
    .from(apiKey)
    .where(eq(apiKey.userId, userId))
    .orderBy(desc(apiKey.createdAt), desc(apiKey.id))
  return rows.map(toKey)
}

function toKey({ id, name, masked, scopes, createdAt, lastUsedAt }: typeof apiKey.$inferSelect): ApiKey {
  return { id, name, masked, scopes, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

interface NewKey {
  readonly name: string
  readonly scopes: KeyScope[]
}

/** Creates a key. Only this response contains it; the database keeps its hash. */
export async function createKey(
  db: Db,
  actor: Actor,
  { name, scopes }: NewKey,
  request: Asking,
): Promise<ApiKey & { key: string }> {
  const key = newKey()
  const masked = `${key.slice(0, API_KEY_PREFIX.length + 4)}…${key.slice(-4)}`
  return withTx(db, async (tx) => {
    // Locks the account, so that concurrent requests cannot exceed the limit together.
    const { id: userId } = await holdAccount(tx, actor)
    if ((await tx.$count(apiKey, eq(apiKey.userId, userId))) >= API_KEYS_MAX) {
      throw new AppError('conflict', `There are ${API_KEYS_MAX} API keys. Please revoke one first.`)
    }
    const [made] = await tx
      .insert(apiKey)
      .values({ id: randomUUID(), userId, name, scopes, masked, hash: hashOf(key) })
      .returning()
    if (!made) throw new Error('The key was not kept.')
    await recordEvent(tx, { userId, kind: 'api_key_created', detail: name }, request)
    return { ...toKey(made), key }
  })
}

export async function revokeKey(db: Db, userId: string, keyId: string, request: Asking): Promise<void> {
  await withTx(db, async (tx) => {
    const own = and(eq(apiKey.id, keyId), eq(apiKey.userId, userId))
    const [revoked] = await tx.delete(apiKey).where(own).returning({ name: apiKey.name })
    if (!revoked) throw notFound('The API key')
    await recordEvent(tx, { userId, kind: 'api_key_revoked', detail: revoked.name }, request)
  })
}
