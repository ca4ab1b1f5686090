import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkBooks, createDatabase } from '@parley/api/testing'
import type { World } from './world.ts'

const OPS = fileURLToPath(new URL('../../api/src/cli.ts', import.meta.url))

/** The database of a running Parley, to look into. */
export async function openDatabase({ dataDir }: Pick<World, 'dataDir'>): Promise<ReturnType<typeof createDatabase>> {
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim()
  const port = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[3]
  return createDatabase(`postgres://app:${password}@127.0.0.1:${port}/parley`)
}

/** Runs `npm run ops -- …` beside a running Parley. Returns its output. */
export async function operate({ dataDir }: Pick<World, 'dataDir'>, ...args: readonly string[]): Promise<string> {
  const { DATABASE_URL: _, ...environment } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [OPS, ...args], {
    env: { ...environment, DATA_DIR: dataDir },
  })
  return stdout
}

/** The books of a running Parley are right. */
export async function expectBooksInOrder(parley: World): Promise<void> {
  const database = await openDatabase(parley)
  await checkBooks(database.db)
  await database.close()
}

const SOAK_ROUNDS = 10

/** The number of kills: each way once, ten in all for `npm run soak`. */
export function roundsOf(ways: readonly unknown[]): number {
  return process.env['SOAK'] === undefined ? ways.length : SOAK_ROUNDS
}
