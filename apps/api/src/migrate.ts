import { join } from 'node:path'
import { readDataConfig } from './config.ts'
import { LEDGER_SQL } from './credits/index.ts'
import { openDatabase } from './database.ts'
import { clusterPaths } from './platform/data/cluster.ts'
import { exists } from './platform/data/filesystem.ts'
import { lockDataDir } from './platform/data/lock.ts'
import { newestMigration } from './platform/database/migration-state.ts'
import { createLog } from './platform/log/log.ts'

/**
 * `npm run migrate`: brings the database of DATABASE_URL, or the embedded one of a stopped product, to this version.
 * Returns what it has to say.
 */
export async function migrateByHand(environment?: Readonly<Record<string, string | undefined>>): Promise<string> {
  const config = readDataConfig(environment)
  const { dataDir, databaseUrl } = config
  const unlock = databaseUrl === undefined ? await lockEmbedded(dataDir) : undefined
  try {
    const log = createLog(config.logLevel)
    const opened = await openDatabase(config, { log, replayed: [LEDGER_SQL], schema: 'migrate', poolSize: 1 })
    try {
      return `The database is at ${await newestMigration(opened.database.pool)}, the schema of this version.`
    } finally {
      await opened.close()
    }
  } finally {
    await unlock?.()
  }
}

async function lockEmbedded(dataDir: string): Promise<() => Promise<void>> {
  if (!(await exists(clusterPaths(join(dataDir, 'postgres')).data)))
    throw new Error(`There is no database in ${dataDir}: "npm start" makes it. Set DATABASE_URL or DATA_DIR.`)
  return lockDataDir(dataDir)
}
