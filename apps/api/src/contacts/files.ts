import type { Readable } from 'node:stream'
import {
  CONTACT_TAGS_MAX,
  type Contact,
  CONTACTS_FILE_MAX,
  CONTACTS_FILE_MAX_BYTES,
  CONTACTS_FILE_UNREADABLE,
} from '@parley/contract'
import { csvFile } from '../platform/csv.ts'
import { AppError } from '../platform/errors.ts'
import { readList, textOfBody } from '../platform/requests/lists.ts'
import type { ContactFields } from './fields.ts'
import { readVcards, writeVcard } from './vcard.ts'

/** A contact in a file, with its spreadsheet row or its position among the cards. */
export interface FileContact {
  readonly row: number
  readonly fields: ContactFields
}

/** Column names of common address books, normalised by columnKey(); the first with a value wins. */
const COLUMNS = {
  name: ['name', 'fullname', 'displayname', 'contact', 'contactname'],
  given: ['firstname', 'givenname'],
  family: ['lastname', 'familyname', 'surname'],
  phone: [
    'phone',
    'phonenumber',
    'mobile',
    'mobilephone',
    'telephone',
    'tel',
    'cell',
    'phone1value',
    'primaryphone',
    'businessphone',
    'homephone',
  ],
  email: ['email', 'emailaddress', 'mail', 'email1value'],
  company: ['company', 'organization', 'organisation', 'organizationname', 'organization1name'],
  title: ['title', 'jobtitle', 'organizationtitle', 'organization1title', 'role'],
  notes: ['notes', 'note', 'comment', 'comments'],
  tags: ['tags', 'tag', 'labels', 'groupmembership', 'categories'],
} as const

export async function readContactsFile(stream: Readable, fileName: string): Promise<FileContact[]> {
  if (/\.vcf$/i.test(fileName)) return readVcf(stream)
  if (!/\.csv$/i.test(fileName)) throw unreadable()
  const contacts: FileContact[] = []
  for await (const { row, fields } of readList({ format: 'csv', stream, maxBytes: CONTACTS_FILE_MAX_BYTES })) {
    if (contacts.length === CONTACTS_FILE_MAX) throw tooMany()
    contacts.push({ row, fields: fieldsOf(fields) })
  }
  return contacts
}

async function readVcf(stream: Readable): Promise<FileContact[]> {
  const contacts: FileContact[] = []
  for await (const card of readVcards(textOfBody(stream, CONTACTS_FILE_MAX_BYTES))) {
    if (contacts.length === CONTACTS_FILE_MAX) throw tooMany()
    contacts.push({ row: contacts.length + 1, fields: trimmed(card) })
  }
  if (contacts.length === 0) throw unreadable()
  return contacts
}

function fieldsOf(row: Readonly<Record<string, unknown>>): ContactFields {
  const cells = new Map(Object.entries(row).map(([column, value]) => [columnKey(column), inText(value)]))
  const first = (columns: readonly string[]) => columns.map((column) => cells.get(column)).find((value) => value) ?? ''
  const { name, given, family, tags, ...others } = COLUMNS
  return trimmed({
    name: first(name) || `${first(given)} ${first(family)}`.trim(),
    phone: first(others.phone),
    email: first(others.email),
    company: first(others.company),
    title: first(others.title),
    notes: first(others.notes),
    tags: first(tags).split(/[,;]|:::/),
  })
}

function columnKey(column: string): string {
  return column.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Removes the apostrophe that spreadsheets, and our own export, put before a formula. */
function inText(value: unknown): string {
  return String(value)
    .trim()
    .replace(/^'(?=[=+@-])/, '')
}

function trimmed({
  name = '',
  phone = '',
  email,
  company,
  title,
  notes,
  tags = [],
}: Partial<ContactFields>): ContactFields {
  const text = (value: string | null | undefined, length: number) => value?.trim().slice(0, length) || null
  return {
    name: name.trim().slice(0, 200),
    phone: phone.trim(),
    email: text(email, 254),
    company: text(company, 200),
    title: text(title, 200),
    notes: text(notes, 5000),
    // Address books mark system groups with a star.
    tags: tags
      .map((tag) => tag.replace('*', '').trim().slice(0, 40))
      .filter((tag) => tag !== '')
      .slice(0, CONTACT_TAGS_MAX),
  }
}

export function contactsCsv(contacts: readonly Contact[]): string {
  const fields = ['name', 'phone', 'email', 'company', 'title', 'notes', 'tags', 'total calls', 'successful calls']
  const rows = contacts.map(({ name, phone, email, company, title, notes, tags, totalCalls, successfulCalls }) => {
    return [name, phone, email, company, title, notes, tags.join('; '), totalCalls, successfulCalls]
  })
  return csvFile(fields, rows)
}

export function contactsVcf(contacts: readonly Contact[]): string {
  return contacts.map(writeVcard).join('')
}

function unreadable(): AppError {
  return new AppError('invalid_input', CONTACTS_FILE_UNREADABLE, { field: 'file' })
}

function tooMany(): AppError {
  return new AppError('too_large', `A file may have at most ${CONTACTS_FILE_MAX.toLocaleString('en')} contacts.`, {
    field: 'file',
  })
}
