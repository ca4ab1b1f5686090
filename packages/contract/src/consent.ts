import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** Codes with which the calling rules refuse an order. */
export const REFUSALS = [
  'number_invalid',
  'number_emergency',
  'number_short_code',
  'number_premium',
  'number_shared_cost',
  'number_personal',
  'number_satellite',
  'number_unknown_type',
  'country_not_allowed',
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
