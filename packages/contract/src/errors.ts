import { z } from 'zod'

/** The closed list of error codes and the HTTP status each is answered with. */
export const ERROR_STATUS = {
  invalid_input: 400,
  invalid_json: 400,
  weak_password: 400,
  missing_token: 400,
  invalid_token: 400,
  expired_token: 400,
  invalid_package: 400,
  invalid_amount: 400,
  invalid_signature: 400,
  webhook_url_refused: 400,
  unauthenticated: 401,
  wrong_credentials: 401,
  second_factor_required: 401,
  wrong_code: 401,
  insufficient_credits: 402,
  debt_outstanding: 402,
  foreign_origin: 403,
  email_not_verified: 403,
  email_code_needed: 403,
  step_up_needed: 403,
  not_permitted: 403,
  not_found: 404,
  conflict: 409,
  idempotency_mismatch: 409,
  call_ended: 409,
  too_large: 413,
  not_json: 415,
  number_invalid: 422,
  number_missing: 422,
  number_duplicate: 422,
  number_emergency: 422,
  number_short_code: 422,
  number_premium: 422,
  number_shared_cost: 422,
  number_personal: 422,
  number_satellite: 422,
  number_directory: 422,
  number_extension: 422,
  number_unknown_type: 422,
  country_not_allowed: 422,
  timezone_unknown: 422,
  number_not_verified: 422,
  outside_calling_hours: 422,
  do_not_call: 422,
  consent_required: 422,
  attempts_exceeded: 422,
  live_calls_exceeded: 422,
  hourly_calls_exceeded: 422,
  daily_spend_exceeded: 422,
  variables_missing: 422,
  nobody_left: 422,
  secret_in_order: 422,
  rate_limited: 429,
  internal: 500,
  switched_off: 501,
  unavailable: 503,
  dialing_off: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

const codes = Object.keys(ERROR_STATUS).filter((code): code is ErrorCode => code in ERROR_STATUS)

export const ErrorCode = z.enum(codes)

/** Every error answer: a code to act on and a sentence to show. */
export const ErrorReply = z
  .object({ code: ErrorCode, message: z.string(), field: z.string().optional() })
  .meta({ id: 'Error', description: 'What went wrong, in a sentence fit to show' })
export type ErrorReply = z.infer<typeof ErrorReply>

/** Reasons a mail link failed, as /login?verified=false&error=CODE carries them. */
export const VERIFICATION_ERRORS = ['missing_token', 'invalid_token', 'expired_token', 'server_error'] as const
export type VerificationError = (typeof VERIFICATION_ERRORS)[number]
