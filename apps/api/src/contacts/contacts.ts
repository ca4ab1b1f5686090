import type { Contact, ContactChange, NewContact, PageQuery } from '@parley/contract'
import { and, arrayContains, count, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { z } from 'zod'
import type { Db, Reader, Tx } from '../platform/db.ts'
import { hasExtension } from '../platform/database/extensions.ts'
import { newRowId } from '../platform/database/row-ids.ts'
import { AppError, notFound } from '../platform/errors.ts'
import type { Page } from '../platform/http.ts'
import { newestFirst } from '../platform/pages.ts'
import { contact } from './schema.ts'

type Row = typeof contact.$inferSelect

interface ListQuery extends PageQuery {
  readonly q?: string | undefined
  readonly tag?: string | undefined
}

export async function listContacts(reader: Reader, userId: string, query: ListQuery): Promise<Page<Contact>> {
  const wanted = and(eq(contact.userId, userId), matching(query.q), tagged(query.tag))
  const { after, order, limit, page } = newestFirst(query, { at: contact.createdAt, id: contact.id })
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(contact)
      .where(and(wanted, after))
      .orderBy(...order)
      .limit(limit),
    reader.$count(contact, wanted),
  ])
  return page(rows, total).map(replyOf)
}

const LOOKS_LIKE_A_NUMBER = /^[\d\s()+./-]*$/

/** Name, phone, e-mail or company contains the text; phone numbers are compared by their digits. */
function matching(q: string | undefined): SQL | undefined {
  if (q === undefined || q === '') return undefined
  const pattern = containing(q)
  const digits = LOOKS_LIKE_A_NUMBER.test(q) ? q.replaceAll(/\D/g, '') : ''
  const byPhone = digits === '' ? undefined : ilike(contact.phone, containing(digits))
  return or(ilike(contact.name, pattern), ilike(contact.email, pattern), ilike(contact.company, pattern), byPhone)
}

function tagged(tag: string | undefined): SQL | undefined {
  return tag === undefined || tag === '' ? undefined : arrayContains(contact.tags, [tag])
}

function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

export async function createContact(db: Db, userId: string, fields: z.output<typeof NewContact>): Promise<Contact> {
  const { name, phone, email = null, company = null, title = null, notes = null, tags = [] } = fields
  const values = { id: newRowId(), userId, name, phone: toE164(phone), email, company, title, notes, tags }
  const [row] = await db.insert(contact).values(values).returning()
  if (!row) throw new Error('The insert returned no row.')
  return replyOf(row)
}

export async function changeContact(
  db: Db,
  userId: string,
  id: string,
  change: z.output<typeof ContactChange>,
): Promise<Contact> {
  const { name, phone, email, company, title, notes, tags } = change
  const fields = { name, phone: phone === undefined ? undefined : toE164(phone), email, company, title, notes, tags }
  const own = ownContact(userId, id)
  const nothing = Object.values(fields).every((value) => value === undefined)
  const [row] = nothing
    ? await db.select().from(contact).where(own)
    : await db.update(contact).set(fields).where(own).returning()
  if (!row) throw notFound('The contact')
  return replyOf(row)
}

export async function deleteContact(db: Db, userId: string, id: string): Promise<void> {
  const deleted = await db.delete(contact).where(ownContact(userId, id)).returning({ id: contact.id })
  if (deleted.length === 0) throw notFound('The contact')
}

/** Counts an ended call in every contact of the user with this number. */
export async function countCall(tx: Tx, userId: string, phone: string, successful: boolean): Promise<void> {
  await tx
    .update(contact)
    .set({
      totalCalls: sql`${contact.totalCalls} + 1`,
      successfulCalls: sql`${contact.successfulCalls} + ${successful ? 1 : 0}`,
    })
    .where(and(eq(contact.userId, userId), eq(contact.phone, phone)))
}

function ownContact(userId: string, id: string): SQL | undefined {
  return and(eq(contact.id, id), eq(contact.userId, userId))
}

/** Tags in use, most used first. */
export async function listTags(reader: Reader, userId: string): Promise<{ tag: string; contacts: number }[]> {
  const tag = sql<string>`unnest(${contact.tags})`.as('tag')
  const tags = reader.select({ tag }).from(contact).where(eq(contact.userId, userId)).as('tags')
  return reader
    .select({ tag: tags.tag, contacts: count() })
    .from(tags)
    .groupBy(tags.tag)
    .orderBy(desc(count()), tags.tag)
}

/** Normalises a number. Whether it may be called is checked at the call. */
function toE164(typed: string): string {
  // Without its extension, the number would reach somebody else.
  if (hasExtension(typed))
    throw new AppError('number_extension', 'Enter the number alone, without an extension.', { field: 'phone' })
  const phone = e164Of(typed)
  if (phone === undefined) {
    const message =
      'This is not a phone number. Enter the full phone number including country code, such as +1 415 555 0100.'
    throw new AppError('number_invalid', message, { field: 'phone' })
  }
  return phone
}

/** The E.164 form of a typed number; undefined if no such number can exist. */
export function e164Of(typed: string): string | undefined {
  const parsed = parsePhoneNumberFromString(typed.trim().replace(/^00(?=[1-9])/, '+'), { extract: false })
  return parsed?.isPossible() ? parsed.number : undefined
}

export function replyOf({ createdAt, ...row }: Row): Contact {
  return { ...row, createdAt: createdAt.toISOString() }
}
