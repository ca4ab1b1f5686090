import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { batchesRoutes } from '@parley/contract'
import { deal, pace } from '../apps/api/src/batches/pacing/pacing.ts'
import { readConfig, startServer } from '../apps/api/src/server.ts'

// The cost of 100,000 rows by upload and by API, and of a look of the pacer.

const ROWS = 100_000
const EMAIL = 'bench@parley.example'
const PASSWORD = 'tell-nobody-of-herons'
/** Without a limit, Node delays garbage collection and the resident size says nothing. */
const HEAP_LIMITS = ['--max-old-space-size=220', '--max-semi-space-size=8']
const TICKS = 2000
const LISTS = 200

/** Valid numbers of many area codes. */
function phoneOf(index: number): string {
  const areas = [212, 305, 415, 512, 617, 702, 808, 907, 303, 312]
  return `+1${areas[index % areas.length]}${String(2_340_000 + Math.floor(index / areas.length)).padStart(7, '0')}`
}

async function main(): Promise<void> {
  if (process.send) return serve()
  pacing()
  const server = fork(fileURLToPath(import.meta.url), { execArgv: HEAP_LIMITS })
  const { url, cookie } = await new Promise<{ url: string; cookie: string }>((resolve) =>
    server.once('message', (said) => resolve(said as never)),
  )
  const memory = () =>
    new Promise<{ rss: number; most: number }>((resolve) => {
      server.once('message', (said) => resolve(said as never))
      server.send('memory')
    })
  const headers = { cookie, 'content-type': 'application/json' }
  for (const [name, path, type, body] of [
    ['a .csv file', '/api/batch-calls/import?fileName=people.csv', 'text/csv', csv()],
    ['a .json file', '/api/batch-calls/import?fileName=people.json', 'application/json', json()],
    ['a batch in JSON', batchesRoutes.create.path, 'application/json', batchJson()],
  ] as const) {
    const { rss } = await memory()
    const startedAt = performance.now()
    const answer = await fetch(url + path, { method: 'POST', headers: { ...headers, 'content-type': type }, body })
    const seconds = (performance.now() - startedAt) / 1000
    const said = (await answer.json()) as { contacts?: number; totalCalls?: number }
    const { most } = await memory()
    const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
    console.log(
      `${name} of ${mb(body.length)}: ${answer.status}, ${said.contacts ?? said.totalCalls} contacts in ${seconds.toFixed(1)} s; ` +
        `resident ${mb(rss)} before, at most ${mb(most)} meanwhile`,
    )
  }
  server.send('stop')
}

function csv(): string {
  const rows = Array.from(
    { length: ROWS },
    (_, index) => `${phoneOf(index)},Guest ${index},Room ${index % 400},"Smith, Jones & Sons"`,
  )
  return `phone,name,room,company\n${rows.join('\n')}\n`
}

function json(): string {
  return JSON.stringify(
    Array.from({ length: ROWS }, (_, index) => ({ phone: phoneOf(index), name: `Guest ${index}`, room: index % 400 })),
  )
}

function batchJson(): string {
  const calls = Array.from({ length: ROWS }, (_, index) => {
    return {
      callee: phoneOf(index),
      purpose: 'Ask how the stay was',
      objectives: ['A rating from 1 to 5'],
      context: { name: `Guest ${index}` },
    }
  })
  return JSON.stringify({
    name: 'Bench',
    description: '',
    calls,
    startAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
}

/** The api in its own process, with its own memory. Resident size is sampled every 20 ms. */
async function serve(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
  const config = readConfig({
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: dataDir,
    VOICE_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'silent',
    ...secrets,
  })
  const api = await startServer(config)
  await api.context.accounts.addPerson({ fullName: 'Ada', email: EMAIL, password: PASSWORD })
  const login = await fetch(`${api.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  const cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
  process.on('message', (asked) => {
    if (asked === 'memory') {
      process.send?.({ rss: process.memoryUsage.rss(), most })
      most = 0
      return
    }
    clearInterval(watching)
    void api
      .close()
      .then(() => rm(dataDir, { recursive: true, force: true }))
      .then(() => process.exit(0))
  })
  process.send?.({ url: api.url, cookie })
}

/** A pacer's look at 200 batches of 100 accounts, without the database. */
function pacing(): void {
  const now = new Date()
  const limits = { liveCallsPerAccount: 20, callsPerHour: 1000, creditsPerDay: 5000 }
  const times = Array.from({ length: TICKS }, () => {
    const startedAt = performance.now()
    const demands = Array.from({ length: LISTS }, (_, index) => {
      const pacing = { liveCallsMax: null, callsPerMinute: 600, minuteMs: 60_000 }
      const batch = { ...pacing, liveCalls: index % 7, dialedLastMinute: index % 50, firstOfMinute: now }
      const account = { limits, liveCalls: index % 9, callsLastHour: index, creditsLastDay: index }
      const { dial } = pace(batch, account, { contacts: 100_000, opensAt: null, nextRetryAt: null }, now)
      return { userId: `user${index % 100}`, batchId: `batch${index}`, dial }
    })
    deal(demands, 40, () => 10, 'user50')
    return performance.now() - startedAt
  }).toSorted((a, b) => a - b)
  const at = (part: number) => (times[Math.floor(TICKS * part)] ?? 0).toFixed(2)
  console.log(`a look of the pacer at ${LISTS} lists: median ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms`)
}

await main()
