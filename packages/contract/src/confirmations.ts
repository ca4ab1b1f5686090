import { z } from 'zod'
import { PASSWORD_MAX, SecondFactorCode, User } from './accounts.ts'
import { IdParams, Instant, MessageReply } from './common.ts'
import { defineRoute } from './route.ts'
import { WebAuthnJson } from './security.ts'

/** How long a step-up lasts. */
export const STEP_UP_MINUTES = 10
export const EMAIL_CODE_DIGITS = 6
export const EMAIL_CODE_MINUTES = 10
export const EMAIL_CODE_TRIES = 5

export const STEP_UP_WAYS = ['password', 'code', 'passkey', 'email'] as const
export type StepUpWay = (typeof STEP_UP_WAYS)[number]

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

const room = 'accounts'

/** Confirmations by the account's owner: step-up, and changes of the e-mail address. */
export const confirmationsRoutes = {
  readStepUp: defineRoute({
    id: 'readStepUp',
    room,
    method: 'GET',
    path: '/api/auth/step-up',
    access: 'session',
    summary: 'How to prove oneself again, and until when this session has',
    reply: StepUp,
  }),
  stepUp: defineRoute({
    id: 'stepUp',
    room,
    method: 'POST',
    path: '/api/auth/step-up',
    access: 'session',
    summary: 'Prove oneself again, for what step_up_needed asks it for',
    body: StepUpProof,
    reply: StepUp,
    errors: ['wrong_credentials', 'wrong_code', 'invalid_token', 'expired_token'],
  }),
  mailStepUpCode: defineRoute({
    id: 'mailStepUpCode',
    room,
    method: 'POST',
    path: '/api/auth/step-up/code',
    access: 'session',
    summary: 'Mail a six-digit code to the address of an account without a password',
    reply: MessageReply,
    errors: ['conflict'],
  }),
  resendEmailChange: defineRoute({
    id: 'resendEmailChange',
    room,
    method: 'POST',
    path: '/api/user/:id/email-change/resend',
    access: 'session',
    summary: 'Mail the link that confirms the new address again',
    params: IdParams,
    reply: User,
    errors: ['conflict'],
  }),
  cancelEmailChange: defineRoute({
    id: 'cancelEmailChange',
    room,
    method: 'DELETE',
    path: '/api/user/:id/email-change',
    access: 'session',
    summary: 'Give up a change of the address that was not confirmed yet',
    params: IdParams,
    reply: User,
  }),
  stopEmailChange: defineRoute({
    id: 'stopEmailChange',
    room,
    method: 'POST',
    path: '/api/auth/stop-email-change',
    access: 'public',
    summary:
      'Stop a change of the address with the token mailed to the present one; endSessions also ends every session and mails a link to choose a new password',
    body: z
      .object({ token: z.string().max(500), endSessions: z.boolean().default(false) })
      .meta({ id: 'EmailChangeStop' }),
    reply: MessageReply,
    errors: ['invalid_token', 'expired_token'],
  }),
} as const
