import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from './embedded.ts'

let folder: string
const start = () => startEmbeddedPostgres(join(folder, 'postgres'), { durable: false })
const ownedBy = (pid: number) => writeFile(join(folder, 'postgres/owner.pid'), String(pid))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-embedded-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  // The server may end the connection too.
  client.on('error', () => undefined)
  return client
    .connect()
    .then(() => client.end())
    .then(
      () => true,
      () => false,
    )
}

test('a data folder is refused while its owner process lives', async () => {
  const first = await start()
  await ownedBy(process.ppid)
  await expect(start()).rejects.toThrow(
    /^Parley runs on the data in .* already \(process \d+\)\. Stop it first, or set DATA_DIR to another folder\.$/,
  )
  expect(await answers(first.url)).toBe(true)
  // Above the highest process id.
  await ownedBy(2 ** 22 + 1)
  const second = await start()
  expect([await answers(first.url), await answers(second.url)]).toEqual([false, true])
  await second.stop()
})
