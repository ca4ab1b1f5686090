import { randomUUIDv7 } from 'node:crypto'

/**
 * An id for a new row of a table that grows: a UUID that begins with its time (version 7, RFC 9562), in milliseconds.
 * New entries of an index lie side by side, so that a write reads as few pages in a table of ten million rows as in one
 * of ten thousand (docs/decisions/0078). It can be guessed from no other, and says when it was made: no secret.
 */
export function newRowId(): string {
  return randomUUIDv7()
}
