import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callsRoutes, reportsRoutes, pathOf } from '@parley/contract'
import autocannon from 'autocannon'
import { fastify } from 'fastify'
import pg from 'pg'
import { readConfig, type Server, startServer } from '../apps/api/src/server.ts'

// POST /api/calls and GET history, beside a bare handler that sends the same statements to the same database.

const ACCOUNTS = 80
const HISTORY_CALLS = 200
const CONNECTIONS = 8
const READ_SECONDS = 5
const ROUNDS = 3
const SECRET = 'a-bench-secret-of-thirty-two-characters'
const ORDER = {
  callee: '+12025550100',
  purpose: 'Book a table for two',
  objectives: ['A table at 7 pm'],
  maxDurationMinutes: 1,
}

interface Account {
  readonly userId: string
  readonly cookie: string
}
interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const voice = await startVoiceStandIn()
  const environment = {
    PORT: '0',
    DATA_DIR: dir,
    CALLING_HOURS: 'off',
    VOICE_URL: voice.url,
    VOICE_SECRET: SECRET,
    AUTH_SECRET: SECRET,
    LOG_LEVEL: 'silent',
    SIGN_IN_LIMIT_PER_MINUTE: '100000',
    REQUEST_LIMIT_PER_MINUTE: '100000000',
  }
  const api = await startServer(readConfig(environment))
  try {
    const accounts: Account[] = []
    for (let index = 0; index < ACCOUNTS; index++) accounts.push(await newAccount(api, `bench-${index}@parley.example`))
    await comparePlacing(api, accounts)
    await compareHistory(api, accounts[0] ?? fail('No account.'))
  } finally {
    await api.close()
    voice.close()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Every account places one call a round; live calls are bounded, so each round is as many calls as accounts. */
async function comparePlacing(api: Server, accounts: readonly Account[]): Promise<void> {
  const [first = fail('No account.'), ...others] = accounts
  const recorded = await captureStatements(() => place(api, first))
  const placed = recorded.result
  const bare = await startBare(api, recorded.statements)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await perSecond(others, (account) => place(api, account).then(() => undefined))
    const reference = await perSecond(others, (account) =>
      bare.run(swap(placed.id, randomUUID(), first.userId, account.userId)),
    )
    ratios.push(ours / reference)
    console.log(
      `POST /api/calls: ${ours.toFixed(0)}/s, bare handler with its ${recorded.statements.length} statements: ${reference.toFixed(0)}/s`,
    )
  }
  console.log(`POST /api/calls: ratio ${median(ratios).toFixed(2)} of bare`)
  await bare.close()
}

async function compareHistory(api: Server, account: Account): Promise<void> {
  await api.context.database.pool.query(
    `insert into call select copy.* from call, generate_series(1, $2) n,
       jsonb_populate_record(call, jsonb_build_object('id', gen_random_uuid()::text, 'status', 'completed',
         'completed_at', now(), 'end_reason', 'agent_closed', 'end_message', 'The end.', 'duration_seconds', 60,
         'credits_charged', 1, 'created_at', now() - make_interval(secs => n))) copy
     where call.id = (select id from call where user_id = $1 limit 1)`,
    [account.userId, HISTORY_CALLS],
  )
  const path = pathOf(reportsRoutes.calls, { id: account.userId })
  const recorded = await captureStatements(() => read(api.url + path, account))
  const bare = await startBare(api, recorded.statements)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await hammer(api.url + path, account)
    const reference = await hammer(`${bare.url}/`, account)
    ratios.push(ours / reference)
    console.log(
      `GET history of ${HISTORY_CALLS}: ${ours.toFixed(0)}/s, bare handler with its ${recorded.statements.length} statements: ${reference.toFixed(0)}/s`,
    )
  }
  console.log(`GET history: ratio ${median(ratios).toFixed(2)} of bare`)
  await bare.close()
}

async function newAccount(api: Server, email: string): Promise<Account> {
  const password = 'tell-nobody-of-herons'
  const userId = await api.context.accounts.addPerson({ fullName: 'Bench', email, password })
  const body = JSON.stringify({ email, password })
  const answer = await fetch(`${api.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!answer.ok) fail(await answer.text())
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  return { userId, cookie }
}

async function place(api: Server, { cookie }: Account): Promise<{ id: string }> {
  const headers = { 'content-type': 'application/json', cookie }
  const answer = await fetch(api.url + callsRoutes.place.path, { method: 'POST', headers, body: JSON.stringify(ORDER) })
  if (answer.status !== 201) fail(await answer.text())
  return callsRoutes.place.reply?.parse(await answer.json()) ?? fail('No reply shape.')
}

async function read(url: string, { cookie }: Account): Promise<string> {
  const answer = await fetch(url, { headers: { cookie } })
  if (!answer.ok) fail(await answer.text())
  return answer.text()
}

/** The statements that this process sends to PostgreSQL while `work` runs, on whichever connection. */
async function captureStatements<T>(work: () => Promise<T>): Promise<{ result: T; statements: Statement[] }> {
  const statements: Statement[] = []
  const query: unknown = Reflect.get(pg.Client.prototype, 'query')
  if (typeof query !== 'function') fail('The driver has no query method.')
  function recording(this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args
    const text = typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text') ?? '')
    const values: unknown = Array.isArray(second) ? second : Reflect.get(Object(first), 'values')
    if (!/advisory|"?jobs"?\.(?!job_common)/.test(text))
      statements.push({ text, values: Array.isArray(values) ? values : [] })
    return Reflect.apply(query as () => unknown, this, args)
  }
  Reflect.set(pg.Client.prototype, 'query', recording)
  try {
    return { result: await work(), statements }
  } finally {
    Reflect.set(pg.Client.prototype, 'query', query)
  }
}

/** A bare handler: one connection of the pool, the same statements in the same order, no parsing and no rules. */
async function startBare(api: Server, statements: readonly Statement[]) {
  const app = fastify()
  const run = async (change: (value: unknown) => unknown) => {
    const client = await api.context.database.pool.connect()
    try {
      for (const { text, values } of statements) await client.query(text, values.map(change))
    } finally {
      client.release()
    }
  }
  app.get('/', async () => {
    await run((value) => value)
    return { done: true }
  })
  app.post('/', async () => ({ done: true }))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const over = async (change: (value: unknown) => unknown) => {
    await Promise.all([
      run(change),
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(ORDER) }),
    ])
  }
  return { url, run: over, close: () => app.close() }
}

/** A recorded value for another call of another account; keys that carry either id follow. */
function swap(callId: string, newCallId: string, userId: string, newUserId: string) {
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(callId, newCallId).replaceAll(userId, newUserId)
    if (Array.isArray(value)) return value.map(change)
    return value
  }
  return change
}

async function perSecond<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<number> {
  const queue = [...items]
  const startedAt = performance.now()
  const worker = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  return items.length / ((performance.now() - startedAt) / 1000)
}

async function hammer(url: string, { cookie }: Account): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: READ_SECONDS, headers: { cookie } })
  if (result.non2xx > 0 || result.errors > 0) fail(`${result.non2xx} answers were not good, ${result.errors} failed.`)
  return result.requests.average
}

/** Accepts every order and never calls: the voice service is not measured. */
async function startVoiceStandIn(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const callId = /"callId":"([^"]+)"/.exec(body)?.[1] ?? ''
      response.writeHead(request.method === 'POST' ? 202 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ callId, clockSpeed: 1, live: true }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function fail(message: string): never {
  throw new Error(message)
}

await main()
