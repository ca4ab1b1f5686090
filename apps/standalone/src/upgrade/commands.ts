import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Cluster } from '../chaos/cluster/cluster.ts'
import { ROOT } from '../chaos/cluster/programs.ts'
import { bareEnvironment } from '../chaos/config.ts'
import type { Person } from '../world.ts'

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  /** What it wrote on both streams. */
  readonly said: string
}

type Databased = Pick<Cluster, 'database' | 'dirs'>

/** Nothing of a checkout's .env file leads to another database. */
const databaseOf = ({ database, dirs }: Databased) => ({
  DATABASE_URL: database.url,
  DATABASE_DIRECT_URL: database.url,
  DATA_DIR: dirs.api,
})

/** `npm run migrate` of this version. */
export function migrate(cluster: Databased): Promise<Ended> {
  return runToEnd([join(ROOT, 'scripts/migrate.mjs')], { ...databaseOf(cluster), PARLEY_ENV: 'production' })
}

/** `npm run ops -- credits adjust` of a checkout. */
export async function giveCredits(root: string, cluster: Databased, person: Person, credits: number): Promise<void> {
  const args = ['credits', 'adjust', person.user.email, String(credits), '--reason', 'For an upgrade']
  const { code, said } = await runToEnd([join(root, 'apps/api/src/cli.ts'), ...args], databaseOf(cluster))
  if (code !== 0) throw new Error(`The previous release gave no credits: ${said}`)
}

/** Starts an api of a checkout beside those that run, which is expected to end by itself. */
export function startBeside(root: string, cluster: Databased): Promise<Ended> {
  const secret = 'a secret that nobody else has, at least 32 characters'
  const own = { PORT: '0', AUTH_SECRET: secret, VOICE_SECRET: secret }
  return runToEnd([join(root, 'apps/api/src/server.ts')], { ...databaseOf(cluster), ...own })
}

const LONGEST_MS = 120_000

async function runToEnd(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ended> {
  const env = { ...bareEnvironment(), ...environment }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  await once(child, 'close')
  return { code: child.exitCode, said }
}
