import { z } from 'zod'
import { IdParams, MessageReply, PageQuery, PhoneInput } from '../common-shapes.ts'
import { defineRoute } from '../route.ts'
import { CONTACTS_FILE_MAX_BYTES } from './contacts.ts'
import { Contact, NewContact, ContactChange, DuplicateContacts, ContactsImport } from './shapes.ts'
import { contactsPaths } from '../paths.ts'

const room = 'contacts'

export const contactsRoutes = {
  list: defineRoute({
    ...contactsPaths.list,
    room,
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
    ...contactsPaths.create,
    room,
    access: 'account',
    summary: 'Add a contact',
    body: NewContact,
    reply: Contact,
    status: 201,
    errors: ['number_invalid', 'number_extension'],
  }),
  change: defineRoute({
    ...contactsPaths.change,
    room,
    access: 'account',
    summary: 'Change a contact (PUT is accepted too)',
    params: IdParams,
    body: ContactChange,
    reply: Contact,
    errors: ['number_invalid', 'number_extension'],
  }),
  remove: defineRoute({
    ...contactsPaths.remove,
    room,
    access: 'account',
    summary: 'Delete a contact',
    params: IdParams,
    reply: MessageReply,
  }),
  tags: defineRoute({
    ...contactsPaths.tags,
    room,
    access: 'account',
    summary: 'Tags in use and how many contacts have each, the most used first',
    params: IdParams,
    reply: z.array(z.object({ tag: z.string(), contacts: z.int().min(1) }).meta({ id: 'ContactTag' })),
  }),
  import: defineRoute({
    ...contactsPaths.import,
    room,
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
    ...contactsPaths.export,
    room,
    access: 'account',
    ticket: true,
    summary: 'All contacts as a .csv or .vcf file',
    params: IdParams,
    query: z.object({ format: z.enum(['csv', 'vcf']).default('csv') }),
  }),
  duplicates: defineRoute({
    ...contactsPaths.duplicates,
    room,
    access: 'account',
    summary: 'Contacts that share a phone number, at most 100 numbers',
    params: IdParams,
    reply: z.array(DuplicateContacts),
  }),
  merge: defineRoute({
    ...contactsPaths.merge,
    room,
    access: 'account',
    summary: 'Make one contact of those that share a number; without a number, of all that share one',
    params: IdParams,
    body: z.object({ phone: PhoneInput.optional() }).meta({ id: 'ContactsMerge' }),
    reply: z.object({ removed: z.int().min(0) }).meta({ id: 'ContactsMerged' }),
  }),
} as const
