import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes, callsRoutes, creditsRoutes } from '@parley/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Script, type StandInVoice, startStandInVoice } from './calls/testing.ts'
import type { Database } from './platform/db.ts'
import { testDatabase } from './platform/testing.ts'
import { checkBooks, createTestApp, PATIENTLY, TEST_PASSWORD, type TestApp } from './testing.ts'

// The whole api through a real PgBouncer in transaction mode, where it is installed.

const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find((path) => spawnSync(path, ['--version']).status === 0)
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const SERVER_CONNECTIONS = 3

let folder: string
let child: ChildProcess
let direct: Database
let pooledUrl: string

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

async function startPooler(program: string): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'parley-pooler-'))
  await chmod(folder, 0o755)
  const { hostname, port, username, password, pathname } = new URL(direct.url)
  const own = await freePort()
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  const settings = `[databases]
* = host=${hostname} port=${port === '' ? 5432 : port} user=${username}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`
  await writeFile(join(folder, 'pgbouncer.ini'), settings, { mode: 0o644 })
  child = spawn(program, [join(folder, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'], ...NOBODY })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  await vi.waitFor(() => expect(said).toContain('process up'), PATIENTLY)
  pooledUrl = `postgres://${username}@127.0.0.1:${own}${pathname}`
}

describe.skipIf(PROGRAM === undefined)('through PgBouncer in transaction mode', () => {
  let voice: StandInVoice
  let app: TestApp
  beforeAll(async () => {
    direct = await testDatabase()
    await startPooler(PROGRAM ?? '')
    voice = await startStandInVoice()
    const environment = { DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: direct.url }
    app = await createTestApp({ environment: { ...environment, VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
  }, 120_000)
  afterAll(async () => {
    await app.close()
    await voice.close()
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
    await direct.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('people sign up at once, place calls, and each call is settled', async () => {
    const people = Array.from({ length: 8 }, (_, at) => `pooled${at}@example.com`)
    await Promise.all(
      people.map(async (email) => {
        const client = app.client()
        await client.request(accountsRoutes.register, { body: { email, fullName: 'Ada', password: TEST_PASSWORD } })
        const token = await app.tokenFor(email, '/verify-email')
        expect((await client.request(accountsRoutes.verifyEmail, { query: { token } })).status).toBe(200)
        const session = await client.request(accountsRoutes.login, { body: { email, password: TEST_PASSWORD } })
        const body = { callee: '+1 202 555 0100', purpose: 'Ask how it was', maxDurationMinutes: 2 }
        const { id } = (await client.request(callsRoutes.place, { body })).data
        const order = await voice.orderOf(id)
        const script = new Script(app, id, order.token)
        await script.converse()
        await script.end(61)
        const params = { id: session.data.user.id }
        const spent = async () =>
          (await client.request(creditsRoutes.statement, { params })).data.map(({ credits }) => credits)
        await expect.poll(spent, PATIENTLY).toEqual([-2, 10])
      }),
    )
    await checkBooks(app.context.db)
  }, 120_000)

  test('a session that asks for nothing has the limits that a pooler lets none set', async () => {
    const session = new pg.Client(direct.url)
    await session.connect()
    const { rows } = await session.query(
      `select current_setting('statement_timeout') as statement, current_setting('jit') as jit,
        current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    await session.end()
    expect(rows).toEqual([{ statement: '30s', jit: 'off', idle: '30s' }])
  })
})
