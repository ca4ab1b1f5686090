import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { DATA_EXPORT_DAYS, type DataExport } from '@parley/contract'
import { and, asc, desc, eq, gt, inArray, isNull, lt, notInArray, or, sql } from 'drizzle-orm'
import { type Db, type Reader, withTx } from '../../platform/db.ts'
import { notFound } from '../../platform/errors.ts'
import { deletePiece } from '../../platform/database/pieces.ts'
import { defineJob } from '../../platform/jobs.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import type { Asking } from '../sign-in/auth.ts'
import { recordEvent } from '../events.ts'
import { enqueueMail } from '../jobs.ts'
import { ownFiles } from './own-files.ts'
import type { AccountsRoom, ExportFile } from '../room.ts'
import { dataExport, dataExportPart, user } from '../schema.ts'
import { zipOf } from './zip.ts'

const DAY_MS = 24 * 3_600_000
const PART_BYTES = 256 * 1024
const PARTS_DELETED_AT_ONCE = 20
const FORGOTTEN_AT_ONCE = 500
const EXPIRE_SECONDS = 3600
/** Each account has one at a time: a long one leaves room for others. */
const EXPORTS_AT_ONCE = 4

const exportJob = defineJob<{ exportId: string }>('accounts.export', { expireSeconds: EXPIRE_SECONDS, retryLimit: 2 })

export function addExportJob(room: AccountsRoom): void {
  room.jobs.work(exportJob, ({ exportId }) => makeExport(room, exportId), { concurrency: EXPORTS_AT_ONCE })
}

/** Starts a new export, or returns the one in progress. */
export async function requestExport(
  { db, jobs }: Pick<AccountsRoom, 'db' | 'jobs'>,
  userId: string,
  request: Asking,
): Promise<DataExport> {
  return withTx(db, async (tx) => {
    await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update')
    const underWay = and(eq(dataExport.userId, userId), inArray(dataExport.status, ['waiting', 'running']))
    const [running] = await tx.select().from(dataExport).where(underWay)
    if (running) return toExport(running)
    // A new export replaces all earlier ones, which the retention deletes.
    await tx.update(dataExport).set({ expiresAt: new Date() }).where(eq(dataExport.userId, userId))
    const [made] = await tx.insert(dataExport).values({ id: randomUUID(), userId, status: 'waiting' }).returning()
    if (!made) throw new Error('The export was not kept.')
    await jobs.enqueue(tx, exportJob, { exportId: made.id }, { key: made.id })
    await recordEvent(tx, { userId, kind: 'export_requested' }, request)
    return toExport(made)
  })
}

/** Newest first. */
export async function listExports(reader: Reader, userId: string): Promise<DataExport[]> {
  const rows = await reader
    .select()
    .from(dataExport)
    .where(and(eq(dataExport.userId, userId), or(isNull(dataExport.expiresAt), gt(dataExport.expiresAt, new Date()))))
    .orderBy(desc(dataExport.createdAt))
  return rows.map(toExport)
}

function toExport({ id, status, progress, bytes, createdAt, expiresAt }: typeof dataExport.$inferSelect): DataExport {
  return {
    id,
    status,
    progress,
    bytes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}

/** Streams the zip. */
export async function openExport(db: Db, userId: string, exportId: string, request: Asking): Promise<Readable> {
  const own = and(eq(dataExport.id, exportId), eq(dataExport.userId, userId))
  const [found] = await db
    .select({ id: dataExport.id })
    .from(dataExport)
    .where(and(own, eq(dataExport.status, 'ready'), gt(dataExport.expiresAt, new Date())))
  if (!found) throw notFound('The export')
  await recordEvent(db, { userId, kind: 'export_downloaded' }, request)
  return Readable.from(partsOf(db, exportId), { objectMode: false })
}

async function* partsOf(db: Db, exportId: string): AsyncGenerator<Buffer> {
  for (let index = 0; ; index++) {
    const here = and(eq(dataExportPart.exportId, exportId), eq(dataExportPart.index, index))
    const [part] = await db
      .select({ bytes: dataExportPart.bytes })
      .from(dataExportPart)
      .where(here)
      .orderBy(asc(dataExportPart.index))
    if (!part) return
    yield part.bytes
  }
}

/** Makes the zip; a retry starts from the beginning. */
async function makeExport(room: Pick<AccountsRoom, 'db' | 'jobs' | 'needs'>, exportId: string): Promise<void> {
  const { db, jobs } = room
  const of = eq(dataExport.id, exportId)
  const [wanted] = await db.update(dataExport).set({ status: 'running', progress: 0 }).where(of).returning()
  if (!wanted) return
  await deleteParts(db, exportId)
  try {
    const own = ownFiles(db, wanted.userId)
    const others = await room.needs.exportFiles(wanted.userId)
    const count = own.length + others.count
    let [added, progress] = [0, 0]
    const bytes = await writeZip(db, exportId, joined(own, others.files), async () => {
      const now = Math.min(99, Math.floor((++added * 100) / count))
      if (now === progress) return
      progress = now
      await db.update(dataExport).set({ progress }).where(of)
    })
    await withTx(db, async (tx) => {
      const expiresAt = new Date(Date.now() + DATA_EXPORT_DAYS * DAY_MS)
      const ready = await tx
        .update(dataExport)
        .set({ status: 'ready', progress: 100, bytes, expiresAt })
        .where(of)
        .returning({ id: dataExport.id })
      if (ready.length > 0) await enqueueMail(jobs, tx, { mail: 'export_ready', userId: wanted.userId, exportId })
    })
  } catch (error) {
    await db.update(dataExport).set({ status: 'failed' }).where(of)
    throw error
  }
}

/** Holds at most one piece of the zip in memory. */
async function writeZip(
  db: Db,
  exportId: string,
  files: AsyncIterable<ExportFile>,
  onAdded: () => Promise<void>,
): Promise<number> {
  let [pending, pendingBytes, index, total]: [Buffer[], number, number, number] = [[], 0, 0, 0]
  const flush = async () => {
    const bytes = Buffer.concat(pending)
    total += bytes.length
    ;[pending, pendingBytes] = [[], 0]
    await db.insert(dataExportPart).values({ exportId, index: index++, bytes })
  }
  for await (const chunk of zipOf(files, onAdded)) {
    pending.push(chunk)
    pendingBytes += chunk.length
    if (pendingBytes >= PART_BYTES) await flush()
  }
  await flush()
  return total
}

async function* joined(own: readonly ExportFile[], others: AsyncIterable<ExportFile>): AsyncGenerator<ExportFile> {
  yield* own
  yield* others
}

/** Deletes expired exports, failed ones, and those left by a crashed process, some pieces of the zip at a time. */
export async function forgetOldExports(db: Db, run?: Run): Promise<void> {
  const weekAgo = new Date(Date.now() - DATA_EXPORT_DAYS * DAY_MS)
  const isLeft = and(lt(dataExport.createdAt, weekAgo), notInArray(dataExport.status, ['ready']))
  const due = await db
    .select({ id: dataExport.id })
    .from(dataExport)
    .where(or(lt(dataExport.expiresAt, new Date()), isLeft))
    .limit(FORGOTTEN_AT_ONCE)
  for (const { id } of due) {
    await deleteParts(db, id, run)
    await db.delete(dataExport).where(eq(dataExport.id, id))
  }
}

async function deleteParts(db: Db, exportId: string, run?: Run): Promise<void> {
  const ofExport = sql`export_id = ${exportId}`
  while ((await deletePiece(db, 'data_export_part', ofExport, PARTS_DELETED_AT_ONCE)) > 0) run?.check()
}
