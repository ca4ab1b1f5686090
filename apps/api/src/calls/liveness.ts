import { eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../platform/db.ts'
import { call, callLiveness } from './schema.ts'

/** Of a call joined with its liveness. The release before writes the call's own time alone. */
export const lastHeardAt = sql`greatest(${call.heardAt}, ${callLiveness.heardAt})`

/** A fact of the call was taken. */
export async function noteHeard(tx: Reader, callId: string, heardAt: Date): Promise<void> {
  await tx
    .insert(callLiveness)
    .values({ callId, heardAt })
    .onConflictDoUpdate({ target: callLiveness.callId, set: { heardAt, isMissed: false } })
}

export interface Answer {
  readonly callId: string
  /** Its node says that it is live. */
  readonly isHeard: boolean
  readonly isMissed: boolean
}

/** What the nodes have answered about calls. One that ends, or is heard of, at this moment is left as it is. */
export async function noteAnswers(reader: Reader, answers: readonly Answer[], at: Date): Promise<void> {
  if (answers.length === 0) return
  const askedAt = sql`${sql.param(at, callLiveness.askedAt)}::timestamptz`
  await reader.execute(sql`
    insert into ${callLiveness} as known (call_id, heard_at, asked_at, is_missed)
    select ${call.id}, case when given."isHeard" then ${askedAt} else ${call.heardAt} end, ${askedAt}, given."isMissed"
    from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb)
      as given ("callId" text, "isHeard" boolean, "isMissed" boolean)
    join ${call} on ${call.id} = given."callId"
    where ${call.completedAt} is null
    order by ${call.id}
    for share of ${call} skip locked
    on conflict (call_id) do update set asked_at = excluded.asked_at, is_missed = excluded.is_missed,
      heard_at = greatest(known.heard_at, excluded.heard_at)`)
}

export async function forgetLiveness(tx: Tx, callId: string): Promise<void> {
  await tx.delete(callLiveness).where(eq(callLiveness.callId, callId))
}
