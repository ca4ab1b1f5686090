import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createDatabase } from '../db.ts'
import { checkRedis, checkServerVersion, databaseFailure } from './start-failures.ts'

/** The message of a start on the changed DATABASE_URL. */
async function failureAt(change: (url: URL) => void): Promise<string | undefined> {
  const url = new URL(inject('postgresUrl'))
  change(url)
  const database = createDatabase(url.href, { poolSize: 1 })
  const error: unknown = await database.pool.query('select 1').catch((each: unknown) => each)
  await database.close()
  return databaseFailure(url.href, error)?.message
}
const OTHERWISE = 'or remove DATABASE_URL to use the embedded database.'

test('an unreachable server of DATABASE_URL is named by host, without the password', async () => {
  expect(await failureAt((url) => ((url.port = '9'), (url.password = 'hush')))).toBe(
    `DATABASE_URL: no PostgreSQL answers at 127.0.0.1:9 (ECONNREFUSED). Start it, correct the address, ${OTHERWISE}`,
  )
})

test('a wrong password of DATABASE_URL is reported with the user', async () => {
  const { host, username } = new URL(inject('postgresUrl'))
  expect(await failureAt((url) => (url.password = 'hush'))).toBe(
    `DATABASE_URL: PostgreSQL at ${host} does not let "${username}" in with this password. Correct the address, ${OTHERWISE}`,
  )
})

test('a missing database of DATABASE_URL is named', async () => {
  const { host } = new URL(inject('postgresUrl'))
  expect(await failureAt((url) => (url.pathname = '/nowhere'))).toBe(
    `DATABASE_URL: PostgreSQL at ${host} has no database "nowhere". Create it ("create database"), correct the address, ${OTHERWISE}`,
  )
})

test('PostgreSQL 14 is refused with its version, the current one is accepted', async () => {
  const database = createDatabase(inject('postgresUrl'), { poolSize: 1 })
  await checkServerVersion(database.pool)
  await database.close()
  const old = new pg.Pool()
  old.query = (async () => ({ rows: [{ major: 14 }] })) as never
  await expect(checkServerVersion(old)).rejects.toThrow(
    'DATABASE_URL leads to PostgreSQL 14, and Parley needs 15 or newer.',
  )
  await old.end()
})

test('an error unrelated to the server is left as is', () => {
  expect(databaseFailure('postgres://app@127.0.0.1/parley', new Error('a migration failed'))).toBeUndefined()
})

test('an unreachable Redis is named by host', async () => {
  await expect(checkRedis('redis://:hush@127.0.0.1:9')).rejects.toThrow(
    'REDIS_URL: no Redis answers at 127.0.0.1:9 (ECONNREFUSED). Start it, correct the address, or remove REDIS_URL to do without.',
  )
})
