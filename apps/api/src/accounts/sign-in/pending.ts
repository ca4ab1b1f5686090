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
 * The account's row, held until the transaction ends. Whatever a session begins is begun under it: a request that came
 * in before its session was ended finds out here, and cannot leave anything behind that was not there when the rest was
 * voided.
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
 * Ends what was begun in the name of an account and not finished: a change of the address, links for a new password,
 * codes, an authenticator app without its first code. A passkey that is being added is tied to its session, and ends
 * with it. The caller holds the account.
 */
export async function voidPending(tx: Tx, { id, email }: Pick<Held, 'id' | 'email'>): Promise<void> {
  const forAddress = and(eq(mailLink.email, email), inArray(mailLink.kind, ['registration', 'password']))
  await tx.delete(mailLink).where(or(eq(mailLink.userId, id), forAddress))
  await tx.delete(nativeCode).where(eq(nativeCode.userId, id))
  // Not deleted: how many were mailed today still counts.
  await tx
    .update(emailCode)
    .set({ expiresAt: new Date(0) })
    .where(eq(emailCode.userId, id))
  await tx.delete(secondFactor).where(and(eq(secondFactor.userId, id), isNull(secondFactor.confirmedAt)))
}

/**
 * Whoever registered the address may not be who reads its mail. Once the latter comes in by other means, all that was
 * made before goes where the password was never confirmed by a mail.
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
