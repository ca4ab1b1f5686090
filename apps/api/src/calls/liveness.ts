import { eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../platform/db.ts'
import { call, callLiveness } from './schema.ts'

/** Of a call joined with its liveness. The release before writes the call's own time alone. */
export const lastHeardAt = sql`greatest(${call.heardAt}, ${callLiveness.heardAt})`

/** A fact of the call was taken, or voice has said that it is live. */
export async function noteHeard(tx: Reader, callId: string, heardAt: Date): Promise<void> {
  await tx
    .insert(callLiveness)
    .values({ callId, heardAt })
    .onConflictDoUpdate({ target: callLiveness.callId, set: { heardAt } })
}

export async function forgetLiveness(tx: Tx, callId: string): Promise<void> {
  await tx.delete(callLiveness).where(eq(callLiveness.callId, callId))
}
