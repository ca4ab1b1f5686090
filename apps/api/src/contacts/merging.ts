import type { Readable } from 'node:stream'
import type { Contact, ContactsImport, DuplicateContacts } from '@parley/contract'
import { and, asc, count, eq, gt, inArray } from 'drizzle-orm'
import { type Db, type Reader, withTx } from '../platform/db.ts'
import { hasExtension } from '../platform/database/extensions.ts'
import { newRowId } from '../platform/database/row-ids.ts'
import { e164Of, replyOf } from './contacts.ts'
import { completed, type ContactFields } from './fields.ts'
import { readContactsFile } from './files.ts'
import { contact } from './schema.ts'

type Row = typeof contact.$inferSelect

const INSERTED_AT_ONCE = 500
const DUPLICATES_SHOWN = 100

/** Imports a file's contacts. One with a known number only fills missing fields of the existing contact. */
export async function importContacts(
  db: Db,
  userId: string,
  stream: Readable,
  fileName: string,
): Promise<ContactsImport> {
  const { wanted, dropped } = sortOut(await readContactsFile(stream, fileName))
  const changed = await withTx(db, async (tx) => {
    const own = eq(contact.userId, userId)
    const known = new Map<string, Row>()
    // Among duplicates, the oldest is completed.
    for (const row of await tx.select().from(contact).where(own).orderBy(asc(contact.createdAt)).for('update')) {
      if (wanted.has(row.phone) && !known.has(row.phone)) known.set(row.phone, row)
    }
    for (const row of known.values()) {
      const fields = wanted.get(row.phone)
      if (fields)
        await tx
          .update(contact)
          .set(changeable(completed(row, fields)))
          .where(eq(contact.id, row.id))
    }
    const fresh = [...wanted.values()].filter(({ phone }) => !known.has(phone))
    // The list shows the newest first, so later rows of the file get earlier times.
    const now = Date.now()
    const rows = fresh.map((fields, place) => ({
      id: newRowId(),
      userId,
      ...fields,
      tags: [...fields.tags],
      createdAt: new Date(now - place),
    }))
    for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE)
      await tx.insert(contact).values(rows.slice(at, at + INSERTED_AT_ONCE))
    return known.size
  })
  return { added: wanted.size - changed, changed, dropped }
}

/** Splits rows into contacts by distinct number, and dropped ones with the reason. */
function sortOut(rows: Awaited<ReturnType<typeof readContactsFile>>) {
  const wanted = new Map<string, ContactFields>()
  const dropped: ContactsImport['dropped'] = []
  for (const { row, fields } of rows) {
    const extended = hasExtension(fields.phone)
    const phone = extended ? undefined : e164Of(fields.phone)
    if (phone === undefined) {
      const code = extended ? 'number_extension' : fields.phone === '' ? 'number_missing' : 'number_invalid'
      dropped.push({ row, name: fields.name, phone: fields.phone.slice(0, 40), code })
      continue
    }
    const first = wanted.get(phone)
    wanted.set(
      phone,
      first ? completed(first, fields) : { ...fields, phone, name: fields.name || fields.company || phone },
    )
  }
  return { wanted, dropped }
}

function changeable({ email, company, title, notes, tags }: Omit<ContactFields, 'phone'>) {
  return { email, company, title, notes, tags: [...tags] }
}

/** Contacts that share a number, oldest first, for at most DUPLICATES_SHOWN numbers. */
export async function listDuplicates(reader: Reader, userId: string): Promise<DuplicateContacts[]> {
  const phones = await sharedPhones(reader, userId).limit(DUPLICATES_SHOWN)
  const groups = await groupsOf(
    reader,
    userId,
    phones.map(({ phone }) => phone),
  )
  return [...groups].map(([phone, rows]) => ({ phone, contacts: rows.map(replyOf) }))
}

/**
 * Merges contacts that share a number into the oldest, with missing fields from the others. Returns how many were
 * removed.
 */
export async function mergeContacts(db: Db, userId: string, typed: string | undefined): Promise<number> {
  return withTx(db, async (tx) => {
    await tx.select({ id: contact.id }).from(contact).where(eq(contact.userId, userId)).for('update')
    const phone = typed === undefined ? undefined : (e164Of(typed) ?? typed)
    const phones = phone === undefined ? (await sharedPhones(tx, userId)).map((each) => each.phone) : [phone]
    const gone: string[] = []
    for (const [kept, ...others] of (await groupsOf(tx, userId, phones)).values()) {
      if (!kept || others.length === 0) continue
      const merged = others.reduce((row, other) => completed(row, other), kept)
      // Each duplicate counts every call to the number, so the maximum is the total.
      const highest = (key: 'totalCalls' | 'successfulCalls') =>
        Math.max(kept[key], ...others.map((other) => other[key]))
      const counts = { totalCalls: highest('totalCalls'), successfulCalls: highest('successfulCalls') }
      const notes = others.reduce((text, other) => joined(text, other.notes), kept.notes)
      await tx
        .update(contact)
        .set({ ...changeable(merged), notes, ...counts })
        .where(eq(contact.id, kept.id))
      gone.push(...others.map(({ id }) => id))
    }
    if (gone.length > 0) await tx.delete(contact).where(inArray(contact.id, gone))
    return gone.length
  })
}

function joined(first: string | null, second: string | null): string | null {
  if (!first || !second || first.includes(second)) return first || second
  return `${first}\n${second}`.slice(0, 5000)
}

function sharedPhones(reader: Reader, userId: string) {
  return reader
    .select({ phone: contact.phone })
    .from(contact)
    .where(eq(contact.userId, userId))
    .groupBy(contact.phone)
    .having(gt(count(), 1))
    .orderBy(asc(contact.phone))
}

async function groupsOf(reader: Reader, userId: string, phones: readonly string[]): Promise<Map<string, Row[]>> {
  if (phones.length === 0) return new Map()
  const own = and(eq(contact.userId, userId), inArray(contact.phone, [...phones]))
  const rows = await reader
    .select()
    .from(contact)
    .where(own)
    .orderBy(asc(contact.phone), asc(contact.createdAt), asc(contact.id))
  return Map.groupBy(rows, ({ phone }) => phone)
}

/** All contacts by name, for an export file. */
export async function allContacts(reader: Reader, userId: string): Promise<Contact[]> {
  const rows = await reader
    .select()
    .from(contact)
    .where(eq(contact.userId, userId))
    .orderBy(asc(contact.name), asc(contact.id))
  return rows.map(replyOf)
}
