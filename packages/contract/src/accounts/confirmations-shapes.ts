import { Instant } from '../common-shapes.ts'
import { PASSWORD_MAX } from './accounts.ts'
import { STEP_UP_WAYS } from './confirmations.ts'
import { WebAuthnJson } from './security-shapes.ts'
import { SecondFactorCode } from './shapes.ts'
import { z } from 'zod'

export const StepUp = z
  .object({
    ways: z
      .array(z.enum(STEP_UP_WAYS))
      .describe('How this account can prove itself: email stands for a mailed code, where there is no password'),
    until: Instant.nullable().describe('The session has proved itself until then; null: it has not, or too long ago'),
  })
  .meta({ id: 'StepUp' })
export type StepUp = z.infer<typeof StepUp>

export const StepUpProof = z
  .object({
    password: z.string().max(PASSWORD_MAX).optional(),
    code: SecondFactorCode.optional().describe('Of the authenticator app, or a recovery code'),
    emailCode: z.string().trim().max(40).optional().describe('The mailed code'),
    passkey: WebAuthnJson.optional().describe('The answer to the options of the sign-in with a passkey'),
  })
  .refine(
    (proof) => Object.values(proof).filter((each) => each !== undefined).length === 1,
    'Please enter your password or a code.',
  )
  .meta({ id: 'StepUpProof', description: 'One of them' })
