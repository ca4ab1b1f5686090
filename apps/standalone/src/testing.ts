import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkBooks, createDatabase } from '@parley/api/testing'
import type { CallDetails, OutboxMail, User } from '@parley/contract'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const OPS = fileURLToPath(new URL('../../api/src/cli.ts', import.meta.url))
const POLL_MS = 50
const PORT_MIN = 20_000
const PORT_MAX = 32_000
/** Test files that run side by side take theirs from different quarters. */
const PORT_QUARTER = (PORT_MAX - PORT_MIN) / 4
const PORT_FIRST = PORT_MIN + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 4) * PORT_QUARTER
const PORT_ATTEMPTS = 100

/** A whole Parley in processes of its own, as `npm start` runs it, on free ports and with data of its own. */
export interface Running {
  readonly url: string
  readonly voiceUrl: string
  readonly dataDir: string
  readonly log: () => string
  /** What one start runs; PostgreSQL and the voice service are processes of their own. */
  pids(): Promise<{ main: number; voice: number; postgres: number }>
  /** As kill -9 of the given parts. */
  kill(...parts: readonly ('main' | 'voice' | 'postgres')[]): Promise<void>
  /** As Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Starts it again on the same data and ports. */
  start(): Promise<void>
  /** Stops it and removes its data. */
  dispose(): Promise<void>
}

export async function runParley(environment: Record<string, string> = {}): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-'))
  const [port, voicePort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const voiceUrl = `http://127.0.0.1:${voicePort}`
  let child: ChildProcess | undefined
  let log = ''

  const start = async () => {
    const { DATABASE_URL: _, REDIS_URL: __, SMTP_URL: ___, ...inherited } = process.env
    const ports = { PORT: String(port), VOICE_PORT: String(voicePort), PAYMENTS_SANDBOX_PORT: String(await freePort()) }
    const env = { ...inherited, CALLING_HOURS: 'off', DATA_DIR: dataDir, ...ports, ...environment }
    const started = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    child = started
    for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (log += text))
    await until(
      'the product to answer',
      async () => {
        if (started.exitCode !== null) throw new Error(`Parley ended with code ${started.exitCode}:\n${log}`)
        return (await fetch(`${url}/health`).catch(() => undefined))?.ok === true
      },
      90_000,
    )
  }
  const pids = async () => {
    const main = child?.pid ?? 0
    const children = (await readFile(`/proc/${main}/task/${main}/children`, 'utf8')).trim().split(' ').map(Number)
    const postgres = Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])
    const voice = await firstWhere(children, async (pid) =>
      // One that has just ended has none any more.
      (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('/voice/src/server.ts'),
    )
    return { main, voice, postgres }
  }
  const running: Running = {
    url,
    voiceUrl,
    dataDir,
    log: () => log,
    pids,
    start,
    async kill(...parts) {
      const all = await pids()
      const gone = parts.includes('main') ? exited(child) : Promise.resolve(null)
      for (const part of parts) process.kill(all[part], 'SIGKILL')
      await gone
    },
    async stop() {
      const code = exited(child)
      child?.kill('SIGINT')
      return code
    },
    async dispose() {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  await start()
  return running
}

/** The database of a running Parley, to look into. */
export async function openDatabase({ dataDir }: Pick<Running, 'dataDir'>): Promise<ReturnType<typeof createDatabase>> {
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim()
  const port = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[3]
  return createDatabase(`postgres://app:${password}@127.0.0.1:${port}/parley`)
}

/** What the operator's command line does and says beside a running Parley: `npm run ops -- …`. */
export async function operate({ dataDir }: Pick<Running, 'dataDir'>, ...args: readonly string[]): Promise<string> {
  const { DATABASE_URL: _, ...environment } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [OPS, ...args], { env: { ...environment, DATA_DIR: dataDir } })
  return stdout
}

/** The books of a running Parley are right. */
export async function expectBooksInOrder(parley: Running): Promise<void> {
  const database = await openDatabase(parley)
  await checkBooks(database.db)
  await database.close()
}

