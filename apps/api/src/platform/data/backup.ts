import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, type Dirent } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { z } from 'zod'
import { clusterPaths } from './cluster.ts'
import { backupNames, BACKUPS } from './damage.ts'
import { DISK_LOW_BYTES, freeBytesOf } from './disk.ts'
import { errnoOf, exists, flushFolder } from './filesystem.ts'
import { tarEnd, tarFile, tarFolder, tarText } from './tar.ts'
import { version } from '../process/version.ts'

export type BackupReason = 'daily' | 'before-migration' | 'by-hand'

/** Description of a backup. Written last, so its presence marks the backup as complete. */
export const Manifest = z.object({
  format: z.literal(1),
  product: z.literal('Parley'),
  version: z.string(),
  reason: z.string(),
  takenAt: z.iso.datetime(),
  /** The newest applied migration. */
  migration: z.string().nullable(),
  postgres: z.string(),
  files: z.array(z.object({ name: z.string().regex(/^[\w.-]+$/), bytes: z.int(), sha256: z.string() })),
  notIncluded: z.array(z.string()),
})
export type Manifest = z.infer<typeof Manifest>

export const MANIFEST = 'manifest.json'
export const CLUSTER_ARCHIVE = 'cluster.tar.gz'
export const PASSWORD = 'password'
export const SECRETS = 'secrets.json'
/** Recordings are too large, the mail outbox is short-lived, and a restore cannot undo charges of the sandbox. */
const NOT_INCLUDED = ['recordings', 'recordings-under-way', 'outbox.jsonl', 'payments.jsonl']
export const BACKUPS_KEPT = 7
/** The slot's name; also a mutex, since it can exist only once. */
const SLOT = 'parley_backup'
/** PostgreSQL's code for an existing slot. */
const DUPLICATE_OBJECT = '42710'
/** A longer backup would make PostgreSQL keep too much WAL. */
const DEADLINE_MS = 3_600_000
/** A gentle backup pauses after so much work, for as long as it worked. */
const REST_AFTER_MS = 20
const REST_MAX_MS = 100
const ASK_AGAIN_MS = 500

/** Folders whose contents PostgreSQL recreates at start, or which belong to the running server; kept empty. */
const EMPTY_FOLDERS = new Set(
  'pg_wal pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat_tmp pg_subtrans'.split(' '),
)
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label|backup_manifest)$/

export interface BackupOptions {
  readonly dataDir: string
  /** URL of the embedded database. */
  readonly databaseUrl: string
  readonly reason: BackupReason
  readonly migration: string | null
  /** Throttled, for a backup beside a running product. */
  readonly gentle?: boolean
  /** How long to wait for another backup to end; 0 by default. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
  /** Replaced in tests. */
  readonly now?: Date
  readonly freeBytes?: (path: string) => Promise<number>
}

/**
 * A physical backup of the running embedded database and of the secrets. Returns its name. An incomplete backup is
 * never visible under that name.
 */
export async function takeBackup(options: BackupOptions): Promise<string> {
  const { dataDir, reason, now = new Date() } = options
  const folder = join(dataDir, BACKUPS)
  const name = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${reason}`
  const signal = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ...(options.signal ? [options.signal] : [])])
  await withSession(options, signal, async (client) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removePartial(folder)
    await checkRoom(options)
    const partial = join(folder, `.${name}.partial`)
    try {
      await mkdir(partial, { mode: 0o700 })
      await fill(partial, client, { ...options, now, signal })
      await rename(partial, join(folder, name))
      await flushFolder(folder)
    } catch (error) {
      await rm(partial, { recursive: true, force: true })
      throw error
    }
  })
  for (const old of (await backupNames(dataDir)).slice(BACKUPS_KEPT))
    await rm(join(folder, old), { recursive: true, force: true })
  return name
}

/**
 * A session with a temporary replication slot, which makes PostgreSQL keep the WAL. Both end with the connection, which
 * also aborts the backup.
 */
async function withSession(
  { databaseUrl, waitMs = 0 }: BackupOptions,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(databaseUrl)
  // A server stop is reported by the running query.
  client.on('error', () => undefined)
  const cut = () => void client.end().catch(() => undefined)
  signal.addEventListener('abort', cut)
  try {
    signal.throwIfAborted()
    await client.connect()
    await takeSlot(client, performance.now() + waitMs)
    await work(client)
  } catch (error) {
    throw signal.aborted ? new Error('The backup was cut off.', { cause: error }) : error
  } finally {
    signal.removeEventListener('abort', cut)
    await client.end().catch(() => undefined)
  }
}

async function takeSlot(client: pg.Client, deadline: number): Promise<void> {
  for (;;) {
    try {
      return void (await client.query('select pg_create_physical_replication_slot($1, true, true)', [SLOT]))
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DUPLICATE_OBJECT) throw error
      if (performance.now() > deadline) throw new Error('Another backup is under way.', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    }
  }
}

async function fill(
  partial: string,
  client: pg.Client,
  options: BackupOptions & { now: Date; signal: AbortSignal },
): Promise<void> {
  const { dataDir, reason, migration, now } = options
  const postgres = await copyCluster(client, options, join(partial, CLUSTER_ARCHIVE))
  await copyFlushed(clusterPaths(join(dataDir, 'postgres')).password, join(partial, PASSWORD))
  if (await exists(join(dataDir, SECRETS))) await copyFlushed(join(dataDir, SECRETS), join(partial, SECRETS))
  await writeManifest(partial, { reason, migration, takenAt: now.toISOString(), postgres })
}

/** Deletes the remains of an aborted backup. Safe, since a running backup would hold the slot. */
async function removePartial(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith('.partial')) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function checkRoom({ dataDir, freeBytes = freeBytesOf }: BackupOptions): Promise<void> {
  const { data } = clusterPaths(join(dataDir, 'postgres'))
  let bytes = 0
  for (const entry of await readdir(data, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  }
  const needed = bytes + DISK_LOW_BYTES
  if ((await freeBytes(dataDir)) < needed)
    throw new Error(`The disk lacks room for a backup: ${megabytes(needed)} must be free.`)
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MB`
}

