import { E164, Id, Instant } from '../common-shapes.ts'
import { CALLER_CODE_DIGITS, CALLER_NUMBER_KINDS, VERIFICATION_STATUSES } from './caller-numbers.ts'
import { EndReason } from './shapes.ts'
import { z } from 'zod'

export const CallerNumber = z
  .object({
    phone: z.string().describe('E.164'),
    kind: z.enum(CALLER_NUMBER_KINDS).describe("owned: assigned by the operator. verified: the user's own phone"),
    isDefault: z.boolean().describe('Calls come from it unless they name another'),
    createdAt: Instant,
  })
  .meta({ id: 'CallerNumber' })
export type CallerNumber = z.infer<typeof CallerNumber>

export const CallerVerification = z
  .object({
    id: Id,
    phone: z.string().describe('E.164'),
    status: z.enum(VERIFICATION_STATUSES),
    endReason: EndReason.nullable(),
    endMessage: z.string().nullable().describe('The end of the call in a sentence'),
    heard: z.string().nullable().describe('What a phone of the simulated network heard; null for real phones'),
    triesLeft: z.int().min(0),
    expiresAt: Instant.describe('The code is taken until then'),
  })
  .meta({ id: 'CallerVerification', description: 'A call that tells a code, and the code that is awaited' })
export type CallerVerification = z.infer<typeof CallerVerification>

export const CallerNumbers = z
  .object({
    numbers: z.array(CallerNumber),
    verification: CallerVerification.nullable().describe('The newest whose code is still taken'),
  })
  .meta({ id: 'CallerNumbers' })
export type CallerNumbers = z.infer<typeof CallerNumbers>

export const CallerCode = z
  .object({
    code: z
      .string()
      .trim()
      .regex(new RegExp(`^\\d{${CALLER_CODE_DIGITS}}$`), `Type the ${CALLER_CODE_DIGITS} digits that you heard.`),
  })
  .meta({ id: 'CallerCode' })

/** What the api hands to voice for a call that tells a code; its facts come back as those of any call. */
export const VerificationOrder = z.object({
  callId: Id,
  userId: Id,
  callee: E164,
  code: z.string().regex(/^\d{4,10}$/),
  /** Of the announcement; English where it has no words of its own. */
  language: z.string().max(20),
  answerTimeoutSeconds: z.int().min(5).max(120).default(45),
  /** For this call alone: facts and sound must show it. */
  token: z.string(),
})
export type VerificationOrder = z.output<typeof VerificationOrder>
