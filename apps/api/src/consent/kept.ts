import { sql } from 'drizzle-orm'
import type { Tx } from '../platform/db.ts'
import { doNotCall, keptDoNotCall, returnedDoNotCall } from './schema.ts'

/** Keeps an account's do-not-call list after its deletion, so that a new account of the same mailbox respects it. */
export async function keepDoNotCall(tx: Tx, userId: string, mailboxKey: string): Promise<void> {
  // A second deletion adds to the list of the first one, whose key may be of an older secret.
  const listKey = sql`coalesce((select list_key from ${returnedDoNotCall} where user_id = ${userId}), ${mailboxKey})`
  await tx.execute(sql`
    insert into ${keptDoNotCall} (list_id, phone_hash)
    select ${listIdOf(listKey)}, ${phoneHashOf(listKey, sql`phone`)} from ${doNotCall} where user_id = ${userId}
    on conflict do nothing`)
}

/** Applies the kept list to a returning user. `mailboxKeys`: under each secret that this server has and had. */
export async function returnDoNotCall(tx: Tx, userId: string, mailboxKeys: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into ${returnedDoNotCall} (user_id, list_key)
    select ${userId}, list_key from unnest(${sql.param([...mailboxKeys])}::text[]) as list_key
    where exists (select 1 from ${keptDoNotCall} where list_id = ${listIdOf(sql`list_key`)})
    limit 1
    on conflict do nothing`)
}

/** SQL: which of the numbers are on the kept list of a returning user. */
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
