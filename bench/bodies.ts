import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  accountsRoutes,
  BATCH_ORDER_MAX_BYTES,
  BATCH_ROWS_MAX,
  batchesRoutes,
  BODY_MAX_BYTES,
  callsRoutes,
  LIST_FILE_MAX_BYTES,
} from '@parley/contract'
import { readConfig, startServer } from '../apps/api/src/server.ts'

// Latency for others while one client sends bodies of maximum size, and the memory of such a body.

const ROUNDS = 3
const QUIET_MS = 5000
const BUSY_MS = 8000
const PAUSE_MS = 5
const WARM_REQUESTS = 300
const PEOPLE = { sender: 'sender@parley.example', other: 'other@parley.example' }
const PASSWORD = 'tell-nobody-of-herons'
/** As in batches.ts: without a limit the resident size includes garbage. */
const HEAP_LIMITS = ['--max-old-space-size=220', '--max-semi-space-size=8', '--expose-gc']

interface Body {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly text: string
  readonly status: number
}
type Cookies = Readonly<Record<keyof typeof PEOPLE, string>>

async function main(): Promise<void> {
  if (process.send) return serve()
  for (const body of bodies()) await measure(body)
}

/** Each in its own process, so that garbage of one body does not count for the next. */
async function measure(body: Body): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), { execArgv: HEAP_LIMITS })
  const { url, cookies } = await said<{ url: string; cookies: Cookies }>(server)
  const other = () => ask(url + accountsRoutes.currentUser.path, { headers: { cookie: cookies.other } }, 200)
  const { path, type, text, status } = body
  const post = () => {
    const headers = { cookie: cookies.sender, 'content-type': type, 'content-length': String(text.length) }
    return ask(url + path, { method: 'POST', headers, body: text }, status)
  }
  for (let warm = 0; warm < WARM_REQUESTS; warm++) await other()
  const multiple = await multipleOf(server, post, text.length)
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await compare(other, post))
  console.log(report(body, rounds, multiple))
  server.send('stop')
}

/** Each of maximum size and of the most expensive shape. */
function bodies(): Body[] {
  const newCall = { callee: '+12025550100', purpose: 'Ask', context: { list: ['EMPTY'] } }
  const json = filled(JSON.stringify(newCall).replace('"EMPTY"', '{}'), ',{}', BODY_MAX_BYTES, '{}')
  const rest = (width: number, index: number) => String(index).padEnd(width, ' x')
  const csvRow = Math.floor(LIST_FILE_MAX_BYTES / BATCH_ROWS_MAX) - 1
  const csv = Array.from({ length: BATCH_ROWS_MAX - 1 }, (_, index) => `${phoneOf(index)},${rest(csvRow - 13, index)}`)
  const callWidth = Math.floor(BATCH_ORDER_MAX_BYTES / BATCH_ROWS_MAX) - 1
  const call = (index: number) => ({
    callee: phoneOf(index),
    purpose: 'Ask how the stay was',
    objectives: ['A rating from 1 to 5'],
    context: { name: '' },
  })
  const calls = Array.from({ length: BATCH_ROWS_MAX - 10 }, (_, index) => {
    const bare = call(index)
    return { ...bare, context: { name: rest(callWidth - JSON.stringify(bare).length, index) } }
  })
  const startAt = new Date(Date.now() + 24 * 3_600_000).toISOString()
  return [
    {
      name: 'JSON of many empty objects',
      path: callsRoutes.place.path,
      type: 'application/json',
      text: json,
      status: 400,
    },
    {
      name: 'a .csv file',
      path: `${batchesRoutes.import.path}?fileName=people.csv`,
      type: 'text/csv',
      text: `phone,name\n${csv.join('\n')}\n`,
      status: 201,
    },
    {
      name: 'a batch of calls',
      path: batchesRoutes.create.path,
      type: 'application/json',
      text: JSON.stringify({ name: 'Bench', calls, startAt }),
      status: 201,
    },
  ]
}

function filled(text: string, more: string, bytes: number, after: string): string {
  const at = text.indexOf(after) + after.length
  return text.slice(0, at) + more.repeat(Math.floor((bytes - text.length) / more.length)) + text.slice(at)
}