/** Files change during the copy; the WAL of that time, copied last, makes the copy consistent. */
async function copyCluster(
  client: pg.Client,
  options: BackupOptions & { signal: AbortSignal },
  to: string,
): Promise<string> {
  const { dataDir, reason, gentle = false, signal } = options
  const { data } = clusterPaths(join(dataDir, 'postgres'))
  await client.query('select pg_backup_start($1, $2)', [`parley ${reason}`, !gentle])
  const content = Readable.from(paced(clusterArchive(client, data), gentle))
  await pipeline(content, createGzip({ level: 1 }), createWriteStream(to, { mode: 0o600, flush: true }), { signal })
  return (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
}

async function* paced(content: AsyncIterable<Buffer>, gentle: boolean): AsyncGenerator<Buffer> {
  let since = performance.now()
  for await (const part of content) {
    if (part.length > 0) yield part
    const worked = performance.now() - since
    if (!gentle || worked < REST_AFTER_MS) continue
    await new Promise((resolve) => setTimeout(resolve, Math.min(worked, REST_MAX_MS)))
    since = performance.now()
  }
}

const CONTROL = join('global', 'pg_control')

async function* clusterArchive(client: pg.Client, data: string): AsyncGenerator<Buffer> {
  for await (const entry of entriesOf(data, '')) {
    const path = relative(data, join(entry.parentPath, entry.name))
    const inArchive = path.split(sep).join('/')
    if (entry.isDirectory()) yield* tarFolder(inArchive)
    else if (entry.isFile() && path !== CONTROL) yield* unlessGone(tarFile(inArchive, join(data, path)))
  }
  yield* tarText('global/pg_control', await readTwice(join(data, CONTROL)))
  const { rows } = await client.query<{ labelfile: string; last: string }>(
    'select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)',
  )
  const [stopped] = rows
  const [, first] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m.exec(stopped?.labelfile ?? '') ?? []
  if (!stopped || first === undefined) throw new Error('PostgreSQL did not say where its log for the backup begins.')
  yield* tarText('backup_label', Buffer.from(stopped.labelfile))
  const segments = (await readdir(join(data, 'pg_wal'))).filter(
    (each) => /^[0-9A-F]{24}$/.test(each) && each >= first && each <= stopped.last,
  )
  if (!segments.includes(first) || !segments.includes(stopped.last))
    throw new Error('PostgreSQL did not keep its log for the backup.')
  for (const segment of segments) yield* tarFile(`pg_wal/${segment}`, join(data, 'pg_wal', segment))
  yield tarEnd()
}

async function* entriesOf(data: string, folder: string): AsyncGenerator<Dirent> {
  for (const entry of await readdir(join(data, folder), { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue
    yield entry
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !EMPTY_FOLDERS.has(path)) yield* entriesOf(data, path)
  }
}

/** Skips a file of a table dropped meanwhile; the WAL drops it again on restore. */
async function* unlessGone(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

/** PostgreSQL may be writing the file: two equal reads prove a consistent copy. */
async function readTwice(path: string): Promise<Buffer> {
  for (;;) {
    const [first, second] = [await readFile(path), await readFile(path)]
    if (first.equals(second)) return first
  }
}

/** Copies with mode 600 and fsync. */
export async function copyFlushed(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from), { mode: 0o600, flush: true })
}

async function writeManifest(
  folder: string,
  facts: Pick<Manifest, 'reason' | 'migration' | 'takenAt' | 'postgres'>,
): Promise<void> {
  const files = []
  for (const name of (await readdir(folder)).toSorted()) files.push(await sumOf(folder, name))
  const manifest: Manifest = { format: 1, product: 'Parley', version, ...facts, files, notIncluded: NOT_INCLUDED }
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  await flushFolder(folder)
}

export async function sumOf(folder: string, name: string): Promise<Manifest['files'][number]> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of createReadStream(join(folder, name))) {
    // Cast: a stream without an encoding gives buffers.
    const chunk = part as Buffer
    hash.update(chunk)
    bytes += chunk.length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}
