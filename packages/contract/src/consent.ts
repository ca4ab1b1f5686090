import { z } from 'zod'
import { Id, IdParams, Instant, LIST_FILE_MAX_BYTES, MessageReply, PageQuery, PhoneInput } from './common.ts'
import { ErrorCode } from './errors.ts'
import { defineRoute } from './route.ts'

/** Codes with which the calling rules refuse a call. */
export const REFUSALS = [
  'number_invalid',
  'number_emergency',
  'number_short_code',
  'number_premium',
  'number_shared_cost',
  'number_personal',
  'number_satellite',
  'number_directory',
  'number_extension',
  'number_unknown_type',
  'country_not_allowed',
  'timezone_unknown',
  'number_not_verified',
  'outside_calling_hours',
  'do_not_call',
  'consent_required',
  'attempts_exceeded',
  'live_calls_exceeded',
  'hourly_calls_exceeded',
  'daily_spend_exceeded',
  'dialing_off',
] as const satisfies readonly ErrorCode[]
export const Refusal = z.enum(REFUSALS)
export type Refusal = z.infer<typeof Refusal>

/** Local hours in which numbers may be dialed unasked: from 08:00 until 21:00 where the callee is. */
export const CALLING_HOURS = { fromHour: 8, untilHour: 21 } as const
export const ATTEMPTS_PER_NUMBER_PER_DAY = 3

/** The contacts' consent: written, spoken, only an existing relationship, or none. */
export const PERMISSIONS = ['written', 'spoken', 'relationship', 'none'] as const
export const Permission = z.enum(PERMISSIONS)
export type Permission = z.infer<typeof Permission>
/** The permissions that allow marketing calls. */
export const MARKETING_PERMISSIONS = ['written', 'spoken'] as const satisfies readonly Permission[]

export const NewConsentEvidence = z
  .object({
    marketing: z.boolean().describe('The calls advertise or sell something'),
    permission: Permission,
    details: z.string().trim().max(2000).default('').describe('When and how it was given; marketing calls need it'),
  })
  .meta({ id: 'NewConsentEvidence', description: 'What permission the contacts of a list gave' })
export type NewConsentEvidence = z.output<typeof NewConsentEvidence>

export const ConsentEvidence = NewConsentEvidence.extend({
  givenBy: z.string().describe('Who said so'),
  givenAt: Instant,
}).meta({
  id: 'ConsentEvidence',
})
export type ConsentEvidence = z.infer<typeof ConsentEvidence>

/** callee: said so in a call. account: put on the list by hand. imported: came in a file. */
export const DO_NOT_CALL_SOURCES = ['callee', 'account', 'imported'] as const

export const DoNotCallEntry = z
  .object({
    phone: z.string().describe('E.164'),
    source: z.enum(DO_NOT_CALL_SOURCES),
    quote: z.string().nullable().describe('What the callee said'),
    callId: Id.nullable().describe('The call in which it was said'),
    createdAt: Instant,
  })
  .meta({ id: 'DoNotCallEntry' })
export type DoNotCallEntry = z.infer<typeof DoNotCallEntry>

export const DoNotCallImport = z
  .object({
    added: z.int().min(0),
    known: z.int().min(0).describe('Were on the list already'),
    dropped: z
      .array(z.object({ row: z.int().min(0), phone: z.string(), code: ErrorCode }))
      .describe('Not phone numbers; at most 100 are told'),
  })
  .meta({ id: 'DoNotCallImport' })
export type DoNotCallImport = z.infer<typeof DoNotCallImport>

const room = 'consent'
const scope = 'contacts'

export const consentRoutes = {
  list: defineRoute({
    id: 'listDoNotCall',
    room,
    method: 'GET',
    path: '/api/user/:id/do-not-call',
    access: 'account',
    summary: 'Numbers that are never called, newest first',
    params: IdParams,
    query: PageQuery.extend({ q: z.string().trim().max(40).optional().describe('Digits the number contains') }),
    reply: z.array(DoNotCallEntry),
    paged: true,
  }),
  add: defineRoute({
    id: 'addDoNotCall',
    room,
    scope,
    method: 'POST',
    path: '/api/user/:id/do-not-call',
    access: 'account',
    summary: 'Never call a number again; what is queued for it is cancelled',
    params: IdParams,
    body: z.object({ phone: PhoneInput }).meta({ id: 'NewDoNotCallEntry' }),
    reply: DoNotCallEntry,
    status: 201,
    errors: ['number_invalid'],
  }),
  import: defineRoute({
    id: 'importDoNotCall',
    room,
    scope,
    method: 'POST',
    path: '/api/user/:id/do-not-call/import',
    access: 'account',
    summary: 'Add the numbers of a .csv or .json file',
    params: IdParams,
    query: z.object({ fileName: z.string().trim().min(1).max(255) }),
    file: true,
    bodyBytes: LIST_FILE_MAX_BYTES,
    reply: DoNotCallImport,
    errors: ['too_large'],
  }),
  remove: defineRoute({
    id: 'removeDoNotCall',
    room,
    scope,
    method: 'DELETE',
    path: '/api/user/:id/do-not-call/:phone',
    access: 'account',
    summary: 'Allow a number again. One whose owner asked not to be called needs the permission it has given since',
    params: IdParams.extend({ phone: PhoneInput }),
    query: z.object({ permission: z.string().trim().min(1).max(2000).optional() }),
    reply: MessageReply,
    errors: ['consent_required'],
  }),
} as const