/** Valid numbers of many area codes. */
function phoneOf(index: number): string {
  const areas = [212, 305, 415, 512, 617, 702, 808, 907, 303, 312]
  return `+1${areas[index % areas.length]}${String(2_340_000 + Math.floor(index / areas.length)).padStart(7, '0')}`
}

async function ask(url: string, init: RequestInit, expected: number): Promise<void> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (answer.status !== expected) throw new Error(`${url} was answered ${answer.status}: ${text.slice(0, 300)}`)
}

interface Round {
  readonly quiet: number
  readonly busy: number
  readonly sent: number
  readonly seconds: number
}

async function compare(other: () => Promise<void>, post: () => Promise<void>): Promise<Round> {
  const quietUntil = performance.now() + QUIET_MS
  const quiet = p95(await timesOf(other, () => performance.now() < quietUntil))
  const startedAt = performance.now()
  let sending = true
  let sent = 0
  const sender = (async () => {
    do {
      await post()
      sent++
    } while (performance.now() - startedAt < BUSY_MS)
  })().finally(() => (sending = false))
  const busy = p95(await timesOf(other, () => sending))
  await sender
  return { quiet, busy, sent, seconds: (performance.now() - startedAt) / 1000 }
}

async function timesOf(request: () => Promise<void>, goesOn: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (goesOn()) {
    const startedAt = performance.now()
    await request()
    times.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return times
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
}

/** Peak growth of the process during one body, as a multiple of its bytes. */
async function multipleOf(server: ChildProcess, post: () => Promise<void>, bytes: number): Promise<number> {
  let most = 0
  for (let round = 0; round < ROUNDS; round++) {
    const before = await memoryOf(server)
    await post()
    most = Math.max(most, (await memoryOf(server)).most - before.rss)
  }
  return most / bytes
}

async function memoryOf(server: ChildProcess): Promise<{ rss: number; most: number }> {
  const answer = said<{ rss: number; most: number }>(server)
  server.send('memory')
  return answer
}

/** The message types of the channel are those written below, so the cast holds. */
function said<T>(server: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('The api ended.'))
    server.once('exit', ended)
    server.once('message', (message) => {
      server.off('exit', ended)
      resolve(message as T)
    })
  })
}

function report({ name, text }: Body, rounds: readonly Round[], multiple: number): string {
  const middle = rounds.toSorted((a, b) => a.busy / a.quiet - b.busy / b.quiet)[Math.floor(rounds.length / 2)]
  if (!middle) return name
  const { quiet, busy, sent, seconds } = middle
  return (
    `${name}, ${(text.length / 1024 ** 2).toFixed(1)} MB, ${sent} in ${seconds.toFixed(1)} s: others' p95 ${busy.toFixed(1)} ms beside ` +
    `${quiet.toFixed(1)} ms without, ratio ${(busy / quiet).toFixed(1)}; memory at most ${multiple.toFixed(1)} times its bytes`
  )
}

/** The api in its own process, with its own memory. Resident size is sampled every 10 ms. */
async function serve(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
  const limits = { REQUEST_LIMIT_PER_MINUTE: '10000000', SIGN_IN_LIMIT_PER_MINUTE: '10000000' }
  const api = await startServer(
    readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      VOICE_URL: 'http://127.0.0.1:9',
      LOG_LEVEL: 'silent',
      ...secrets,
      ...limits,
    }),
  )
  const signIn = async (email: string): Promise<string> => {
    await api.context.accounts.addPerson({ fullName: 'Ada', email, password: PASSWORD })
    const body = JSON.stringify({ email, password: PASSWORD })
    const answer = await fetch(api.url + accountsRoutes.login.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
  }
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10)
  process.on('message', (asked) => {
    if (asked === 'memory') {
      const seen = most
      globalThis.gc?.()
      most = 0
      return void process.send?.({ rss: process.memoryUsage.rss(), most: seen })
    }
    clearInterval(watching)
    void api
      .close()
      .then(() => rm(dataDir, { recursive: true, force: true }))
      .then(() => process.exit(0))
  })
  process.send?.({ url: api.url, cookies: { sender: await signIn(PEOPLE.sender), other: await signIn(PEOPLE.other) } })
}

await main()
