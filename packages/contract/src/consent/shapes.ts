import { Id, Instant } from '../common-shapes.ts'
import { ErrorCode } from '../errors-shapes.ts'
import { DO_NOT_CALL_SOURCES, PERMISSIONS, REFUSALS } from './consent.ts'
import { z } from 'zod'

export const Refusal = z.enum(REFUSALS)
export type Refusal = z.infer<typeof Refusal>
export const Permission = z.enum(PERMISSIONS)
export type Permission = z.infer<typeof Permission>

export const NewConsentEvidence = z
  .object({
    marketing: z.boolean().describe('The calls advertise or sell something'),
    permission: Permission,
    details: z.string().trim().max(2000).default('').describe('When and how it was given; marketing calls need it'),
  })
  .meta({ id: 'NewConsentEvidence', description: 'The permission that the contacts of a batch gave' })
export type NewConsentEvidence = z.output<typeof NewConsentEvidence>

export const ConsentEvidence = NewConsentEvidence.extend({
  givenBy: z.string().describe('Who said so'),
  givenAt: Instant,
}).meta({
  id: 'ConsentEvidence',
})
export type ConsentEvidence = z.infer<typeof ConsentEvidence>

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
    known: z.int().min(0).describe('Numbers that were on the do-not-call list already'),
    dropped: z
      .array(z.object({ row: z.int().min(0), phone: z.string(), code: ErrorCode }))
      .describe('Not phone numbers; at most 100 are told'),
  })
  .meta({ id: 'DoNotCallImport' })
export type DoNotCallImport = z.infer<typeof DoNotCallImport>
