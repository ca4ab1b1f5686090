import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from './config.ts'
import { testDatabase } from './platform/testing.ts'
import { startServer } from './server.ts'

const MAIN = fileURLToPath(new URL('server.ts', import.meta.url))
const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
let database: Awaited<ReturnType<typeof testDatabase>>
let dataDir: string

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-server-'))
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const environment = () => ({ ...secrets, PORT: '0', DATABASE_URL: database.url, DATA_DIR: dataDir })
const run = (env: Record<string, string>) => spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })

async function ended(child: ChildProcess): Promise<{ code: number | null; complaint: string }> {
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const [code] = await once(child, 'close')
  return { code, complaint }
}

test('a contradiction in the configuration stops the start with a sentence', async () => {
  const { code, complaint } = await ended(run({ ...environment(), CALLING_HOURS: 'off', CARRIER: 'twilio' }))
  expect(code).toBe(1)
  expect(complaint).toBe('CALLING_HOURS=off is for the simulated carrier only. Remove it, or set CARRIER=simulated.\n')
}, 60_000)

test('a request to stop ends it cleanly, with nothing to complain of', async () => {
  const child = run(environment())
  const end = ended(child)
  let output = ''
  await new Promise<void>((listening) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('"listening"')) listening()
    })
  })
  child.kill('SIGTERM')
  expect(await end).toEqual({ code: 0, complaint: '' })
  expect(output).not.toContain('"level":50')
}, 60_000)

test('when the port is taken it lets go of everything it had begun', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const start = startServer(readConfig({ ...environment(), PORT: port, LOG_LEVEL: 'silent' }))
  await expect(start).rejects.toThrow('EADDRINUSE')
  // PostgreSQL takes a moment to forget a connection that was closed; one left open would stay for longer.
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        "select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'parley'",
      )
      expect(rows).toEqual([{ count: 1 }])
    },
    { timeout: 8000 },
  )
  other.close()
}, 60_000)
