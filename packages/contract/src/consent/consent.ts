import type { ErrorCode } from '../errors-shapes.ts'
import type { Permission } from './shapes.ts'

/** Codes with which the calling rules refuse an order. */
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

/** Local hours in which numbers may be dialed unasked: from 08:00 until 21:00 where the callee is. */
export const CALLING_HOURS = { fromHour: 8, untilHour: 21 } as const
export const ATTEMPTS_PER_NUMBER_PER_DAY = 3

/**
 * What contacts agreed to: to be called in writing or aloud; nothing, but they deal with the caller; nothing at all.
 */
export const PERMISSIONS = ['written', 'spoken', 'relationship', 'none'] as const
/** Those that marketing calls need. */
export const MARKETING_PERMISSIONS = ['written', 'spoken'] as const satisfies readonly Permission[]

/** callee: said so in a call. account: put on the list by hand. imported: came in a file. */
export const DO_NOT_CALL_SOURCES = ['callee', 'account', 'imported'] as const
