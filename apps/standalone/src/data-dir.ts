import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backupNames, BACKUPS, clusterPaths, damaged, elsewhere, errnoOf, exists, lockDataDir } from '@parley/api/data'
import { z } from 'zod'
import { jsonIn, makeSecrets, readSecrets, type Secrets, SECRETS_FILE, writeWhole } from './secrets.ts'

/** Marks the folder as Parley's and says how far a start has come. */
const MARKER_FILE = 'parley.json'
const LAYOUT = 1
const Marker = z.object({
  product: z.literal('Parley'),
  layout: z.int().min(1),
  createdAt: z.iso.datetime(),
  /** Secrets must exist from this time on. */
  startedAt: z.iso.datetime().optional(),
  /** The embedded database must exist from this time on, and is never created again. */
  databaseSince: z.iso.datetime().optional(),
})
type Marker = z.infer<typeof Marker>

/** Files that a system puts into an empty folder. */
const HARMLESS = new Set(['lost+found', '.DS_Store', '.gitkeep', '.gitignore'])
const NAMES_SHOWN = 3

export interface DataDir {
  readonly secrets: Secrets
  /** The whole product has started: secrets and database must exist from now on. */
  started(): Promise<void>
  close(): Promise<void>
}

/**
 * Locks a data directory, or creates it. Throws one sentence for a damaged, used or foreign one and leaves it
 * unchanged.
 */
export async function openDataDir(dataDir: string, { embedded }: { embedded: boolean }): Promise<DataDir> {
  try {
    await makeFolder(dataDir)
    const found = await readMarker(dataDir)
    if (!found) await checkStranger(dataDir)
    const close = await lockDataDir(dataDir)
    try {
      return { ...(await take(dataDir, found, embedded)), close }
    } catch (error) {
      await close()
      throw error
    }
  } catch (error) {
    throw (await folderFailure(dataDir, error)) ?? error
  }
}

async function take(dataDir: string, found: Marker | undefined, embedded: boolean): Promise<Omit<DataDir, 'close'>> {
  const hasDatabase = await holdsCluster(dataDir)
  if (embedded && !hasDatabase && found?.databaseSince !== undefined) {
    throw await damaged(dataDir, `its database in ${join(dataDir, 'postgres')} is missing`)
  }
  const kept = await readSecrets(dataDir)
  if (!kept && (hasDatabase || found?.startedAt !== undefined)) {
    const why = 'without it nobody who has a second factor could sign in'
    throw await damaged(dataDir, `${join(dataDir, SECRETS_FILE)} is missing, and ${why}`)
  }
  const now = () => new Date().toISOString()
  const marker: Marker = found ?? { product: 'Parley', layout: LAYOUT, createdAt: now() }
  if (!found) await writeMarker(dataDir, marker)
  return {
    secrets: kept ?? (await makeSecrets(dataDir)),
    async started() {
      const next = {
        ...marker,
        startedAt: marker.startedAt ?? now(),
        ...(embedded ? { databaseSince: marker.databaseSince ?? now() } : {}),
      }
      if (next.startedAt !== marker.startedAt || next.databaseSince !== marker.databaseSince)
        await writeMarker(dataDir, next)
    },
  }
}

function writeMarker(dataDir: string, marker: Marker): Promise<void> {
  return writeWhole(dataDir, MARKER_FILE, `${JSON.stringify(marker, null, 2)}\n`, 0o644)
}

async function readMarker(dataDir: string): Promise<Marker | undefined> {
  const file = join(dataDir, MARKER_FILE)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  const read = Marker.safeParse(jsonIn(text))
  if (!read.success) {
    throw new Error(
      `${file} does not say that DATA_DIR=${dataDir} is Parley's. Remove this file if the rest of the folder is, or use another folder with "${elsewhere(dataDir)}".`,
    )
  }
  if (read.data.layout > LAYOUT) {
    throw new Error(
      `DATA_DIR=${dataDir} was written by a newer Parley. Start that one, or use another folder with "${elsewhere(dataDir)}".`,
    )
  }
  return read.data
}

/** Without a marker it must be empty or of a Parley that wrote none; other files are never overwritten. */
async function checkStranger(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => !HARMLESS.has(name))
  if (names.length === 0 || names.includes(SECRETS_FILE) || (await holdsCluster(dataDir))) return
  if (names.includes(BACKUPS) && (await backupNames(dataDir)).length > 0)
    throw await damaged(dataDir, 'there is nothing in it but backups')
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  throw new Error(
    `DATA_DIR=${dataDir} holds other things than Parley's data (${names.slice(0, NAMES_SHOWN).join(', ')}${more}). ` +
      `Set DATA_DIR to an empty folder: "${elsewhere(dataDir)}".`,
  )
}

async function holdsCluster(dataDir: string): Promise<boolean> {
  const { data, password, owner } = clusterPaths(join(dataDir, 'postgres'))
  return (await exists(data)) || (await exists(password)) || (await exists(owner))
}

/** The error of the folder itself, for a system error in it. */
async function folderFailure(dataDir: string, error: unknown): Promise<Error | undefined> {
  switch (errnoOf(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new Error(`DATA_DIR=${await firstFile(dataDir)} is a file. Set DATA_DIR to a folder.`)
    case 'EACCES':
    case 'EPERM':
      return new Error(
        `DATA_DIR=${dataDir} may not be written by this user. Give it to this user (chown), or set DATA_DIR to another folder.`,
      )
    case 'EROFS':
    case 'ENOENT':
      return new Error(
        `DATA_DIR=${dataDir} is on a disk that cannot be written. Set DATA_DIR to a folder on another disk.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new Error(
        `The disk that holds DATA_DIR=${dataDir} is full. Make room on it, or set DATA_DIR to a folder on another disk.`,
      )
    default:
      return undefined
  }
}

/** mkdir's recursive option loops forever under /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o755 })
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return
    const parent = dirname(path)
    if (errnoOf(error) !== 'ENOENT' || (await exists(parent))) throw error
    await makeFolder(parent)
    await mkdir(path, { mode: 0o755 })
  }
}

async function firstFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found || path === dirname(path) ? path : firstFile(dirname(path))
}
