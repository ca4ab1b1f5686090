import { randomUUID } from 'node:crypto'
import { RECORDING_MAX_BYTES, RECORDING_TYPE } from '@parley/contract'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ExportFiles } from '../accounts/index.ts'
import { type Tx, withTx } from '../platform/db.ts'
import { AppError, notFound } from '../platform/errors.ts'
import type { ByteRange, FileStore } from '../platform/files.ts'
import { fileOf } from '../platform/http.ts'
import { defineJob, type Jobs } from '../platform/jobs.ts'
import { afterCursor, type Cursor } from '../platform/pages.ts'
import { toCall } from './read.ts'
import { announce, type CallsRoom } from './room.ts'
import { call, type CallRow } from './schema.ts'

/** Deletes a user's recordings, or some of them, from the store, after the deciding transaction commits. */
export const eraseRecordingsJob = defineJob<{ userId: string; callIds: readonly string[] | 'all' }>(
  'calls.erase-recordings',
  {
    retryLimit: 20,
    retryDelaySeconds: 5,
  },
)

const FILES_AT_ONCE = 5000
const RECORDINGS_PER_PAGE = 500

const folderOf = (userId: string) => `recordings/${userId}`
const keyOf = ({ userId, id }: Pick<CallRow, 'userId' | 'id'>) => `${folderOf(userId)}/${id}.wav`

/** Stores a recording from the voice service. Throws not_found if the call is unknown or has recording off. */
export async function saveRecording(
  room: Pick<CallsRoom, 'bus' | 'db' | 'files'>,
  callId: string,
  request: FastifyRequest,
): Promise<void> {
  const bytes = Number(request.headers['content-length'])
  if (!Number.isSafeInteger(bytes) || bytes > RECORDING_MAX_BYTES)
    throw new AppError('too_large', 'The recording is too long.')
  const [wanted] = await room.db
    .select()
    .from(call)
    .where(and(eq(call.id, callId), eq(call.record, true)))
  if (!wanted) throw notFound('The call')
  const key = keyOf(wanted)
  await room.files.put(key, fileOf(request), bytes, RECORDING_TYPE)
  const [row] = await room.db.update(call).set({ hasRecording: true }).where(eq(call.id, callId)).returning()
  // The call was erased during the upload: delete the file too.
  if (!row) return room.files.remove([key])
  announce(room.bus, row.userId, [{ type: 'call_status', call: toCall(row) }])
}

/** Sends the recording or the requested byte range. */
export async function sendRecording(
  room: Pick<CallsRoom, 'db' | 'files'>,
  { userId, callId, download }: { userId: string; callId: string; download: boolean },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [row] = await room.db
    .select()
    .from(call)
    .where(and(eq(call.id, callId), eq(call.userId, userId)))
  const size = row?.hasRecording ? await room.files.size(keyOf(row)) : undefined
  if (!row || size === undefined) throw notFound('The recording')
  const range = rangeIn(request.headers.range, size)
  reply.header('accept-ranges', 'bytes').type(RECORDING_TYPE)
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send()
  const content = await room.files.read(keyOf(row), range)
  if (!content) throw notFound('The recording')
  if (download) reply.header('content-disposition', `attachment; filename="${fileNameOf(row)}"`)
  if (range) reply.code(206).header('content-range', `bytes ${range.from}-${range.until}/${size}`)
  return reply.header('content-length', range ? range.until - range.from + 1 : size).send(content)
}

/** One byte range; several ranges or another unit get the whole file. */
function rangeIn(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const until = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from > until ? 'unsatisfiable' : { from, until }
}

function fileNameOf({ callee, createdAt }: CallRow): string {
  return `recording-${callee.replaceAll(/\D/g, '')}-${createdAt.toISOString().slice(0, 10)}.wav`
}

/** Marks these calls as without recording and enqueues the deletion of their files, in the deciding transaction. */
export async function eraseRecordings(jobs: Jobs, tx: Tx, userId: string, callIds: readonly string[]): Promise<void> {
  const these = and(eq(call.userId, userId), inArray(call.id, [...callIds]))
  await tx.update(call).set({ hasRecording: false }).where(these)
  await jobs.enqueue(tx, eraseRecordingsJob, { userId, callIds }, { key: randomUUID() })
}

/** Enqueues the deletion of all files of an account, whose calls are deleted. */
export async function eraseAllRecordings(jobs: Jobs, tx: Tx, userId: string): Promise<void> {
  await jobs.enqueue(tx, eraseRecordingsJob, { userId, callIds: 'all' }, { key: userId })
}

/** A bounded number of files at a time, the rest by another job. */
export async function eraseFiles(
  { db, files, jobs }: Pick<CallsRoom, 'db' | 'files' | 'jobs'>,
  userId: string,
  callIds: readonly string[] | 'all',
): Promise<void> {
  if (callIds !== 'all') return files.remove(callIds.map((id) => keyOf({ userId, id })))
  if (await files.removeAll(folderOf(userId), FILES_AT_ONCE))
    await withTx(db, (tx) => eraseAllRecordings(jobs, tx, userId))
}

/** Recordings for the user's export, one file each. */
export async function recordingFiles(
  { db, files }: Pick<CallsRoom, 'db' | 'files'>,
  userId: string,
): Promise<ExportFiles> {
  const recorded = and(eq(call.userId, userId), call.hasRecording)
  const place = { at: call.createdAt, id: call.id }
  const each = async function* () {
    for (let last: Cursor | undefined; ;) {
      const rows: Cursor[] = await db
        .select(place)
        .from(call)
        .where(and(recorded, last && afterCursor(last, place)))
        .orderBy(asc(call.createdAt), asc(call.id))
        .limit(RECORDINGS_PER_PAGE)
      for (const { id } of rows)
        yield { name: `recordings/${id}.wav`, isStored: true, read: () => contentOf(files, keyOf({ userId, id })) }
      last = rows.at(-1)
      if (last === undefined) return
    }
  }
  return { count: await db.$count(call, recorded), files: each() }
}

async function* contentOf(files: FileStore, key: string): AsyncGenerator<Uint8Array> {
  const content = await files.read(key)
  if (content) yield* content as AsyncIterable<Uint8Array>
}
