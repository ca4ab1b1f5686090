import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from './config.ts'
import { testDatabase } from './platform/testing.ts'
import { startServer } from './server.ts'

const MAIN = fileURLToPath(new URL('server.ts', import.meta.url))
const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
/** What Node has compiled before. */
const { NODE_COMPILE_CACHE } = process.env
const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
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

const environment = () => ({ ...secrets, ...compiled, PORT: '0', DATABASE_URL: database.url, DATA_DIR: dataDir })
const run = (env: Record<string, string>) => spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })

async function ended(child: ChildProcess): Promise<{ code: number | null; complaint: string }> {
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const [code] = await once(child, 'close')
  return { code, complaint }
}

test('a contradictory configuration ends the start with code 78 and one sentence', async () => {
  const { code, complaint } = await ended(run({ ...environment(), CALLING_HOURS: 'off', CARRIER: 'twilio' }))
  expect(code).toBe(78)
  expect(complaint).toBe('CALLING_HOURS=off is for the simulated carrier only. Remove it, or set CARRIER=simulated.\n')
})

test('SIGTERM ends the process with code 0 and without an error', async () => {
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
})

const PLANTED = `data:text/javascript,
  process.on('SIGUSR2', () => void Promise.reject(new Error('planted rejection')));
  process.on('SIGWINCH', () => { throw new Error('planted exception') })`

describe('a defect', () => {
  const start = async () => {
    const args = ['--import', PLANTED.replaceAll('\n', ' '), MAIN]
    const child = spawn(process.execPath, args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
    const end = ended(child)
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const said = (words: string) => vi.waitFor(() => expect(output).toContain(words), { timeout: 60_000, interval: 50 })
    await said('"listening"')
    return { child, end, said, url: /"url":"([^"]+)"/.exec(output)?.[1] ?? '' }
  }

  test('an unhandled rejection is logged and the process goes on', async () => {
    const { child, end, said, url } = await start()
    child.kill('SIGUSR2')
    await said('planted rejection')
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    child.kill('SIGTERM')
    expect((await end).code).toBe(0)
  }, 90_000)

  test('an uncaught exception is logged as fatal and ends the process with code 1', async () => {
    const { child, end, said } = await start()
    child.kill('SIGWINCH')
    await said('planted exception')
    expect(await end).toEqual({ code: 1, complaint: 'The process ends: Error that nobody caught.\n' })
  }, 90_000)
})

test('/livez returns 200 and /readyz 503 while another node migrates', async () => {
  const held = await database.pool.connect()
  await held.query('select pg_advisory_lock(7316001)')
  const port = String(await freePort())
  const child = run({ ...environment(), PORT: port, INTERNAL_PORT: '0' })
  const end = ended(child)
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    return answer && { status: answer.status, retryAfter: answer.headers.get('retry-after') }
  }
  await vi.waitFor(async () => expect(await get('/livez')).toMatchObject({ status: 200 }), {
    timeout: 60_000,
    interval: 50,
  })
  expect(await get('/readyz')).toEqual({ status: 503, retryAfter: '5' })
  expect(await get('/api/auth/user')).toEqual({ status: 503, retryAfter: '5' })
  await held.query('select pg_advisory_unlock(7316001)')
  held.release()
  await vi.waitFor(async () => expect(await get('/readyz')).toMatchObject({ status: 200 }), {
    timeout: 60_000,
    interval: 50,
  })
  child.kill('SIGTERM')
  expect((await end).code).toBe(0)
}, 150_000)

test('all requests get 503 until `prepare` is done', async () => {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const prepared = Promise.withResolvers<void>()
  const preparing = Promise.withResolvers<void>()
  const config = readConfig({ ...environment(), PORT: port, INTERNAL_PORT: '0', LOG_LEVEL: 'silent' })
  const starting = startServer(config, {
    prepare: () => {
      preparing.resolve()
      return prepared.promise
    },
  })
  await preparing.promise
  for (const path of ['/health', '/readyz', '/api/auth/user']) expect((await fetch(url + path)).status).toBe(503)
  prepared.resolve()
  const server = await starting
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await server.close()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test('a taken port ends the start and closes its database connections', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const start = startServer(readConfig({ ...environment(), PORT: port, LOG_LEVEL: 'silent' }))
  await expect(start).rejects.toThrow('EADDRINUSE')
  // PostgreSQL drops a closed connection after a moment; an open one would stay.
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        "select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'parley'",
      )
      expect(rows).toEqual([{ count: 1 }])
    },
    // Before the pool itself closes what is idle.
    { timeout: 8000 },
  )
  other.close()
})
