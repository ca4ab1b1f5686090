import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BACKUPS, FAILURE, listBackups, restoreBackup, shown } from '@parley/api/data'
import { readStandaloneConfig } from '../config.ts'

// `npm run restore` lists the backups of DATA_DIR. `npm run restore -- <name>` restores one in place of the database.

const { dataDir, environment } = readStandaloneConfig()

async function list(): Promise<string> {
  const backups = await listBackups(dataDir)
  const lines = backups.map(({ name, ...backup }) => {
    if (backup.manifest === undefined) return `  ${name}  cannot be read`
    const { version, migration } = backup.manifest
    return `  ${name}  ${megabytes(backup.bytes)}, Parley ${version}, ${migration ?? 'no migration'}`
  })
  const failed = await readFile(join(dataDir, BACKUPS, FAILURE), 'utf8').catch(() => '')
  return [
    backups.length === 0
      ? `There is no backup in ${join(dataDir, BACKUPS)}.`
      : `Backups of ${dataDir}, the newest first:`,
    ...lines,
    ...(failed === '' ? [] : [`The last one that was tried failed: ${failed}`]),
    ...(backups.length === 0
      ? []
      : [`Restore one, when the product is stopped, with "DATA_DIR=${shown(dataDir)} npm run restore -- <name>".`]),
  ].join('\n')
}

async function restore(name: string): Promise<string> {
  if (environment['DATABASE_URL'] !== undefined) {
    throw new Error('DATABASE_URL is set, and backups are of the embedded database: run this without DATABASE_URL.')
  }
  const aside = await restoreBackup(dataDir, name)
  return [
    `The backup ${name} is in its place in ${dataDir}. ${aside === undefined ? '' : `What was there is kept in ${aside}. `}Start it with "npm start".`,
    'Calls of later are gone from the history. Calls and lists that were under way do not go on by themselves: the lists wait, paused, for their owners.',
  ].join('\n')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`
}

try {
  const [name] = process.argv.slice(2)
  console.log(await (name === undefined ? list() : restore(name)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
