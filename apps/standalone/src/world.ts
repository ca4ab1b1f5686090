import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  accountsRoutes,
  type Asked,
  type Call,
  type CallDetails,
  callsRoutes,
  type NewCall,
  type OutboxMail,
  type Parsed,
  requestOf,
  type Route,
  type Sent,
  type User,
} from '@parley/contract'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const POLL_MS = 50
/** Of a product of tests, until it answers. */
export const START_MS = 90_000
const PORT_MIN = 20_000
const PORT_MAX = 32_000
/** Each parallel test worker takes its ports from its own eighth. */
const PORT_EIGHTH = (PORT_MAX - PORT_MIN) / 8
const PORT_FIRST = PORT_MIN + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 8) * PORT_EIGHTH
const PORT_ATTEMPTS = 100

/** A running Parley. */
export interface World {
  readonly url: string
  readonly voiceUrl: string
  readonly dataDir: string
}

/** A whole Parley in processes of its own, as `npm start` runs it, on free ports and with data of its own. */
export interface Running extends World {
  readonly log: () => string
  /** Process ids: main is the supervisor; it or the api keeps the others running. */
  pids(): Promise<{ main: number; api: number; voice: number; postgres: number }>
  /** kill -9 of the processes; main includes the api, so that neither is restarted. */
  kill(...names: readonly ('main' | 'api' | 'voice' | 'postgres')[]): Promise<void>
  /** As Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Starts it again on the same data and ports. */
  start(): Promise<void>
  /** Stops it and removes its data. */
  dispose(): Promise<void>
}

/** The data of a stopped Parley, copied by later ones so that each need not create a database. */
const TEMPLATE = 'PARLEY_DATA_TEMPLATE'

/** Options of Node for every later product of tests, as in NODE_OPTIONS. */
const PRODUCT_OPTIONS = 'PARLEY_TEST_NODE_OPTIONS'
const LIGHT_PASSWORDS = `--import=${new URL('../../api/src/platform/light-passwords.ts', import.meta.url).href}`

/**
 * Makes the data template of every later `runParley` of this process and its children. Returns a function that removes
 * it.
 */
export async function makeDataTemplate(): Promise<() => Promise<void>> {
  addProductOption(LIGHT_PASSWORDS)
  const parley = await runParley()
  await parley.stop()
  process.env[TEMPLATE] = parley.dataDir
  return async () => {
    delete process.env[TEMPLATE]
    delete process.env[PRODUCT_OPTIONS]
    await rm(parley.dataDir, { recursive: true, force: true })
  }
}

/** An option of Node for every later `runParley` of this process and its children. */
export function addProductOption(option: string): void {
  process.env[PRODUCT_OPTIONS] = [process.env[PRODUCT_OPTIONS], option].filter(Boolean).join(' ')
}

/**
 * Of the environment of a process of this checkout's product: the options that tests have added. A hash is verified at
 * the cost that it was made at, which is the real one where processes without these options make some.
 */
export function productOptions({ hashesLightly = true } = {}): { readonly NODE_OPTIONS?: string } {
  const options = process.env[PRODUCT_OPTIONS]?.split(' ') ?? []
  const wanted = options.filter((option) => hashesLightly || option !== LIGHT_PASSWORDS)
  return wanted.length === 0 ? {} : { NODE_OPTIONS: wanted.join(' ') }
}

/** `args` are those of `npm start --`. */
export async function runParley(
  environment: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-'))
  const options = productOptions()
  await beginWithTemplate(dataDir)
  const [port, voicePort, internalPort] = [await freePort(), await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const voiceUrl = `http://127.0.0.1:${voicePort}`
  let child: ChildProcess | undefined
  let log = ''

  const start = async () => {
    const { DATABASE_URL: _, REDIS_URL: __, SMTP_URL: ___, [TEMPLATE]: ____, ...inherited } = process.env
    const own = { INTERNAL_PORT: String(internalPort), PAYMENTS_SANDBOX_PORT: String(await freePort()) }
    const ports = { PORT: String(port), VOICE_PORT: String(voicePort), ...own }
    const env = { ...inherited, ...options, CALLING_HOURS: 'off', DATA_DIR: dataDir, ...ports, ...environment }
    const started = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (log += text))
    await until(
      'the product to answer',
      async () => {
        if (started.exitCode !== null) throw new Error(`Parley ended with code ${started.exitCode}:\n${log}`)
        return (await fetch(`${url}/health`).catch(() => undefined))?.ok === true
      },
      START_MS,
    )
  }
  const pids = () => pidsOf(child?.pid ?? 0, dataDir)
  const running: Running = {
    url,
    voiceUrl,
    dataDir,
    log: () => log,
    pids,
    start,
    async kill(...names) {
      const all = await pids()
      const gone = names.includes('main') ? exited(child) : Promise.resolve(null)
      for (const name of names) process.kill(all[name], 'SIGKILL')
      if (names.includes('main')) process.kill(all.api, 'SIGKILL')
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

async function pidsOf(main: number, dataDir: string): ReturnType<Running['pids']> {
  const postgres = Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])
  // A process that has just ended has no command line and is restarted.
  const childThatRuns = (entry: string) =>
    until(`a process of ${entry}`, async () =>
      firstWhere(await childrenOf(main), async (pid) =>
        (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(entry),
      ),
    )
  return {
    main,
    api: await childThatRuns('/standalone/src/api-process.ts'),
    voice: await childThatRuns('/standalone/src/voice-process.ts'),
    postgres,
  }
}

/**
 * Copies the data template, where there is one, to an empty folder. Keeps owners: a database belongs to the user of its
 * server. Resets its age, which decides on the first backup.
 */
export async function beginWithTemplate(dataDir: string): Promise<void> {
  const { [TEMPLATE]: template } = process.env
  if (template === undefined) return
  await promisify(execFile)('cp', ['-a', '--reflink=auto', `${template}/.`, dataDir])
  const now = new Date()
  await utimes(join(dataDir, 'postgres/password'), now, now)
}

async function exited(child: ChildProcess | undefined): Promise<number | null> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
  return new Promise((resolve) => child.once('exit', resolve))
}

async function childrenOf(pid: number): Promise<number[]> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
}

