import type { Readable } from 'node:stream'
import {
  BATCH_CALLS_PER_MINUTE_DEFAULT,
  LIST_FILE_MAX_BYTES,
  BATCH_PREVIEW_ROWS,
  BATCH_ROWS_MAX,
  type BatchImport,
  type BatchPlan,
  BatchRetries,
  batchName,
  type ColumnMapping,
  ErrorCode,
} from '@parley/contract'
import { and, asc, count, eq } from 'drizzle-orm'
import { findPerson, settingsOf } from '../../accounts/index.ts'
import { refuseSecretsInRow } from '../../consent/index.ts'
import { type Reader, withTx } from '../../platform/db.ts'
import { newRowId } from '../../platform/database/row-ids.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { formatOf, type ListRow, readList } from '../../platform/requests/lists.ts'
import { guessColumns } from './columns.ts'
import { Intake, judgeAgain, namesOf, type RawRow } from './intake.ts'
import { findBatch, lockBatch } from '../read.ts'
import type { BatchesRoom } from '../room.ts'
import { batch, batchContact } from '../schema.ts'

/** Rows read before the columns are guessed. */
const GUESSED_FROM_ROWS = 200
export const COLUMNS_TOLD_MAX = 200
const DROPPED_TOLD = 20

/** The plan of a new batch, from the user's settings. */
export async function defaultPlan(reader: Reader, userId: string): Promise<BatchPlan> {
  const { defaultTone: tone, defaultMaxDurationMinutes: maxDurationMinutes } = await settingsOf(reader, userId)
  const pacing = { liveCalls: null, callsPerMinute: BATCH_CALLS_PER_MINUTE_DEFAULT, retries: BatchRetries.parse({}) }
  return { purpose: '', objectives: [], tone, maxDurationMinutes, language: 'auto', ...pacing }
}

/** Reads an uploaded file into a draft as a stream. A file with a read error leaves no draft. */
export async function importFile(
  room: Pick<BatchesRoom, 'config' | 'db'>,
  userId: string,
  {
    fileName,
    name,
    stream,
  }: { readonly fileName: string; readonly name?: string | undefined; readonly stream: Readable },
): Promise<BatchImport> {
  const { db } = room
  const format = formatOf(fileName)
  const id = newRowId()
  const now = new Date()
  const { timezone } = await findPerson(db, userId)
  const called = name ?? batchName(new Date(now.toLocaleString('en-US', { timeZone: timezone })), 'en-GB')
  await db
    .insert(batch)
    .values({ id, userId, name: called, fileName, plan: await defaultPlan(db, userId), createdAt: now })
  try {
    const intake = new Intake(room, userId, id, { keepsDropped: false })
    const { columns, mapping } = await takeRows(intake, readList({ format, stream, maxBytes: LIST_FILE_MAX_BYTES }))
    const { places, waitingCount: waiting, droppedCount: dropped } = intake
    const found = {
      columns,
      phoneColumn: mapping.phone,
      nameColumn: mapping.name,
      places: [...places],
      waiting,
      dropped,
    }
    await db
      .update(batch)
      .set({ ...found, description: `Batch call with ${waiting} contacts`, incoming: false })
      .where(eq(batch.id, id))
  } catch (error) {
    await db.delete(batch).where(eq(batch.id, id))
    throw error
  }
  return readImport(db, userId, id)
}

async function takeRows(
  intake: Intake,
  lines: AsyncIterable<ListRow>,
): Promise<{ columns: string[]; mapping: ColumnMapping }> {
  const columns = new Set<string>()
  let first: ListRow[] = []
  let mapping: ColumnMapping | undefined
  let rows = 0
  const take = async (raw: RawRow) => {
    refuseSecretsInRow(raw)
    await intake.take(raw)
  }
  const decide = async () => {
    mapping = guessColumns(
      [...columns],
      first.map(({ fields }) => fields),
    )
    for (const { row, fields } of first) await take({ row, context: fields, ...namesOf(fields, mapping) })
    first = []
    return mapping
  }
  for await (const line of lines) {
    if (++rows > BATCH_ROWS_MAX)
      throw new AppError('too_large', `A list may have at most ${BATCH_ROWS_MAX.toLocaleString('en')} rows.`)
    for (const column of Object.keys(line.fields)) if (columns.size < COLUMNS_TOLD_MAX) columns.add(column)
    if (mapping) await take({ row: line.row, context: line.fields, ...namesOf(line.fields, mapping) })
    else if (first.push(line) >= GUESSED_FROM_ROWS) await decide()
  }
  const decided = mapping ?? (await decide())
  await intake.flush()
  return { columns: [...columns], mapping: decided }
}

export async function mapImport(
  room: Pick<BatchesRoom, 'config' | 'db'>,
  userId: string,
  batchId: string,
  mapping: ColumnMapping,
): Promise<BatchImport> {
  await withTx(room.db, async (tx) => {
    const { status, fileName, columns } = await lockBatch(tx, batchId, userId)
    if (fileName === null) throw notFound('The file')
    if (status !== 'draft') throw new AppError('conflict', 'The columns of a batch that was started stay as they are.')
    for (const column of [mapping.phone, mapping.name]) {
      if (column !== null && !columns.includes(column))
        throw new AppError('invalid_input', `The file has no column "${column}".`)
    }
    await judgeAgain(room.config, tx, { userId, batchId }, mapping)
  })
  return readImport(room.db, userId, batchId)
}

export async function readImport(reader: Reader, userId: string, batchId: string): Promise<BatchImport> {
  const found = await findBatch(reader, userId, batchId)
  const { fileName, columns, phoneColumn, nameColumn } = found
  if (fileName === null) throw notFound('The file')
  const dropped = and(eq(batchContact.batchId, batchId), eq(batchContact.status, 'dropped'))
  const good = and(eq(batchContact.batchId, batchId), eq(batchContact.status, 'waiting'))
  const [preview, droppedFirst, byCode] = await Promise.all([
    reader.select().from(batchContact).where(good).orderBy(asc(batchContact.row)).limit(BATCH_PREVIEW_ROWS),
    reader.select().from(batchContact).where(dropped).orderBy(asc(batchContact.row)).limit(DROPPED_TOLD),
    reader
      .select({ code: batchContact.code, rows: count() })
      .from(batchContact)
      .where(dropped)
      .groupBy(batchContact.code),
  ])
  return {
    batchId,
    fileName,
    columns: [...columns],
    mapping: { phone: phoneColumn, name: nameColumn },
    contacts: found.waiting + found.calling + found.completed + found.failed + found.cancelled,
    preview: preview.map(({ phone, name, context }) => ({ phone, ...(name === null ? {} : { name }), context })),
    dropped: found.dropped,
    droppedByCode: Object.fromEntries(byCode.map(({ code, rows }) => [ErrorCode.parse(code), rows])),
    droppedFirst: droppedFirst.map(({ row, phone, code }) => ({ row, phone, code: ErrorCode.parse(code) })),
  }
}
