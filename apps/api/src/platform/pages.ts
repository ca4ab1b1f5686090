import type { PageQuery } from '@parley/contract'
import { asc, desc, gt, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from './errors.ts'
import { Page } from './http.ts'

// Keyset pagination: a page begins after its cursor's row, whatever was added before it.

const Position = z.tuple([z.iso.datetime(), z.string().max(64)])

/** Position of the last row of a page. */
export interface Cursor {
  readonly at: Date
  readonly id: string
}

interface Created {
  readonly createdAt: Date
  readonly id: string
}

interface Numbered {
  readonly at: Date
  readonly id: number
}

/** The parts of a list's query for one page. */
export interface Part<Row> {
  /** Condition for rows after the cursor; undefined on the first page. */
  readonly after: SQL | undefined
  readonly order: readonly SQL[]
  /** One row more than the page, to see whether another page follows. */
  readonly limit: number
  /** Makes the page from the query's rows; `total` counts the whole list. */
  readonly page: <R extends Row>(rows: readonly R[], total: number) => Page<R>
}

/** Newest first by creation time, then id. Both in milliseconds, the precision of the cursor. */
export function newestFirst(query: PageQuery, columns: Columns): Part<Created>
export function newestFirst<Row>(query: PageQuery, columns: Columns, positionOf: (row: Row) => Cursor): Part<Row>
export function newestFirst(
  query: PageQuery,
  { at, id }: Columns,
  positionOf: (row: Created) => Cursor = ({ createdAt, id: rowId }) => ({ at: createdAt, id: rowId }),
): Part<Created> {
  const cursor = decodeCursor(query.cursor)
  const after = cursor && beforeCursor(cursor, { at, id })
  return partOf(query, { after, order: [desc(at), desc(id)], positionOf })
}

/** Rows of a list with the newest first that come after the cursor's. */
export function beforeCursor(cursor: Cursor, { at, id }: Columns): SQL {
  return sql`(${at}, ${id}) < (${cursor.at.toISOString()}::timestamptz, ${cursor.id})`
}

interface Columns {
  readonly at: SQLWrapper
  readonly id: SQLWrapper
}

/** Rows of a list with the oldest first that come after the cursor's. */
export function afterCursor(cursor: Cursor, { at, id }: Columns): SQL {
  return sql`(${at}, ${id}) > (${cursor.at.toISOString()}::timestamptz, ${cursor.id})`
}

/** Newest first by an ascending id. */
export function newestFirstById(query: PageQuery, id: SQLWrapper): Part<Numbered> {
  const cursor = decodeCursor(query.cursor)
  const before = cursor && Number(cursor.id)
  if (before !== undefined && !Number.isSafeInteger(before))
    throw new AppError('invalid_input', 'The cursor belongs to another list.', { field: 'cursor' })
  const after = before === undefined ? undefined : lt(id, before)
  return partOf(query, { after, order: [desc(id)], positionOf: ({ at, id: rowId }) => ({ at, id: String(rowId) }) })
}

/** By row number in a file; `at` is the file's time. */
export function inRowOrder(query: PageQuery, row: SQLWrapper, at: Date): Part<{ readonly row: number }> {
  const cursor = decodeCursor(query.cursor)
  const last = cursor && Number(cursor.id)
  if (last !== undefined && (!Number.isInteger(last) || Math.abs(last) > ROW_MAX)) throw notACursor()
  const after = last === undefined ? undefined : gt(row, last)
  return partOf(query, { after, order: [asc(row)], positionOf: (shown) => ({ at, id: String(shown.row) }) })
}

/** Maximum of PostgreSQL's integer. */
const ROW_MAX = 2_147_483_647

interface Keyset<Row> {
  readonly after: SQL | undefined
  readonly order: readonly SQL[]
  readonly positionOf: (row: Row) => Cursor
}

function partOf<Row>({ limit }: PageQuery, { after, order, positionOf }: Keyset<Row>): Part<Row> {
  return {
    after,
    order,
    limit: limit + 1,
    page: (rows, total) => {
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return new Page(shown, total, last === undefined ? null : encodeCursor(positionOf(last)))
    },
  }
}

export function encodeCursor({ at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url')
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

function notACursor(cause?: unknown): AppError {
  return new AppError('invalid_input', 'The cursor is not one that a list gave; leave it out to start at the newest.', {
    field: 'cursor',
    cause,
  })
}