async function firstWhere(
  pids: readonly number[],
  matches: (pid: number) => Promise<boolean>,
): Promise<number | undefined> {
  for (const pid of pids) if (await matches(pid)) return pid
  return undefined
}

const givenPorts = new Set<number>()

/**
 * Below the ephemeral range, so that no outgoing connection takes it; never the same port twice, because a stopped
 * product comes back to its own.
 */
export async function freePort(): Promise<number> {
  return freePorts([0])
}

/** A free port whose neighbours at the given distances are free too. */
export async function freePorts(distances: readonly number[]): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const first = randomInt(PORT_FIRST, PORT_FIRST + PORT_EIGHTH - Math.max(...distances))
    const ports = distances.map((distance) => first + distance)
    const free = await Promise.all(ports.map(async (port) => !givenPorts.has(port) && isFree(port)))
    if (free.includes(false)) continue
    for (const port of ports) givenPorts.add(port)
    return first
  }
  throw new Error(`No free port from ${PORT_FIRST} on.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((done) => {
    server.once('error', () => done(false)).listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}

/** Polls until `ask` returns a value; throws with `what` after the timeout (ms). */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | undefined>,
  timeoutMs = 40_000,
  everyMs = POLL_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

type Shape = Route['body']

/** A signed-in user as an HTTP client with a cookie. */
export interface Person {
  readonly user: User
  readonly cookie: string
  /** Typed by the contract; throws for an answer that is not ok. */
  request<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
    route: Route<P, Q, B, R>,
    asked: Asked<P, Q, B>,
  ): Promise<Parsed<R>>
  get<T>(path: string): Promise<T>
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  place(callee: string, more?: Partial<Sent<typeof NewCall>>): Promise<Call>
  ended(callId: string, timeoutMs?: number): Promise<CallDetails>
  balance(): Promise<number>
}

/**
 * `proven`: the cookie of the browser that opened the mailed link; elsewhere the first login asks for a mailed code.
 */
export async function signIn(url: string, email: string, password: string, proven = ''): Promise<Person> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie: proven },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`Login answered ${response.status}: ${await response.text()}`)
  const { user } = (await response.json()) as { user: User }
  return personWith(url, cookiesOf(response), user)
}

/** A person who is signed in already: `cookie` is the session's. */
export function personWith(url: string, cookie: string, user: User): Person {
  const headers = { cookie, origin: url }
  const answered = async (path: string, init: RequestInit) => {
    const answer = await fetch(url + path, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string>) },
    })
    if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json() as Promise<unknown>
  }
  const request: Person['request'] = async (route, asked) => {
    const { path, ...init } = requestOf(route, asked)
    // The route's own schema parses it, so the type is what the contract says.
    return route.reply?.parse(await answered(path, init)) as never
  }
  const get = async <T>(path: string): Promise<T> => (await answered(path, {})) as T
  const send = async (method: string, path: string, body: unknown, more: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
  return {
    user,
    cookie,
    request,
    get,
    send,
    place: async (callee, more = {}) =>
      request(callsRoutes.place, {
        body: { callee, purpose: 'Book a table for two', objectives: ['A table at 7 pm'], ...more },
      }),
    ended: (callId, timeoutMs) =>
      until(
        `call ${callId} to end`,
        async () => {
          const call = await request(callsRoutes.get, { params: { id: callId } })
          return call.completedAt !== null && call
        },
        timeoutMs,
      ),
    balance: async () => Number((await request(accountsRoutes.currentUser, {})).creditBalance),
  }
}

/** Registers, follows the mailed link and signs in. `mails`: where the link is, the newest first. */
export async function signUp(
  url: string,
  email: string,
  password = 'correct horse battery',
  mails: Mails = () => storedMails(url),
): Promise<Person> {
  const post = (path: string, body: unknown) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(body),
    })
  const registered = await post('/api/auth/register', { name: 'Ada Lovelace', email, password })
  if (registered.status !== 201)
    throw new Error(`Registering answered ${registered.status}: ${await registered.text()}`)
  const link = await linkIn(mails, email)
  const verified = await fetch(`${url}/api/auth/verify-email?token=${new URL(link).searchParams.get('token')}`)
  if (!verified.ok) throw new Error(`Verifying answered ${verified.status}`)
  return signIn(url, email, password, cookiesOf(verified))
}

function cookiesOf(response: Response): string {
  const given = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
  // A cookie without a value is a deletion.
  return given.filter((each) => !each.endsWith('=')).join('; ')
}

/** The mails of the outbox, newest first. */
export async function storedMails(url: string): Promise<OutboxMail[]> {
  const response = await fetch(`${url}/dev/outbox.json`)
  if (!response.ok) throw new Error(`The outbox answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as OutboxMail[]
}

/** The link of the newest mail to an address. */
export function mailedLink(url: string, email: string): Promise<string> {
  return linkIn(() => storedMails(url), email)
}

type Mails = () => Promise<readonly OutboxMail[]>

async function linkIn(mails: Mails, email: string): Promise<string> {
  const mail = await until(`a mail to ${email}`, async () => (await mails()).find(({ to }) => to === email))
  const [link] = /https?:\/\/\S+/.exec(mail.text) ?? []
  if (!link) throw new Error(`No link in the mail: ${mail.text}`)
  return link
}
