import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backupNames, BACKUPS, clusterPaths, damaged, elsewhere, errnoOf, exists, lockDataDir } from '@parley/api/data'
import { z } from 'zod'
import { jsonIn, makeSecrets, readSecrets, type Secrets, SECRETS_FILE, writeWhole } from './secrets.ts'

/** Says whose folder it is and how far a start has come in it. */
const MARKER_FILE = 'parley.json'
const LAYOUT = 1
const Marker = z.object({
  product: z.literal('Parley'),
  layout: z.int().min(1),
  createdAt: z.iso.datetime(),
  /** From then on there are secrets. */
  startedAt: z.iso.datetime().optional(),
  /** From then on there is an embedded database, which nothing may make anew. */
  databaseSince: z.iso.datetime().optional(),
})
type Marker = z.infer<typeof Marker>

/** What a system puts into a folder that is otherwise empty. */
const HARMLESS = new Set(['lost+found', '.DS_Store', '.gitkeep', '.gitignore'])
const NAMES_SHOWN = 3

export interface DataDir {
  readonly secrets: Secrets
  /** The whole product has started: what there is now must be there from now on. */
  started(): Promise<void>
  close(): Promise<void>
}

/**
 * Takes a data directory, or makes one. Throws a sentence for one that is damaged, in use or somebody else's; it is
 * then left as it is.
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

/** Without a marker it is empty, or of a Parley that wrote none yet; nothing is written over anything else. */
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

/** What is wrong with the folder itself, where the system refused something in it. */
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

/** Node's own recursive way never comes to an end under /proc. */
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
