import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { checkBooks, settle } from './credits/index.ts'
import { everyRow, fillBooks, migrateToBefore } from './credits/testing.ts'
import { createDatabase } from './platform/db.ts'
import { startEmbeddedPostgres } from './platform/database/embedded.ts'
import { listBackups } from './platform/data/restore.ts'

const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }

test('a DATA_DIR of the version before the ledger’s SQL files is backed up and starts with all that it holds', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-upgrade-'))
  const embedded = await startEmbeddedPostgres(join(dataDir, 'postgres'))
  const admin = createDatabase(embedded.url, { poolSize: 1 })
  await admin.pool.query('create database parley')
  await admin.close()
  const before = createDatabase(embedded.databaseUrl('parley'))
  await migrateToBefore(before)
  const { callId } = await fillBooks(before)
  const rows = await everyRow(before)
  await before.close()
  await embedded.stop()

  const config = readConfig({ ...secrets, DATA_DIR: dataDir })
  const overrides = { log: pino({ level: 'silent' }) }
  const first = await createContext(config, overrides)
  expect(await everyRow(first.database)).toEqual(rows)
  await checkBooks(first.db)
  const replayed = await first.database.pool.query('select name from replayed_sql')
  expect(replayed.rows).toEqual([{ name: 'ledger' }])
  expect(await settle(first.db, { callId, connectedSeconds: 61 })).toMatchObject({ chargedCredits: 2, available: 5 })
  await checkBooks(first.db)
  await first.close()
  const backups = async () => (await listBackups(dataDir)).map(({ manifest }) => manifest?.reason)
  expect(await backups()).toEqual(['before-migration'])

  // Nothing is left to do for the next start.
  const next = await createContext(config, overrides)
  expect(await backups()).toEqual(['before-migration'])
  await checkBooks(next.db)
  await next.close()
  await rm(dataDir, { recursive: true, force: true })
}, 120_000)