async function exited(child: ChildProcess | undefined): Promise<number | null> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
  return new Promise((resolve) => child.once('exit', resolve))
}

async function firstWhere(pids: readonly number[], matches: (pid: number) => Promise<boolean>): Promise<number> {
  for (const pid of pids) if (await matches(pid)) return pid
  throw new Error('The voice service is not among the children.')
}

const givenPorts = new Set<number>()

/**
 * Below those that the system gives to connections of its own, so that none of them has it by the time it is listened on; and never the
 * same one twice, since a product that is stopped or still starting comes back to its own.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const port = randomInt(PORT_FIRST, PORT_FIRST + PORT_QUARTER)
    if (givenPorts.has(port)) continue
    const server = createServer()
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => server.close(() => done(true)))
    })
    if (isFree) {
      givenPorts.add(port)
      return port
    }
  }
  throw new Error(`No free port from ${PORT_FIRST} on.`)
}

/** Waits for a fact, asking again and again; fails with what was waited for. */
export async function until<T>(what: string, ask: () => Promise<T | false | undefined>, timeoutMs = 20_000, everyMs = POLL_MS): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** A signed-in person who talks to the product as a program would: fetch and a cookie. */
export interface Person {
  readonly user: User
  readonly cookie: string
  get<T>(path: string): Promise<T>
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  place(callee: string, more?: Record<string, unknown>): Promise<CallDetails>
  ended(callId: string, timeoutMs?: number): Promise<CallDetails>
  balance(): Promise<number>
}

export async function signIn(url: string, email: string, password: string): Promise<Person> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`Login answered ${response.status}: ${await response.text()}`)
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { user } = (await response.json()) as { user: User }
  const headers = { cookie, origin: url }
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(url + path, { headers })
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const send = async (method: string, path: string, body: unknown, more: Record<string, string> = {}) =>
    fetch(url + path, { method, headers: { ...headers, 'content-type': 'application/json', ...more }, body: JSON.stringify(body) })
  return {
    user,
    cookie,
    get,
    send,
    async place(callee, more = {}) {
      const answer = await send('POST', '/api/calls', { callee, purpose: 'Book a table for two', objectives: ['A table at 7 pm'], ...more })
      if (answer.status !== 201) throw new Error(`Placing the call answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as CallDetails
    },
    ended: (callId, timeoutMs) =>
      until(
        `call ${callId} to end`,
        async () => {
          const call = await get<CallDetails>(`/api/calls/${callId}`)
          return call.completedAt !== null && call
        },
        timeoutMs,
      ),
    balance: async () => Number((await get<User>('/api/auth/user')).creditBalance),
  }
}

/** Registers, follows the mailed link and signs in. */
export async function signUp(url: string, email: string, password = 'correct horse battery'): Promise<Person> {
  const post = (path: string, body: unknown) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', origin: url }, body: JSON.stringify(body) })
  const registered = await post('/api/auth/register', { name: 'Ada Lovelace', email, password })
  if (registered.status !== 201) throw new Error(`Registering answered ${registered.status}: ${await registered.text()}`)
  const link = await mailedLink(url, email)
  const verified = await fetch(`${url}/api/auth/verify-email?token=${new URL(link).searchParams.get('token')}`)
  if (!verified.ok) throw new Error(`Verifying answered ${verified.status}`)
  return signIn(url, email, password)
}

/** The link of the newest mail to an address. */
export async function mailedLink(url: string, email: string): Promise<string> {
  const mail = await until(`a mail to ${email}`, async () => {
    const mails = (await (await fetch(`${url}/dev/outbox.json`)).json()) as OutboxMail[]
    return mails.find(({ to }) => to === email)
  })
  const [link] = /https?:\/\/\S+/.exec(mail.text) ?? []
  if (!link) throw new Error(`No link in the mail: ${mail.text}`)
  return link
}
