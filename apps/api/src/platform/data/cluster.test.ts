import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../database/embedded.ts'

let folder: string
const start = () => startEmbeddedPostgres(join(folder, 'postgres'), { durable: false })
const at = (...parts: string[]) => join(folder, 'postgres', ...parts)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-cluster-'))
  const server = await start()
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query('create table kept as select 42 as answer')
  await client.end()
  await server.stop()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function answer(): Promise<unknown> {
  const server = await start()
  const client = new pg.Client(server.url)
  await client.connect()
  const { rows } = await client.query('select answer from kept')
  await client.end()
  await server.stop()
  return rows
}

describe('a damaged cluster', () => {
  test.each(['data/PG_VERSION', 'data/global/pg_control', 'data/base', 'data/pg_wal', 'data', 'password'])(
    'without %s is refused, and starts with its rows when the file is back',
    async (part) => {
      await rename(at(part), join(folder, 'aside'))
      await expect(start()).rejects.toThrow(
        new RegExp(`^DATA_DIR=${folder} is damaged: .*${at(part)}.* is missing\\. There is no backup`),
      )
      // Nothing was created in its place: otherwise this fails or loses the rows.
      await rename(join(folder, 'aside'), at(part))
      expect(await answer()).toEqual([{ answer: 42 }])
    },
    60_000,
  )

  test("is refused with PostgreSQL's own error when PostgreSQL does not start", async () => {
    const control = await readFile(at('data/global/pg_control'))
    await writeFile(
      at('data/global/pg_control'),
      control.map((byte) => byte ^ 0xff),
    )
    const message = await start().catch((error: Error) => error.message)
    expect(message).toMatch(
      /^DATA_DIR=\S+ is damaged: its PostgreSQL does not start \(.+\)\. There is no backup in .*\.$/,
    )
    await writeFile(at('data/global/pg_control'), control)
    expect(await answer()).toEqual([{ answer: 42 }])
  })

  test('of another major version is refused with both versions named', async () => {
    const ours = await readFile(at('data/PG_VERSION'), 'utf8')
    await writeFile(at('data/PG_VERSION'), '15\n')
    await expect(start()).rejects.toThrow(
      `The database in ${at()} was made by PostgreSQL 15, and this Parley runs ${ours.trim()}. ` +
        `Start the Parley that made it, or start anew elsewhere with "DATA_DIR=${folder}-new npm start".`,
    )
    await writeFile(at('data/PG_VERSION'), ours)
  })
})

test('a cluster whose creation was cut off is created again', async () => {
  const home = join(folder, 'second')
  await mkdir(join(home, 'data.new/base'), { recursive: true })
  await writeFile(join(home, 'data.new/PG_VERSION'), '18\n')
  await writeFile(join(home, 'password'), 'of the one that was cut off')
  const server = await startEmbeddedPostgres(home, { durable: false })
  await server.stop()
  expect(await readFile(join(home, 'password'), 'utf8')).not.toContain('cut off')
})

test('a full disk stops the creation of a cluster with a clear error', async () => {
  // initdb's own error, from a stand-in: a test cannot fill the disk.
  const home = join(folder, 'third')
  await mkdir(home)
  const initdb = join(folder, 'initdb')
  await writeFile(initdb, "#!/bin/sh\necho 'initdb: error: could not write: No space left on device' >&2; exit 1\n")
  await chmod(initdb, 0o755)
  await chmod(folder, 0o755)
  await expect(startEmbeddedPostgres(home, { durable: false, initdb })).rejects.toThrow(
    `The disk that holds DATA_DIR=${folder} is full. Make room on it, or set DATA_DIR to a folder on another disk.`,
  )
})

test('a cluster under a folder of mode 700 works as root', async () => {
  const home = join(folder, 'home')
  await mkdir(home, { mode: 0o700 })
  if (process.getuid?.() === 0) await chown(home, 0, 0)
  const server = await startEmbeddedPostgres(join(home, 'postgres'), { durable: false })
  expect(await readFile(join(home, 'postgres/owner.pid'), 'utf8')).toBe(String(process.pid))
  await server.stop()
})
