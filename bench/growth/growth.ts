import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../apps/api/src/config.ts'
import { type Context, createContext } from '../../apps/api/src/context.ts'
import { createDatabase, type Database } from '../../apps/api/src/platform/db.ts'
import { createLog } from '../../apps/api/src/platform/log/log.ts'
import { startEmbeddedPostgres } from '../../apps/api/src/platform/database/embedded.ts'
import { type ErasureCosts, measureErasure } from './erasure.ts'
import { fill, LARGEST, type Size } from './fill.ts'
import { type Figure, measureReads } from './reads.ts'
import { compareWrites, startVoiceStandIn, type WriteCosts } from './writes.ts'

export const PARTS = ['reads', 'writes', 'erasure'] as const
export type Part = (typeof PARTS)[number]

export interface Options extends Size {
  /** Calls of the database that placing and ending is compared with. */
  readonly smallCalls: number
  readonly requests: number
  readonly rounds: number
  readonly parts: readonly Part[]
  /** The server for the databases; undefined: an embedded one. */
  readonly databaseUrl: string | undefined
  readonly say: (line: string) => void
}

export interface Results {
  readonly bytes: number
  readonly reads: readonly Figure[]
  readonly writes: WriteCosts | undefined
  readonly erasure: ErasureCosts | undefined
}

const SECRET = 'a-bench-secret-of-thirty-two-characters'

export async function measureGrowth(options: Options): Promise<Results> {
  const { parts, say } = options
  const closing: (() => Promise<unknown> | void)[] = []
  try {
    const make = await openServer(options.databaseUrl, closing)
    const large = await make('growth')
    const seconds = await timed(() => fill(large, options))
    const bytes = await sizeOf(large)
    say(
      `${options.calls} calls of ${options.accounts} accounts in ${seconds.toFixed(0)} s, ${(bytes / 1e6).toFixed(0)} MB`,
    )
    const reads = parts.includes('reads') ? await measureReads(large, options.requests) : []
    for (const { name, p50, p95, found } of reads)
      say(`${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (${found} found)`)
    const voice = await startVoiceStandIn()
    closing.unshift(() => voice.close())
    const writes = parts.includes('writes') ? await writesIn(options, make, large, voice.url, closing) : undefined
    const erasure = parts.includes('erasure') ? await erasureIn(large, voice.url, closing, say) : undefined
    return { bytes, reads, writes, erasure }
  } finally {
    for (const close of closing) await close()
  }
}

type Make = (name: string) => Promise<Database>

/** Databases of their own, dropped at the end. */
async function openServer(databaseUrl: string | undefined, closing: (() => unknown)[]): Promise<Make> {
  let serverUrl = databaseUrl
  if (serverUrl === undefined) {
    const dir = await mkdtemp(join(tmpdir(), 'parley-growth-'))
    closing.unshift(() => rm(dir, { recursive: true, force: true }))
    const embedded = await startEmbeddedPostgres(dir, { durable: false })
    closing.unshift(() => embedded.stop())
    serverUrl = embedded.url
  }
  const url = new URL(serverUrl)
  const admin = createDatabase(url.href, { poolSize: 1 })
  closing.unshift(() => admin.close())
  return async (purpose) => {
    const name = `parley_${purpose}_${randomUUID().replaceAll('-', '')}`
    await admin.pool.query(`create database ${name}`)
    closing.unshift(() => admin.pool.query(`drop database if exists ${name} with (force)`))
    url.pathname = `/${name}`
    const database = createDatabase(url.href)
    closing.unshift(() => database.close())
    return database
  }
}

async function writesIn(
  options: Options,
  make: Make,
  large: Database,
  voiceUrl: string,
  closing: (() => unknown)[],
): Promise<WriteCosts> {
  const small = await make('small')
  await fill(small, { ...options, calls: options.smallCalls, movements: 0 })
  // As api alone: nothing else runs beside what is measured.
  const [one, other] = [await openContext(small, voiceUrl, 'api'), await openContext(large, voiceUrl, 'api')]
  const close = async () => {
    await one.close()
    await other.close()
  }
  closing.unshift(close)
  const costs = await compareWrites(one, other, options.rounds)
  closing.splice(closing.indexOf(close), 1)
  await close()
  const { placeMs, endMs } = costs
  const told = ([from, to]: readonly [number, number], ratio: number) =>
    `p50 ${from.toFixed(1)} ms of ${options.smallCalls} calls, ${to.toFixed(1)} ms of ${options.calls}: ratio ${ratio.toFixed(2)}`
  options.say(`placing a call: ${told(placeMs, costs.placeRatio)}`)
  options.say(`its facts, to the end: ${told(endMs, costs.endRatio)}`)
  return costs
}

async function erasureIn(
  large: Database,
  voiceUrl: string,
  closing: (() => unknown)[],
  say: Options['say'],
): Promise<ErasureCosts> {
  const context = await openContext(large, voiceUrl, 'all')
  closing.unshift(() => context.close())
  const costs = await measureErasure(context, LARGEST)
  const { seconds, statements, p99Ms, longest } = costs
  const text = longest.text.replaceAll(/\s+/g, ' ').slice(0, 100)
  say(`erasing the largest account: ${seconds.toFixed(1)} s, ${statements} statements, p99 ${p99Ms.toFixed(0)} ms`)
  say(`the longest: ${longest.ms.toFixed(0)} ms, ${text}`)
  return costs
}

async function openContext(database: Database, voiceUrl: string, role: 'all' | 'api'): Promise<Context> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-growth-'))
  const limits = { LIVE_CALLS_PER_ACCOUNT: '100000', CALLS_PER_HOUR: '100000', CREDITS_PER_DAY: '100000' }
  const config = readConfig({
    DATA_DIR: dir,
    DATABASE_URL: database.url,
    PARLEY_ROLE: role,
    VOICE_URL: voiceUrl,
    VOICE_SECRET: SECRET,
    AUTH_SECRET: SECRET,
    CALLING_HOURS: 'off',
    ...limits,
  })
  const context = await createContext(config, { log: createLog('silent') })
  await context.jobs.start()
  const close = async () => {
    await context.close()
    await rm(dir, { recursive: true, force: true })
  }
  return { ...context, close }
}

async function sizeOf({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]?.bytes ?? 0)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
