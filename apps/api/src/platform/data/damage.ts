import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export const BACKUPS = 'backups'
/** Name of a complete backup: start time and reason. */
const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[a-z-]+$/

/** Names of complete backups in a data directory, newest first. */
export async function backupNames(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, BACKUPS)).catch(() => [])
  return names
    .filter((name) => BACKUP_NAME.test(name))
    .toSorted()
    .toReversed()
}

/** The error for missing or broken data, which must never be replaced silently. Its message says how to repair. */
export async function damaged(dataDir: string, what: string): Promise<Error> {
  const [newest] = await backupNames(dataDir)
  const given = shown(dataDir)
  const repair =
    newest === undefined
      ? `There is no backup in ${join(dataDir, BACKUPS)}: put back what is missing`
      : `Restore the newest backup with "DATA_DIR=${given} npm run restore -- ${newest}"`
  return new Error(
    `DATA_DIR=${given} is damaged: ${what}. ${repair}, or start anew elsewhere with "${elsewhere(dataDir)}".`,
  )
}

/** The command to start with another folder. */
export function elsewhere(dataDir: string): string {
  return `DATA_DIR=${shown(join(dirname(dataDir), `${basename(dataDir)}-new`))} npm start`
}

/** Quoted for a shell. */
export function shown(path: string): string {
  return /^[\w@%+:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
