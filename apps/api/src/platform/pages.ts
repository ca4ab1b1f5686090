import { z } from 'zod'
import { AppError } from './errors.ts'

const Position = z.tuple([z.iso.datetime(), z.string().max(64)])

/** Where a page of a newest-first list ended. */
export interface Cursor {
  readonly at: Date
  readonly id: string
}

export function encodeCursor({ at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url')
}

/** The cursor of a list that is numbered by its rows: after which one to go on; -1 at the beginning. */
export function decodeRow(text: string | undefined): number {
  const cursor = decodeCursor(text)
  if (cursor === undefined) return -1
  const row = Number(cursor.id)
  if (!Number.isInteger(row) || Math.abs(row) > ROW_MAX) throw notACursor()
  return row
}

/** As PostgreSQL keeps whole numbers. */
const ROW_MAX = 2_147_483_647

function notACursor(cause?: unknown): AppError {
  return new AppError('invalid_input', 'The cursor is not one that a list gave; leave it out to start at the newest.', {
    field: 'cursor',
    cause,
  })
}

export function decodeCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  try {
    const [at, id] = Position.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    return { at: new Date(at), id }
  } catch (cause) {
    throw notACursor(cause)
  }
}
