import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { damaged, elsewhere } from './damage.ts'
import { exists, flushFolder } from './filesystem.ts'

// The folder of an embedded PostgreSQL: data/ is its cluster, password what its user signs in with, owner.pid who ran
// it last.

/** Without any of these PostgreSQL does not start, or starts without what was kept. */
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
 * Made with the cluster and gone once the product's database is in it: without that database any other cluster is
 * damaged.
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
 * Whether the folder has a cluster. A cluster is made under another name and renamed when it is whole, so that one half
 * made is known for what it is; anything else that is missing was there once, and making it anew would erase what was
 * kept.
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
