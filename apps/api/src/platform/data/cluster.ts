import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { damaged, elsewhere } from './damage.ts'
import { exists, flushFolder } from './filesystem.ts'

// The folder of an embedded PostgreSQL: data/ (cluster), password (of its user) and owner.pid (last owning process).

/** Without any of these PostgreSQL does not start, or loses data. */
const ESSENTIAL = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_xact', 'postgresql.conf', 'pg_hba.conf']

export function clusterPaths(dir: string) {
  const data = join(dir, 'data')
  const password = join(dir, 'password')
  return {
    data,
    password,
    owner: join(dir, 'owner.pid'),
    newData: `${data}.new`,
    newPassword: `${password}.new`,
    newDatabase: join(dir, 'database.new'),
  }
}

/**
 * A marker between the creation of the cluster and that of the product's database. Without the marker, a cluster
 * lacking the database is damaged.
 */
export async function isAwaitingDatabase(dir: string): Promise<boolean> {
  return exists(clusterPaths(dir).newDatabase)
}

export async function noteDatabaseMade(dir: string): Promise<void> {
  if (!(await isAwaitingDatabase(dir))) return
  await rm(clusterPaths(dir).newDatabase, { force: true })
  await flushFolder(dir)
}

/**
 * Whether the folder has a cluster. Clusters are created under another name and renamed when complete. So anything else
 * missing was deleted later; throws instead of creating anew, which would destroy the rest.
 */
export async function hasCluster(dir: string, postgres: string): Promise<boolean> {
  const { data, password, owner, newData } = clusterPaths(dir)
  const dataDir = dirname(dir)
  if (!(await exists(data))) {
    const untouched = !(await exists(password)) || (await exists(newData))
    if (untouched && !(await exists(owner))) return false
    throw await damaged(dataDir, `the database's folder ${data} is missing`)
  }
  for (const part of ESSENTIAL) {
    if (!(await exists(join(data, part))))
      throw await damaged(dataDir, `${join(data, part)} of the database is missing`)
  }
  if ((await readFile(password, 'utf8').catch(() => '')).trim() === '') {
    throw await damaged(dataDir, `the database's password in ${password} is missing`)
  }
  await checkMajor(dir, postgres)
  return true
}

async function checkMajor(dir: string, postgres: string): Promise<void> {
  const { data } = clusterPaths(dir)
  const made = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  const ours = await majorOf(postgres)
  if (made === ours) return
  if (!/^\d+$/.test(made))
    throw await damaged(dirname(dir), `${join(data, 'PG_VERSION')} of the database has no version in it`)
  throw new Error(
    `The database in ${dir} was made by PostgreSQL ${made}, and this Parley runs ${ours}. ` +
      `Start the Parley that made it, or start anew elsewhere with "${elsewhere(dirname(dir))}".`,
  )
}

export async function majorOf(postgres: string): Promise<string> {
  const { stdout } = await promisify(execFile)(postgres, ['--version'])
  return /\d+/.exec(stdout)?.[0] ?? ''
}
