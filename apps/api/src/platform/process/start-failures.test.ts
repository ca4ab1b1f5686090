import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createDatabase } from '../db.ts'
import { checkRedis, checkServerVersion, databaseFailure } from './start-failures.ts'

/** What a start on this address fails with, as it says it. */
async function failureAt(change: (url: URL) => void): Promise<string | undefined> {
  const url = new URL(inject('postgresUrl'))
  change(url)
  const database = createDatabase(url.href, { poolSize: 1 })
  const error: unknown = await database.pool.query('select 1').catch((each: unknown) => each)
  await database.close()
  return databaseFailure(url.href, error)?.message
}
const OTHERWISE = 'or remove DATABASE_URL to use the embedded database.'

test('a server of DATABASE_URL that does not answer is named with its host, and never with a password', async () => {
  expect(await failureAt((url) => ((url.port = '9'), (url.password = 'hush')))).toBe(
    `DATABASE_URL: no PostgreSQL answers at 127.0.0.1:9 (ECONNREFUSED). Start it, correct the address, ${OTHERWISE}`,
  )
})

test('a wrong password of DATABASE_URL is named with the user', async () => {
  const { host, username } = new URL(inject('postgresUrl'))
  expect(await failureAt((url) => (url.password = 'hush'))).toBe(
    `DATABASE_URL: PostgreSQL at ${host} does not let "${username}" in with this password. Correct the address, ${OTHERWISE}`,
  )
})

test('a database of DATABASE_URL that is missing is named', async () => {
  const { host } = new URL(inject('postgresUrl'))
  expect(await failureAt((url) => (url.pathname = '/nowhere'))).toBe(
    `DATABASE_URL: PostgreSQL at ${host} has no database "nowhere". Create it ("create database"), correct the address, ${OTHERWISE}`,
  )
})

test('a server that is too old is refused with its version, and this one is not', async () => {
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

test('an error that is not of the server stays what it is', () => {
  expect(databaseFailure('postgres://app@127.0.0.1/parley', new Error('a migration failed'))).toBeUndefined()
})

test('a Redis that does not answer is named with its host', async () => {
  await expect(checkRedis('redis://:hush@127.0.0.1:9')).rejects.toThrow(
    'REDIS_URL: no Redis answers at 127.0.0.1:9 (ECONNREFUSED). Start it, correct the address, or remove REDIS_URL to do without.',
  )
})
