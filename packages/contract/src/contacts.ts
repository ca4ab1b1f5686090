import { z } from 'zod'
import { FILL_IN_REQUIRED, Id, IdParams, Instant, MessageReply, optionalText, PageQuery, PhoneInput } from './common.ts'
import { ErrorCode } from './errors.ts'
import { defineRoute } from './route.ts'

export const CONTACT_TAGS_MAX = 20
export const CONTACTS_FILE_MAX_BYTES = 10 * 1024 * 1024
export const CONTACTS_FILE_MAX = 10_000
export const CONTACTS_FILE_UNREADABLE = 'This file could not be read. Choose a .csv or .vcf file of contacts.'

/** Unique, ignoring case. */
const Tags = z
  .array(z.string().trim().min(1).max(40))
  .max(CONTACT_TAGS_MAX)
  .transform((tags) => [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()])

export const Contact = z
  .object({
    id: Id,
    userId: Id,
    name: z.string(),
    phone: z.string(),
    email: z.string().nullable(),
    company: z.string().nullable(),
    title: z.string().nullable(),
    notes: z.string().nullable(),
    tags: z.array(z.string()),
    totalCalls: z.int().min(0),
    successfulCalls: z.int().min(0),
    createdAt: Instant,
  })
  .meta({ id: 'Contact' })
export type Contact = z.infer<typeof Contact>

const ContactFields = {
  name: z.string(FILL_IN_REQUIRED).trim().min(1, FILL_IN_REQUIRED).max(200),
  phone: PhoneInput,
  email: optionalText(254),
  company: optionalText(200),
  title: optionalText(200),
  notes: optionalText(5000),
  tags: Tags.optional(),
}

export const NewContact = z.object({ ...ContactFields, userId: Id.optional() }).meta({ id: 'NewContact' })
export const ContactChange = z.object(ContactFields).partial().meta({ id: 'ContactChange' })

/** Contacts that share a number, the oldest first. */
export const DuplicateContacts = z
  .object({ phone: z.string(), contacts: z.array(Contact) })
  .meta({ id: 'DuplicateContacts' })
export type DuplicateContacts = z.infer<typeof DuplicateContacts>

export const ContactsImport = z
  .object({
    added: z.int().min(0),
    changed: z.int().min(0).describe('Numbers that were known: what was empty is filled in, tags are added'),
    dropped: z
      .array(z.object({ row: z.int().min(0), name: z.string(), phone: z.string(), code: ErrorCode }))
      .describe('Without a phone number, or with none that could exist'),
  })
  .meta({ id: 'ContactsImport' })
export type ContactsImport = z.infer<typeof ContactsImport>

const room = 'contacts'

export const contactsRoutes = {
  list: defineRoute({
    id: 'listContacts',
    room,
    method: 'GET',
    path: '/api/user/:id/contacts',
    access: 'account',
    summary: 'Contacts, newest first',
    params: IdParams,
    query: PageQuery.extend({
      q: z.string().trim().max(200).optional().describe('Searches name, phone, e-mail and company'),
      tag: z.string().trim().max(40).optional(),
    }),
    reply: z.array(Contact),
    paged: true,
  }),
  create: defineRoute({
    id: 'createContact',
    room,
    method: 'POST',
    path: '/api/contacts',
    access: 'account',
    summary: 'Add a contact',
    body: NewContact,
    reply: Contact,
    status: 201,
    errors: ['number_invalid', 'number_extension'],
  }),
  change: defineRoute({
    id: 'changeContact',
    room,
    method: 'PATCH',
    path: '/api/contacts/:id',
    access: 'account',
    summary: 'Change a contact (PUT is accepted too)',
    params: IdParams,
    body: ContactChange,
    reply: Contact,
    errors: ['number_invalid', 'number_extension'],
  }),
  remove: defineRoute({
    id: 'deleteContact',
    room,
    method: 'DELETE',
    path: '/api/contacts/:id',
    access: 'account',
    summary: 'Delete a contact',
    params: IdParams,
    reply: MessageReply,
  }),
  tags: defineRoute({
    id: 'listContactTags',
    room,
    method: 'GET',
    path: '/api/user/:id/contact-tags',
    access: 'account',
    summary: 'Tags in use and how many contacts have each, the most used first',
    params: IdParams,
    reply: z.array(z.object({ tag: z.string(), contacts: z.int().min(1) }).meta({ id: 'ContactTag' })),
  }),
  import: defineRoute({
    id: 'importContacts',
    room,
    method: 'POST',
    path: '/api/user/:id/contacts/import',
    access: 'account',
    summary: 'Add the contacts of a .csv or .vcf file; those whose number is known are completed, not doubled',
    params: IdParams,
    query: z.object({ fileName: z.string().trim().min(1).max(255) }),
    file: true,
    bodyBytes: CONTACTS_FILE_MAX_BYTES,
    reply: ContactsImport,
    errors: ['too_large'],
  }),
  export: defineRoute({
    id: 'exportContacts',
    room,
    method: 'GET',
    path: '/api/user/:id/contacts/export',
    access: 'account',
    summary: 'All contacts as a .csv or .vcf file',
    params: IdParams,
    query: z.object({ format: z.enum(['csv', 'vcf']).default('csv') }),
  }),
  duplicates: defineRoute({
    id: 'listDuplicateContacts',
    room,
    method: 'GET',
    path: '/api/user/:id/contacts/duplicates',
    access: 'account',
    summary: 'Contacts that share a phone number, at most 100 numbers',
    params: IdParams,
    reply: z.array(DuplicateContacts),
  }),
  merge: defineRoute({
    id: 'mergeContacts',
    room,
    method: 'POST',
    path: '/api/user/:id/contacts/merge',
    access: 'account',
    summary: 'Make one contact of those that share a number; without a number, of all that share one',
    params: IdParams,
    body: z.object({ phone: PhoneInput.optional() }).meta({ id: 'ContactsMerge' }),
    reply: z.object({ removed: z.int().min(0) }).meta({ id: 'ContactsMerged' }),
  }),
} as const
