import { z } from 'zod'
import { User } from './shapes.ts'
import { IdParams, MessageReply } from '../common-shapes.ts'
import { defineRoute } from '../route.ts'
import { StepUp, StepUpProof } from './confirmations-shapes.ts'
import { confirmationsPaths } from '../paths.ts'

const room = 'accounts'

/** What an owner confirms: that it is really them, and where their mail goes. */
export const confirmationsRoutes = {
  readStepUp: defineRoute({
    ...confirmationsPaths.readStepUp,
    room,
    access: 'session',
    summary: 'How to prove oneself again, and until when this session has',
    reply: StepUp,
  }),
  stepUp: defineRoute({
    ...confirmationsPaths.stepUp,
    room,
    access: 'session',
    summary: 'Prove oneself again, for what step_up_needed asks it for',
    body: StepUpProof,
    reply: StepUp,
    errors: ['wrong_credentials', 'wrong_code', 'invalid_token', 'expired_token'],
  }),
  mailStepUpCode: defineRoute({
    ...confirmationsPaths.mailStepUpCode,
    room,
    access: 'session',
    summary: 'Mail a six-digit code to the address of an account without a password',
    reply: MessageReply,
    errors: ['conflict'],
  }),
  resendEmailChange: defineRoute({
    ...confirmationsPaths.resendEmailChange,
    room,
    access: 'session',
    summary: 'Mail the link that confirms the new address again',
    params: IdParams,
    reply: User,
    errors: ['conflict'],
  }),
  cancelEmailChange: defineRoute({
    ...confirmationsPaths.cancelEmailChange,
    room,
    access: 'session',
    summary: 'Give up a change of the address that was not confirmed yet',
    params: IdParams,
    reply: User,
  }),
  stopEmailChange: defineRoute({
    ...confirmationsPaths.stopEmailChange,
    room,
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
