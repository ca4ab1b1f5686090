import type { Call, NewCall } from '@parley/contract'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { toCall } from '../read.ts'
import { call } from '../schema.ts'

/** Longer than idempotency answers are kept, so that a key derived from this call never repeats. */
const LOOK_BACK_HOURS = 48

type SameCall = Pick<NewCall, 'callee' | 'from' | 'purpose' | 'objectives' | 'mandates'>

/**
 * The newest single call within the look-back to this number (E.164), with the same purpose, objectives and mandates, and
 * from the same number where one is asked for.
 */
export async function newestDuplicate(
  reader: Reader,
  userId: string,
  { callee, from, purpose, objectives, mandates }: SameCall,
): Promise<Call | undefined> {
  const [row] = await reader
    .select()
    .from(call)
    .where(
      and(
        eq(call.userId, userId),
        gt(call.createdAt, sql`now() - make_interval(hours => ${LOOK_BACK_HOURS})`),
        eq(call.callee, callee),
        from === undefined ? undefined : sql`${call.callerNumber} is not distinct from ${from}`,
        eq(call.purpose, purpose),
        sql`${call.objectives} = ${JSON.stringify(objectives)}::jsonb`,
        sql`${call.mandates} = ${JSON.stringify(mandates)}::jsonb`,
        sql`${call.batchId} is null`,
      ),
    )
    .orderBy(desc(call.createdAt), desc(call.id))
    .limit(1)
  return row && toCall(row)
}
