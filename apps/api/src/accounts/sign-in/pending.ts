import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import {
  account,
  apiKey,
  emailCode,
  mailLink,
  nativeCode,
  passkey,
  recoveryCode,
  secondFactor,
  session,
  user,
} from '../schema.ts'

export type Held = typeof user.$inferSelect

/**
 * Locks the account's row until the transaction ends and checks the session. A request that began before its session
 * was ended is refused here and leaves nothing behind.
 */
export async function holdAccount(tx: Tx, { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>): Promise<Held> {
  const [person] = await tx.select().from(user).where(eq(user.id, userId)).for('update')
  const [live] = await tx
    .select({ id: session.id })
    .from(session)
    .where(eq(session.id, sessionId ?? ''))
  if (!person || !live) throw new AppError('unauthenticated', 'Please log in.')
  return person
}

/**
 * Voids unfinished changes of an account: address change, reset links, codes, unconfirmed authenticator. A passkey
 * being added ends with its session. The caller holds the account.
 */
export async function voidPending(tx: Tx, { id, email }: Pick<Held, 'id' | 'email'>): Promise<void> {
  const forAddress = and(eq(mailLink.email, email), inArray(mailLink.kind, ['registration', 'password']))
  await tx.delete(mailLink).where(or(eq(mailLink.userId, id), forAddress))
  await tx.delete(nativeCode).where(eq(nativeCode.userId, id))
  // Updated, not deleted: today's count of mails still applies.
  await tx
    .update(emailCode)
    .set({ expiresAt: new Date(0) })
    .where(eq(emailCode.userId, id))
  await tx.delete(secondFactor).where(and(eq(secondFactor.userId, id), isNull(secondFactor.confirmedAt)))
}

/**
 * The person who registered an address may not be its owner. When the owner enters by other means, deletes a password
 * that no mail confirmed, with the sessions, keys and factors made under it.
 */
export async function voidUnconfirmed(tx: Tx, userId: string): Promise<void> {
  const [unconfirmed] = await tx
    .delete(account)
    .where(and(eq(account.userId, userId), eq(account.providerId, 'credential'), isNull(account.confirmedAt)))
    .returning({ id: account.id })
  if (!unconfirmed) return
  for (const table of [session, apiKey, passkey, secondFactor, recoveryCode])
    await tx.delete(table).where(eq(table.userId, userId))
}
