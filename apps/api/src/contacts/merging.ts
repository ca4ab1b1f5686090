import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Contact, ContactsImport, DuplicateContacts } from '@parley/contract'
import { and, asc, count, eq, gt, inArray } from 'drizzle-orm'
import { type Db, type Reader, withTx } from '../platform/db.ts'
import { hasExtension } from '../platform/database/extensions.ts'
import { e164Of, replyOf } from './contacts.ts'
import { completed, type ContactFields } from './fields.ts'
import { readContactsFile } from './files.ts'
import { contact } from './schema.ts'

type Row = typeof contact.$inferSelect

const INSERTED_AT_ONCE = 500
const DUPLICATES_SHOWN = 100

/** Adds a file's contacts. One whose number is known completes the contact that has it. */
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
    // Of several with one number the oldest is completed.
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
    // A file's first contact stands first in the list, which begins with the newest.
    const now = Date.now()
    const rows = fresh.map((fields, place) => ({
      id: randomUUID(),
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

/** Those with a number, each number once; the others with the reason why not. */
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

/** Contacts that share a number, the oldest first, as many numbers as a person can look through. */
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
 * Makes one contact of those that share a number: the oldest, with what it lacks from the others. Answers how many
 * went.
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
      // Every call to a number is counted at each contact that has it: the highest count is the whole.
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

/** All contacts by name, for a file. */
export async function allContacts(reader: Reader, userId: string): Promise<Contact[]> {
  const rows = await reader
    .select()
    .from(contact)
    .where(eq(contact.userId, userId))
    .orderBy(asc(contact.name), asc(contact.id))
  return rows.map(replyOf)
}
