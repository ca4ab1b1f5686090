import { AppError } from '../errors.ts'

/** Limit of a row, checked while reading, so that memory stays bounded. */
export const LIST_ROW_MAX_CHARS = 64 * 1024

export function rowTooLarge(what = 'A row of the list'): AppError {
  return new AppError('too_large', `${what} may have at most ${LIST_ROW_MAX_CHARS / 1024} KB.`)
}

/** The error for a body or file above its route's limit. */
export function tooLarge(maxBytes: number, what: 'body' | 'file' = 'body'): AppError {
  return new AppError('too_large', `The ${what} may have at most ${Math.floor(maxBytes / 1024 / 1024)} MB.`)
}
