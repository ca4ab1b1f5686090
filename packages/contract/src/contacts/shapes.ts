import { Id, Instant, PhoneInput, optionalText } from '../common-shapes.ts'
import { FILL_IN_REQUIRED } from '../common.ts'
import { ErrorCode } from '../errors-shapes.ts'
import { CONTACT_TAGS_MAX } from './contacts.ts'
import { z } from 'zod'

/** Each once, whatever its capitals. */
export const Tags = z
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
