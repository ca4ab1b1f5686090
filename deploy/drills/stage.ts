import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Pool, type QueryResultRow } from 'pg'
import { freePort, type Person, type Running, runParley, signUp } from '../../apps/standalone/src/world.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'

const ALERTS = fileURLToPath(new URL('../prometheus/alerts.yaml', import.meta.url))
const OPS = fileURLToPath(new URL('../../apps/api/src/cli.ts', import.meta.url))
/** Few, so that the drill of full nodes is short. */
const CAPACITY = 2

/** A running product that a Prometheus watches. */
export interface Stage {
  readonly parley: Running
  readonly prometheus: Prometheus
  readonly internalPort: number
  /** As whoever repairs things by SQL. */
  readonly pool: Pool
  readonly sql: <T extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<T[]>
  /** `npm run ops -- …`; what it said, also where it failed. */
  readonly ops: (...args: readonly string[]) => Promise<string>
  /** Signed in; another one each time. */
  readonly person: () => Promise<Person>
  readonly close: () => Promise<void>
}

interface Drill {
  /** Where the usual product cannot show it: another one. */
  readonly open?: () => Promise<Stage>
  /** Makes the condition true. Returns what was done. */
  readonly begin: (stage: Stage) => Promise<string>
  /** What its page says to look at, and what was seen. */
  readonly look: (stage: Stage) => Promise<string>
  /** Does what the page says. Returns what that was. */
  readonly mend: (stage: Stage) => Promise<string>
  /** Whatever happened. */
  readonly after?: (stage: Stage) => Promise<void>
}
export type Drills = Readonly<Record<string, () => Drill>>

let people = 0

/** `start`: another product than the usual one, with these variables. */
export async function openStage(
  start: (environment: Record<string, string>) => Promise<Running> = (environment) => runParley(environment),
): Promise<Stage> {
  const [api, voice, internalPort] = [await freePort(), await freePort(), await freePort()]
  const parley = await start({
    METRICS_PORT: String(api),
    VOICE_METRICS_PORT: String(voice),
    INTERNAL_PORT: String(internalPort),
    CAPACITY: String(CAPACITY),
    LIVE_CALLS_PER_ACCOUNT: '20',
    LOG_LEVEL: 'warn',
  })
  const pool = await poolOf(parley.dataDir)
  const targets = { 'parley-api': `127.0.0.1:${api}`, 'parley-voice': `127.0.0.1:${voice}` }
  const prometheus = await startPrometheus(ALERTS, targets)
  return {
    parley,
    prometheus,
    internalPort,
    pool,
    sql: async <T extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<T>(text, [...values])).rows,
    ops: (...args) => operate(parley.dataDir, args),
    person: () => signUp(parley.url, `drill${++people}@parley.example`),
    async close() {
      await prometheus.stop()
      await pool.end()
      await parley.dispose()
    },
  }
}

async function poolOf(dataDir: string): Promise<Pool> {
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim()
  const port = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[3]
  const pool = new Pool({ connectionString: `postgres://app:${password}@127.0.0.1:${port}/parley`, max: 4 })
  pool.on('error', () => undefined)
  return pool
}

async function operate(dataDir: string, args: readonly string[]): Promise<string> {
  const { DATABASE_URL: _, ...environment } = process.env
  const env = { ...environment, DATA_DIR: dataDir }
  const said = await promisify(execFile)(process.execPath, [OPS, ...args], { env }).catch(
    (error: { readonly stdout?: string; readonly stderr?: string }) => error,
  )
  return `${said.stdout ?? ''}${said.stderr ?? ''}`.trim()
}

/** A pulse of a process: it stands still for a share of the time. Returns what ends it. */
export function pulse(pid: number, stillMs: number, runMs: number): () => void {
  let timer: NodeJS.Timeout
  const stand = () => {
    process.kill(pid, 'SIGSTOP')
    timer = setTimeout(go, stillMs)
  }
  const go = () => {
    process.kill(pid, 'SIGCONT')
    timer = setTimeout(stand, runMs)
  }
  stand()
  return () => {
    clearTimeout(timer)
    try {
      process.kill(pid, 'SIGCONT')
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Makes requests until it is told to stop; errors are what it is for. */
export function keepAsking(ask: () => Promise<unknown>, atOnce: number, pauseMs: number): () => Promise<void> {
  let isOn = true
  const one = async () => {
    while (isOn) {
      await ask().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const all = Array.from({ length: atOnce }, one)
  return async () => {
    isOn = false
    await Promise.all(all)
  }
}
