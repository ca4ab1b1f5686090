import { createHash } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db.ts'
import { AppError } from '../errors.ts'
import { idempotentAnswers } from '../schema.ts'

const KEY_MAX = 255
const IDEMPOTENCY_KEPT_HOURS = 24

export interface Once {
  readonly userId: string
  readonly routeId: string
  /** The Idempotency-Key header, if sent. */
  readonly key: string | undefined
  readonly body: unknown
  /** The same body as other keys of this server hid what is private in it. */
  readonly earlier?: readonly unknown[]
}

/**
 * Runs `work` once per key: the same key and body return the first answer, another body throws a 409. The key is stored
 * in the transaction of the work, so that a failure leaves it free.
 */
export async function once<T>(
  tx: Tx,
  { userId, routeId, key, body, earlier = [] }: Once,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work()
  if (key.length === 0 || key.length > KEY_MAX)
    throw new AppError('invalid_input', `An Idempotency-Key has 1 to ${KEY_MAX} characters.`)
  const bodyHash = hashOf(body)
  const inserted = await tx
    .insert(idempotentAnswers)
    .values({ userId, routeId, key, bodyHash })
    .onConflictDoNothing()
    .returning({ key: idempotentAnswers.key })
  const mine = and(
    eq(idempotentAnswers.userId, userId),
    eq(idempotentAnswers.routeId, routeId),
    eq(idempotentAnswers.key, key),
  )
  if (inserted.length === 0) {
    const [first] = await tx.select().from(idempotentAnswers).where(mine)
    const isSame = first && [bodyHash, ...earlier.map(hashOf)].includes(first.bodyHash)
    if (!isSame) throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another body.')
    // Cast: stored below with the answer of the same route.
    return first.answer as T
  }
  const answer = await work()
  await tx.update(idempotentAnswers).set({ answer }).where(mine)
  return answer
}

export async function forgetOldAnswers(db: Db): Promise<void> {
  await db
    .delete(idempotentAnswers)
    .where(lt(idempotentAnswers.createdAt, sql`now() - make_interval(hours => ${IDEMPOTENCY_KEPT_HOURS})`))
}

/** Hash of a JSON value, independent of key order. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}
