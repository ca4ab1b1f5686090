import { z } from 'zod'
import { IdParams, MessageReply, PhoneInput } from '../common-shapes.ts'
import { callerNumbersPaths } from '../paths.ts'
import { defineRoute } from '../route.ts'
import { CallerCode, CallerNumber, CallerNumbers, CallerVerification } from './caller-numbers-shapes.ts'

const room = 'calls'
const NumberParams = IdParams.extend({ phone: PhoneInput })

/** Numbers that an account calls from. */
export const callerNumbersRoutes = {
  list: defineRoute({
    ...callerNumbersPaths.list,
    room,
    access: 'account',
    summary: 'Numbers to call from, and the code that is awaited for another',
    params: IdParams,
    reply: CallerNumbers,
  }),
  verify: defineRoute({
    ...callerNumbersPaths.verify,
    room,
    access: 'session',
    summary: "Call the user's own phone, free of charge, and tell it a code",
    params: IdParams,
    body: z.object({ phone: PhoneInput }).meta({ id: 'NewCallerNumber' }),
    reply: CallerVerification,
    status: 201,
    errors: [
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
      'do_not_call',
      'attempts_exceeded',
      'conflict',
      'dialing_off',
      'unavailable',
    ],
  }),
  confirm: defineRoute({
    ...callerNumbersPaths.confirm,
    room,
    access: 'session',
    summary: 'Type the code that was heard: the number may be called from',
    params: IdParams,
    body: CallerCode,
    reply: CallerNumber,
    errors: ['wrong_code', 'conflict'],
  }),
  change: defineRoute({
    ...callerNumbersPaths.change,
    room,
    access: 'session',
    summary: 'Make a number the one that calls come from, or let it be that no more',
    params: NumberParams,
    body: z.object({ isDefault: z.boolean() }).meta({ id: 'CallerNumberChange' }),
    reply: CallerNumber,
  }),
  remove: defineRoute({
    ...callerNumbersPaths.remove,
    room,
    access: 'session',
    summary: 'Remove a verified number. One that the operator assigned stays',
    params: NumberParams,
    reply: MessageReply,
    errors: ['conflict'],
  }),
} as const
