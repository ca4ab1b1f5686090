import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Call } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooksInOrder, operate } from '../testing.ts'
import { type Person, type Running, runParley, signIn, signUp } from '../world.ts'

const CLI = join(import.meta.dirname, 'cli.ts')
const PASSWORD = 'correct horse battery'
let parley: Running
let person: Person

beforeAll(async () => {
  parley = await runParley({ SANDBOX_SPEED: '20' })
  person = await signUp(parley.url, 'restored@parley.example', PASSWORD)
})
afterAll(() => parley.dispose())

async function restore(...args: string[]): Promise<string> {
  const { DATABASE_URL: _, ...environment } = process.env
  const env = { ...environment, DATA_DIR: parley.dataDir }
  return promisify(execFile)(process.execPath, [CLI, ...args], { env }).then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => error.stderr,
  )
}

test('a restore of the newest backup brings back calls, balance, session and books', async () => {
  expect(await restore()).toBe(`There is no backup in ${parley.dataDir}/backups.\n`)
  const call = await person.place('+12025550100')
  await person.ended(call.id)
  const balance = await person.balance()
  const name = /backup (\S+) was made/.exec(await operate(parley, 'backup'))?.[1] ?? ''
  expect(await restore()).toContain(`  ${name}  `)
  const { main } = await parley.pids()
  expect(await restore(name)).toMatch(
    new RegExp(`^Parley runs on the data in ${parley.dataDir} already \\(process ${main}\\)\\. `),
  )

  await parley.stop()
  await rm(join(parley.dataDir, 'postgres/data/PG_VERSION'))
  await rm(join(parley.dataDir, 'secrets.json'))
  await expect(parley.start()).rejects.toThrow(`npm run restore -- ${name}`)
  expect(await restore(name)).toContain(
    `The backup ${name} is in its place in ${parley.dataDir}. What was there is kept in `,
  )
  await parley.start()
  expect((await person.get<Call[]>(`/api/user/${person.user.id}/calls`)).map(({ id }) => id)).toEqual([call.id])
  const again = await signIn(parley.url, 'restored@parley.example', PASSWORD)
  expect(await again.balance()).toBe(balance)
  await expectBooksInOrder(parley)
  expect((await readdir(parley.dataDir)).filter((each) => each.startsWith('damaged-'))).toHaveLength(1)
}, 300_000)
