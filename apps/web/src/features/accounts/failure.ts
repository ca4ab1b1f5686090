import { HttpError } from '../../lib/server/http.ts'

/** The server's message, else the form's default; a network error has its own text. */
export function failureText(error: unknown, refused: string, unreachable: string): string {
  return error instanceof HttpError ? (error.sentence ?? refused) : unreachable
}
