import { AppError } from '../errors.ts'

/** The limit of a row, checked while it is read, so that no file can build up one long text. */
export const LIST_ROW_MAX_CHARS = 64 * 1024

export function rowTooLarge(what = 'A row of the list'): AppError {
  return new AppError('too_large', `${what} may have at most ${LIST_ROW_MAX_CHARS / 1024} KB.`)
}

/** The refusal of a body, or of a file, that is longer than its route takes. */
export function tooLarge(maxBytes: number, what: 'body' | 'file' = 'body'): AppError {
  return new AppError('too_large', `The ${what} may have at most ${Math.floor(maxBytes / 1024 / 1024)} MB.`)
}
