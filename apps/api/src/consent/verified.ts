import { and, eq, inArray } from 'drizzle-orm'
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

/** Whether a call of the account may be put through to this number (E.164): a phone that is verified as its own. */
export async function mayRingIn(reader: Reader, userId: string, to: string): Promise<boolean> {
  return (await verifiedAmong(reader, userId, [to])).has(to)
}

/** The phone to ring where none is named: the only one that may be; null: there is none, or several. */
export async function onlyOwnPhone(reader: Reader, userId: string): Promise<string | null> {
  const found = await reader
    .select({ phone: verifiedNumber.phone })
    .from(verifiedNumber)
    .where(eq(verifiedNumber.userId, userId))
    .limit(2)
  const [first] = found
  return found.length === 1 && first ? first.phone : null
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
