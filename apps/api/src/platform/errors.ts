import { ERROR_STATUS, type ErrorCode, type ErrorReply } from '@parley/contract'
import { isDatabaseAway } from './database/away.ts'
import { sqlState } from './db.ts'

/** The one error a room throws: a code of the contract and a sentence fit to show. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { field?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.field = more.field
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export interface Answer {
  readonly status: number
  readonly body: ErrorReply
  readonly retryAfterSeconds: number | undefined
}

const INTERNAL: ErrorReply = { code: 'internal', message: 'Something went wrong on our side. Please try again.' }

/** Fastify's own refusals by error code. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorReply>> = {
  FST_ERR_BAD_URL: { code: 'invalid_input', message: 'The address of the request cannot be read.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', message: 'What you asked for was not found.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'not_json',
    message: 'Send the body as JSON, with the content type application/json.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'invalid_json', message: 'The body is empty; send JSON.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'invalid_json', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'invalid_input', message: 'The content length does not match the body.' },
}

/** Text that PostgreSQL cannot store, such as NUL or a lone surrogate, by its error codes. */
const UNKEEPABLE_TEXT: ReadonlySet<string> = new Set(['22021', '22P05', '22P02'])
const DATABASE_AWAY: ErrorReply = {
  code: 'unavailable',
  message: 'Our database does not answer right now. Please try again in a moment.',
}
/** Disk-full codes of PostgreSQL and the system. */
const NO_ROOM: ReadonlySet<string> = new Set(['53100', 'ENOSPC', 'EDQUOT'])
const DISK_FULL: ErrorReply = { code: 'unavailable', message: 'There is no room to keep this. Please try again later.' }
const DISK_RETRY_SECONDS = 60
const TOO_DEEP: ErrorReply = { code: 'invalid_json', message: 'The JSON is nested too deeply.' }
const UNKEEPABLE: ErrorReply = { code: 'invalid_input', message: 'The request holds characters that cannot be kept.' }

/** The single place that turns errors into answers. Whatever is not known is an internal error and says nothing. */
export function answerFor(error: unknown): Answer {
  if (error instanceof AppError) {
    const body = {
      code: error.code,
      message: error.message,
      ...(error.field === undefined ? {} : { field: error.field }),
    }
    return { status: ERROR_STATUS[error.code], body, retryAfterSeconds: error.retryAfterSeconds }
  }
  if (NO_ROOM.has(sqlState(error) ?? codeOf(error))) {
    return { status: ERROR_STATUS[DISK_FULL.code], body: DISK_FULL, retryAfterSeconds: DISK_RETRY_SECONDS }
  }
  const known =
    FRAMEWORK_ERRORS[codeOf(error)] ??
    (UNKEEPABLE_TEXT.has(sqlState(error) ?? '') ? UNKEEPABLE : undefined) ??
    (error instanceof RangeError && error.message.includes('call stack') ? TOO_DEEP : undefined) ??
    (error instanceof SyntaxError ? FRAMEWORK_ERRORS['FST_ERR_CTP_INVALID_JSON_BODY'] : undefined) ??
    (isDatabaseAway(error) ? DATABASE_AWAY : undefined)
  const body = known ?? INTERNAL
  return { status: ERROR_STATUS[body.code], body, retryAfterSeconds: undefined }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

/** A row that another user owns does not exist. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} was not found.`)
}
