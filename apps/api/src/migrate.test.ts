import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type Config, readConfig } from './config.ts'
import { createContext } from './context.ts'
import { fillBooks, migrateToBefore } from './credits/testing.ts'
import { checkBooks } from './credits/index.ts'
import { migrateByHand } from './migrate.ts'
import { listBackups } from './platform/data/restore.ts'
import { createDatabase } from './platform/db.ts'
import { startEmbeddedPostgres } from './platform/database/embedded.ts'
import { testDatabase } from './platform/testing.ts'

const SECRETS = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
const start = (config: Config) => createContext(config, { log: pino({ level: 'silent' }) })

test('in production a start on DATABASE_URL refuses an older schema until "npm run migrate" has run', async () => {
  const database = await testDatabase({ empty: true })
  await migrateToBefore(database)
  await fillBooks(database)
  const environment = { DATABASE_URL: database.url, LOG_LEVEL: 'silent' }
  const config = { ...readConfig({ ...SECRETS, ...environment }), isProduction: true }
  await expect(start(config)).rejects.toThrow(
    /^The database is older than this Parley: it lacks \d+_replayed_sql, and in production a start changes no schema\. /,
  )
  expect(await migrateByHand(environment)).toMatch(/^The database is at \d+_\w+, the schema of this version\.$/)
  const context = await start(config)
  await checkBooks(context.db)
  await context.close()
  await database.close()
}, 120_000)

test('"npm run migrate" backs the embedded database up before it migrates it, and refuses a folder without one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-migrate-'))
  const environment = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  await expect(migrateByHand(environment)).rejects.toThrow(
    `There is no database in ${dataDir}: "npm start" makes it. Set DATABASE_URL or DATA_DIR.`,
  )
  const embedded = await startEmbeddedPostgres(join(dataDir, 'postgres'))
  const admin = createDatabase(embedded.url, { poolSize: 1 })
  await admin.pool.query('create database parley')
  await admin.close()
  const before = createDatabase(embedded.databaseUrl('parley'))
  await migrateToBefore(before)
  await fillBooks(before)
  await before.close()
  await embedded.stop()

  const reasons = async () => (await listBackups(dataDir)).map(({ manifest }) => manifest?.reason)
  for (let run = 0; run < 2; run++) {
    expect(await migrateByHand(environment)).toContain('the schema of this version')
    expect(await reasons()).toEqual(['before-migration'])
  }
  // Embedded, a start in production migrates itself: nobody else starts on it.
  const context = await start({ ...readConfig({ ...SECRETS, ...environment }), isProduction: true })
  await checkBooks(context.db)
  await context.close()
  await rm(dataDir, { recursive: true, force: true })
}, 120_000)
