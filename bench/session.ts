import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes, creditsRoutes } from '@parley/contract'
import { readConfig, startServer } from '../apps/api/src/server.ts'

// The cost of the session lookup: a refused request with a known cookie beside one without a lookup.

const REQUESTS = 3000
const ROUNDS = 5
const PASSWORD = 'tell-nobody-of-herons'

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
  const limits = {
    REQUEST_LIMIT_PER_MINUTE: '10000000',
    SIGN_IN_LIMIT_PER_MINUTE: '10000000',
    KEY_LIMIT_PER_MINUTE: '10000000',
  }
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...secrets, ...limits })
  const server = await startServer(config)
  try {
    await server.context.accounts.addPerson({ fullName: 'Ada', email: 'ada@example.com', password: PASSWORD })
    const cookie = await signIn(server.url)
    // Another user's id: refused right after the session lookup.
    const known = () => ask(`${server.url}/api/user/somebody-else`, cookie, 404)
    const bare = () => ask(server.url + creditsRoutes.packages.path, cookie, 200)
    await compare(known, bare)
  } finally {
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(url + accountsRoutes.login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`The log-in was answered ${response.status}.`)
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
}

async function ask(url: string, cookie: string, expected: number): Promise<void> {
  const response = await fetch(url, { headers: { cookie } })
  await response.arrayBuffer()
  if (response.status !== expected) throw new Error(`${url} was answered ${response.status}.`)
}

async function compare(known: () => Promise<void>, bare: () => Promise<void>): Promise<void> {
  await millisecondsOf(known)
  const rounds: { known: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ bare: await millisecondsOf(bare), known: await millisecondsOf(known) })
  const median = rounds.toSorted((a, b) => a.known - a.bare - (b.known - b.bare))[Math.floor(ROUNDS / 2)]
  if (!median) return
  const added = (median.known - median.bare).toFixed(2)
  console.log(
    `with the look-up ${median.known.toFixed(2)} ms, without ${median.bare.toFixed(2)} ms: it adds ${added} ms, ratio ${(median.known / median.bare).toFixed(2)}`,
  )
}

/** Median ms of sequential requests, the value least affected by load. */
async function millisecondsOf(request: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let done = 0; done < REQUESTS; done++) {
    const startedAt = performance.now()
    await request()
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(REQUESTS / 2)] ?? 0
}

await main()
