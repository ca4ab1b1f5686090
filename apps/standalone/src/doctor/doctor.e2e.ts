import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, runParley } from '../world.ts'

// Longer than 20 s: a product of its own and five runs of a program beside it.

const CLI = join(import.meta.dirname, 'cli.ts')
let parley: Running
beforeAll(async () => {
  parley = await runParley()
})
afterAll(() => parley.dispose())

/** As `npm run doctor` in the environment of the running product. */
async function doctor(environment: Record<string, string>, ...args: string[]) {
  const { DATABASE_URL: _, REDIS_URL: __, SMTP_URL: ___, ...inherited } = process.env
  const env = { ...inherited, ...environment }
  return promisify(execFile)(process.execPath, [CLI, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  )
}

const surroundings = (): Record<string, string> => {
  const port = new URL(parley.url).port
  const payments = /sandbox at http:\/\/localhost:(\d+)|sandbox at http:\/\/127\.0\.0\.1:(\d+)/.exec(parley.log())
  return {
    DATA_DIR: parley.dataDir,
    PORT: port,
    VOICE_PORT: new URL(parley.voiceUrl).port,
    PAYMENTS_SANDBOX_PORT: payments?.[1] ?? payments?.[2] ?? '',
  }
}

test('a running product is ready in every part, also for programs', async () => {
  // The product is ready before its voice service has joined as a node, and so got its name.
  await expect.poll(async () => (await doctor(surroundings())).stdout).toContain('voice-1: carrier')
  const { code, stdout } = await doctor(surroundings())
  expect(stdout).toContain('Everything is ready.')
  expect(stdout).toMatch(/^ok {6}database +PostgreSQL 18/m)
  expect(stdout).toMatch(/^ok {6}voice-1: carrier +The simulated network/m)
  expect(code).toBe(0)
  const json = await doctor(surroundings(), '--json')
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([0, { ok: true, parts: expect.any(Array) }])
})

test('says what is wrong and where to mend it, with exit code 1', async () => {
  const { code, stdout } = await doctor({ ...surroundings(), SMTP_URL: 'smtp://127.0.0.1:9' })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^BROKEN {2}mail .*ECONNREFUSED/m)
  expect(stdout).toContain('Correct SMTP_URL')
  expect(stdout).toContain('1 of ')
  const settings = await doctor({ ...surroundings(), CARRIER: 'twilio' }, '--json')
  expect(JSON.parse(settings.stdout)).toMatchObject({
    ok: false,
    parts: [{ part: 'settings', says: expect.stringContaining('TWILIO_ACCOUNT_SID') }],
  })
})

test('says how to start a product where none was', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-none-'))
  const { code, stdout } = await doctor({ ...surroundings(), DATA_DIR: dir })
  expect([code, stdout]).toEqual([1, expect.stringContaining('Start it with "npm start"')])
  await rm(dir, { recursive: true })
})
