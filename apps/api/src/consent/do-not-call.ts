import type { DO_NOT_CALL_SOURCES, DoNotCallEntry, PageQuery } from '@parley/contract'
import { and, eq, inArray, ilike, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../platform/db.ts'
import { AppError, notFound } from '../platform/errors.ts'
import type { Page } from '../platform/http.ts'
import { type Cursor, newestFirst } from '../platform/pages.ts'
import { audit } from './audit.ts'
import { returnedAmong } from './kept.ts'
import { doNotCall, platformDoNotCall } from './schema.ts'

export interface OptOut {
  readonly userId: string
  /** E.164. */
  readonly phone: string
  readonly source: (typeof DO_NOT_CALL_SOURCES)[number]
  readonly quote?: string
  readonly callId?: string
}

/**
 * Adds a number to the account's do-not-call list. The first entry stays, except that the callee's own opt-out replaces
 * another source. Returns whether anything was written.
 */
export async function addDoNotCall(tx: Tx, { userId, phone, source, quote, callId }: OptOut): Promise<boolean> {
  const entry = { userId, phone, source, quote: quote ?? null, callId: callId ?? null }
  const insert = tx.insert(doNotCall).values(entry)
  const [row] = await (
    source === 'callee'
      ? insert.onConflictDoUpdate({
          target: [doNotCall.userId, doNotCall.phone],
          set: { source, quote: entry.quote, callId: entry.callId },
          setWhere: sql`${doNotCall.source} <> 'callee'`,
        })
      : insert.onConflictDoNothing()
  ).returning()
  if (!row) return false
  await audit(tx, {
    userId,
    kind: source === 'callee' ? 'opted_out' : 'listed',
    phone,
    callId: entry.callId,
    detail: entry.quote ?? source,
  })
  return true
}

/** Adds many numbers (E.164, distinct). Returns how many are new. */
export async function addDoNotCallList(tx: Tx, userId: string, phones: readonly string[]): Promise<number> {
  if (phones.length === 0) return 0
  const entries = phones.map((phone) => ({ userId, phone, source: 'imported' as const }))
  const added = await tx.insert(doNotCall).values(entries).onConflictDoNothing().returning({ phone: doNotCall.phone })
  await audit(tx, ...added.map(({ phone }) => ({ userId, kind: 'listed' as const, phone, detail: 'imported' })))
  return added.length
}

/** Which of the numbers are on the account's or the operator's do-not-call list. */
export async function whoMustNotBeCalled(
  reader: Reader,
  userId: string,
  phones: readonly string[],
): Promise<Set<string>> {
  if (phones.length === 0) return new Set()
  const wanted = sql`any(${sql.param([...phones])}::text[])`
  const { rows } = await reader.execute<{ phone: string }>(sql`
    select phone from ${doNotCall} where user_id = ${userId} and phone = ${wanted}
    union select phone from ${platformDoNotCall} where phone = ${wanted}
    union ${returnedAmong(userId, phones)}`)
  return new Set(rows.map(({ phone }) => phone))
}

export async function listDoNotCall(
  reader: Reader,
  userId: string,
  query: PageQuery & { readonly q?: string | undefined },
): Promise<Page<DoNotCallEntry>> {
  const digits = query.q?.replaceAll(/\D/g, '') ?? ''
  const wanted = and(eq(doNotCall.userId, userId), digits === '' ? undefined : ilike(doNotCall.phone, `%${digits}%`))
  const columns = { at: doNotCall.createdAt, id: doNotCall.phone }
  const { after, order, limit, page } = newestFirst(query, columns, placeOf)
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(doNotCall)
      .where(and(wanted, after))
      .orderBy(...order)
      .limit(limit),
    reader.$count(doNotCall, wanted),
  ])
  return page(rows, total).map(toEntry)
}

function placeOf({ createdAt: at, phone: id }: typeof doNotCall.$inferSelect): Cursor {
  return { at, id }
}

export async function readDoNotCall(reader: Reader, userId: string, phone: string): Promise<DoNotCallEntry> {
  const [row] = await reader.select().from(doNotCall).where(entryOf(userId, phone))
  if (!row) throw notFound('The number')
  return toEntry(row)
}

/** Removes a number from the list. After a callee's opt-out this needs new permission, which is audited. */
export async function removeDoNotCall(tx: Tx, userId: string, phone: string, permission?: string): Promise<void> {
  const { source } = await readDoNotCall(tx, userId, phone)
  if (source === 'callee' && permission === undefined) {
    const message = 'The owner of this number asked not to be called. Say what permission they have given since.'
    throw new AppError('consent_required', message, { field: 'permission' })
  }
  await tx.delete(doNotCall).where(entryOf(userId, phone))
  await audit(tx, { userId, kind: 'unlisted', phone, detail: permission ?? null })
}

/** Changes the operator's list, which applies to every account. */
export async function changePlatformDoNotCall(
  tx: Tx,
  phones: readonly string[],
  change: 'add' | 'remove',
  reason?: string,
): Promise<void> {
  if (phones.length === 0) return
  if (change === 'remove') await tx.delete(platformDoNotCall).where(inArray(platformDoNotCall.phone, [...phones]))
  else
    await tx
      .insert(platformDoNotCall)
      .values(phones.map((phone) => ({ phone, reason: reason ?? null })))
      .onConflictDoNothing()
}

function entryOf(userId: string, phone: string) {
  return and(eq(doNotCall.userId, userId), eq(doNotCall.phone, phone))
}

function toEntry({ phone, source, quote, callId, createdAt }: typeof doNotCall.$inferSelect): DoNotCallEntry {
  return { phone, source, quote, callId, createdAt: createdAt.toISOString() }
}

export async function isDoNotCall(reader: Reader, userId: string, phone: string): Promise<boolean> {
  return (await whoMustNotBeCalled(reader, userId, [phone])).size > 0
}
