import { and, eq } from 'drizzle-orm'
import type { Reader, Tx } from '../platform/db.ts'
import { doNotCall } from './schema.ts'

export interface OptOut {
  readonly userId: string
  /** E.164. */
  readonly phone: string
  readonly source: 'callee' | 'account'
  readonly quote?: string
  readonly callId?: string
}

/** From now on the account does not call this number. The first reason stays. */
export async function addDoNotCall(tx: Tx, { quote, callId, ...optOut }: OptOut): Promise<void> {
  await tx
    .insert(doNotCall)
    .values({ ...optOut, quote: quote ?? null, callId: callId ?? null })
    .onConflictDoNothing()
}

export async function isDoNotCall(reader: Reader, userId: string, phone: string): Promise<boolean> {
  const rows = await reader.select({ phone: doNotCall.phone }).from(doNotCall).where(entry(userId, phone))
  return rows.length > 0
}

export async function removeDoNotCall(tx: Tx, userId: string, phone: string): Promise<void> {
  await tx.delete(doNotCall).where(entry(userId, phone))
}

function entry(userId: string, phone: string) {
  return and(eq(doNotCall.userId, userId), eq(doNotCall.phone, phone))
}
