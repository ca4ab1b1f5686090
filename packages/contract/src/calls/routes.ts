import { z } from 'zod'
import { IdParams } from '../common-shapes.ts'
import { defineRoute } from '../route.ts'
import { Call, CallDetails, NewCall, CallChange } from './shapes.ts'
import { callsPaths } from '../paths.ts'
import { VoicePreview } from './voice-shapes.ts'

const room = 'calls'

export const callsRoutes = {
  place: defineRoute({
    ...callsPaths.place,
    room,
    access: 'account',
    summary: 'Place a call. It holds up to maxDurationMinutes credits and charges one for each minute begun',
    body: NewCall,
    reply: Call,
    status: 201,
    idempotent: true,
    errors: [
      'secret_in_order',
      'insufficient_credits',
      'debt_outstanding',
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
      'number_not_verified',
      'outside_calling_hours',
      'do_not_call',
      'attempts_exceeded',
      'live_calls_exceeded',
      'hourly_calls_exceeded',
      'daily_spend_exceeded',
      'dialing_off',
      'unavailable',
    ],
  }),
  get: defineRoute({
    ...callsPaths.get,
    room,
    access: 'account',
    summary: 'A call with its turns, events and outcomes',
    params: IdParams,
    reply: CallDetails,
  }),
  change: defineRoute({
    ...callsPaths.change,
    room,
    access: 'account',
    summary: 'Stop a call, steer its agent, or change notes and tags',
    params: IdParams,
    body: CallChange,
    reply: Call,
    errors: ['call_ended', 'secret_in_order'],
  }),
  recording: defineRoute({
    ...callsPaths.recording,
    room,
    access: 'account',
    summary: 'The recording as a WAV file, the callee left and the agent right, from the answer on; takes Range',
    params: IdParams,
    query: z.object({ download: z.literal('1').optional().describe('Answers with a file name to save it under') }),
    status: 200,
  }),
  voicePreview: defineRoute({
    ...callsPaths.voicePreview,
    room,
    access: 'account',
    summary: 'A short sentence in a voice of Settings, as a WAV file',
    query: VoicePreview,
    errors: ['unavailable'],
  }),
  active: defineRoute({
    ...callsPaths.active,
    room,
    access: 'account',
    summary: 'Calls that have not ended',
    params: IdParams,
    reply: z.array(Call),
  }),
} as const
