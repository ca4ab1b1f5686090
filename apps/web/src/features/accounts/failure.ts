import { HttpError } from '../../lib/server/http.ts'

/** The server's sentence, or what the form says when it gave none; an answer that never came has its own words. */
export function failureText(error: unknown, refused: string, unreachable: string): string {
  return error instanceof HttpError ? (error.sentence ?? refused) : unreachable
}
