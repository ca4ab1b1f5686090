import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CLUSTER_ARCHIVE, copyFlushed, Manifest, MANIFEST, PASSWORD, SECRETS, sumOf } from './backup.ts'
import { clusterPaths } from './cluster.ts'
import { backupNames, BACKUPS } from './damage.ts'
import { lockDataDir } from './lock.ts'
import { embeddedMajor, handOver, stopLeftover } from '../database/embedded.ts'
import { exists, flushFolder } from './filesystem.ts'
import { markRestored } from './restored.ts'
import { untar } from './tar.ts'

export interface Backup {
  readonly name: string
  readonly manifest: Manifest
  readonly bytes: number
}

/** Backups, newest first; the manifest is undefined if unreadable. */
export async function listBackups(
  dataDir: string,
): Promise<(Backup | { readonly name: string; readonly manifest: undefined })[]> {
  const names = await backupNames(dataDir)
  return Promise.all(names.map(async (name) => (await readBackup(dataDir, name)) ?? { name, manifest: undefined }))
}

async function readBackup(dataDir: string, name: string): Promise<Backup | undefined> {
  try {
    const manifest = Manifest.parse(JSON.parse(await readFile(join(dataDir, BACKUPS, name, MANIFEST), 'utf8')))
    return { name, manifest, bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) }
  } catch {
    return undefined
  }
}

/**
 * Replaces database and secrets by a backup. Unpacks and verifies all before anything is moved. Returns the folder that
 * keeps the previous data.
 */
export async function restoreBackup(dataDir: string, name: string, now = new Date()): Promise<string | undefined> {
  const backup = (await backupNames(dataDir)).includes(name) ? await readBackup(dataDir, name) : undefined
  if (!backup)
    throw new Error(
      `There is no whole backup "${name}" in ${join(dataDir, BACKUPS)}. See which there are with "npm run restore".`,
    )
  const unlock = await lockDataDir(dataDir)
  try {
    await stopLeftover(join(dataDir, 'postgres'))
    await check(dataDir, backup)
    const making = join(dataDir, 'restoring')
    await unpack(join(dataDir, BACKUPS, name), making)
    await markRestored(join(making, 'postgres'), { backup: name, takenAt: backup.manifest.takenAt })
    const aside = await putAside(dataDir, now)
    for (const part of ['postgres', SECRETS])
      if (await exists(join(making, part))) await rename(join(making, part), join(dataDir, part))
    await flushFolder(dataDir)
    await rm(making, { recursive: true, force: true })
    return aside
  } finally {
    await unlock()
  }
}

async function check(dataDir: string, { name, manifest }: Backup): Promise<void> {
  const ours = await embeddedMajor()
  if (manifest.postgres !== ours) {
    throw new Error(
      `The backup "${name}" was made with PostgreSQL ${manifest.postgres}, and this Parley runs ${ours}. Restore it with the Parley that made it.`,
    )
  }
  for (const wanted of manifest.files) {
    const found = await sumOf(join(dataDir, BACKUPS, name), wanted.name).catch(() => undefined)
    if (found?.bytes === wanted.bytes && found.sha256 === wanted.sha256) continue
    throw new Error(
      `The backup "${name}" is damaged: ${wanted.name} is not what it was. Nothing was changed; restore another one.`,
    )
  }
}

async function unpack(backup: string, making: string): Promise<void> {
  await rm(making, { recursive: true, force: true })
  const { data, password } = clusterPaths(join(making, 'postgres'))
  await mkdir(data, { recursive: true, mode: 0o700 })
  await handOver(join(making, 'postgres'))
  await handOver(data)
  await untar(join(backup, CLUSTER_ARCHIVE), data, handOver)
  await copyFlushed(join(backup, PASSWORD), password)
  await handOver(password)
  if (await exists(join(backup, SECRETS))) await copyFlushed(join(backup, SECRETS), join(making, SECRETS))
}

async function putAside(dataDir: string, now: Date): Promise<string | undefined> {
  const aside = join(dataDir, `damaged-${now.toISOString().replaceAll(':', '-')}`)
  let any = false
  for (const part of ['postgres', SECRETS]) {
    if (!(await exists(join(dataDir, part)))) continue
    await mkdir(aside, { recursive: true, mode: 0o700 })
    await rename(join(dataDir, part), join(aside, part))
    any = true
  }
  await flushFolder(dataDir)
  return any ? aside : undefined
}
