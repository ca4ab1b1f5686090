import { sql } from 'drizzle-orm'
import type { Tx } from '../platform/db.ts'
import { doNotCall, keptDoNotCall, returnedDoNotCall } from './schema.ts'

/** A list outlives its account, so that nobody who asked not to be called is called again by whoever signs up anew. */
export async function keepDoNotCall(tx: Tx, userId: string, listKey: string): Promise<void> {
  // Somebody who deletes for the second time still has the list of the first.
  await tx.execute(sql`
    insert into ${keptDoNotCall} (list_id, phone_hash)
    select ${listIdOf(listKey)}, ${phoneHashOf(sql`${listKey}`, sql`phone`)} from ${doNotCall} where user_id = ${userId}
    on conflict do nothing`)
}

/** Gives the kept list back to the person whose it was. */
export async function returnDoNotCall(tx: Tx, userId: string, listKey: string): Promise<void> {
  await tx.execute(sql`
    insert into ${returnedDoNotCall} (user_id, list_key)
    select ${userId}, ${listKey} where exists (select 1 from ${keptDoNotCall} where list_id = ${listIdOf(listKey)})
    on conflict do nothing`)
}

/** Of the numbers named, those on the kept list of this person, as rows with a phone. */
export function returnedAmong(userId: string, phones: readonly string[]) {
  return sql`
    select phone from unnest(${sql.param([...phones])}::text[]) as phone
    where exists (
      select 1 from ${returnedDoNotCall} as returned join ${keptDoNotCall} as kept
        on kept.list_id = ${listIdOf(sql`returned.list_key`)} and kept.phone_hash = ${phoneHashOf(sql`returned.list_key`, sql`phone`)}
      where returned.user_id = ${userId})`
}

function listIdOf(listKey: unknown) {
  return hash(sql`'list:' || ${listKey}::text`)
}

function phoneHashOf(listKey: unknown, phone: unknown) {
  return hash(sql`'phone:' || ${listKey}::text || ':' || ${phone}::text`)
}

function hash(text: unknown) {
  return sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`
}
