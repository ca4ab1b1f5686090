import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Reader, Tx } from '../platform/db.ts'
import { verifiedNumber } from './schema.ts'

/** Which of the numbers the operator has verified for the account: the user's own, or with the owner's consent. */
export async function verifiedAmong(reader: Reader, userId: string, phones: readonly string[]): Promise<Set<string>> {
  const found = await reader
    .select({ phone: verifiedNumber.phone })
    .from(verifiedNumber)
    .where(and(eq(verifiedNumber.userId, userId), inArray(verifiedNumber.phone, [...phones])))
  return new Set(found.map(({ phone }) => phone))
}

/** Up to `most` of them. */
export async function verifiedPhones(reader: Reader, userId: string, most: number): Promise<string[]> {
  const found = await reader
    .select({ phone: verifiedNumber.phone })
    .from(verifiedNumber)
    .where(eq(verifiedNumber.userId, userId))
    .orderBy(asc(verifiedNumber.phone))
    .limit(most)
  return found.map(({ phone }) => phone)
}

export async function changeVerified(
  tx: Tx,
  userId: string,
  phones: readonly string[],
  change: 'add' | 'remove',
): Promise<void> {
  if (phones.length === 0) return
  const named = and(eq(verifiedNumber.userId, userId), inArray(verifiedNumber.phone, [...phones]))
  if (change === 'remove') await tx.delete(verifiedNumber).where(named)
  else
    await tx
      .insert(verifiedNumber)
      .values(phones.map((phone) => ({ userId, phone })))
      .onConflictDoNothing()
}
