import { z } from 'zod'
import { Id, IdParams, Instant, MessageReply, optionalText, PageQuery, PhoneInput } from './common.ts'
import { defineRoute } from './route.ts'

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
    totalCalls: z.int().min(0),
    successfulCalls: z.int().min(0),
    createdAt: Instant,
  })
  .meta({ id: 'Contact' })
export type Contact = z.infer<typeof Contact>

const ContactFields = {
  name: z.string().trim().min(1, 'Please fill in all required fields.').max(200),
  phone: PhoneInput,
  email: optionalText(254),
  company: optionalText(200),
  title: optionalText(200),
  notes: optionalText(5000),
}

export const NewContact = z.object({ ...ContactFields, userId: Id.optional() }).meta({ id: 'NewContact' })
export const ContactChange = z.object(ContactFields).partial().meta({ id: 'ContactChange' })

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
    query: PageQuery.extend({ q: z.string().trim().max(200).optional().describe('Searches name, phone, e-mail and company') }),
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
    errors: ['number_invalid'],
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
    errors: ['number_invalid'],
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
} as const
