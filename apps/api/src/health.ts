import type { Health, Readiness, VoiceHealth } from '@parley/contract'
import { sql } from 'drizzle-orm'
import type { CallsRoom } from './calls/index.ts'
import type { Floor } from './floor.ts'
import { version } from './platform/process/version.ts'

const PART_DEADLINE_MS = 1000

type Voice = CallsRoom['voice']

/** Whether work can be taken: the database and a voice node answer, and there is room to write. */
export async function healthOf(
  { config, db, disk, mailer, calls }: Floor & { readonly calls: Pick<CallsRoom, 'voice'> },
  draining: boolean,
): Promise<Health> {
  const [database, voice, room] = await Promise.all([databaseAnswers(db), bestOf(calls.voice), disk.state()])
  const ready = database && room !== 'full' && voice !== undefined && voice.status !== 'draining'
  return {
    status: draining ? 'draining' : ready ? 'ok' : 'degraded',
    version,
    parts: {
      database: database ? (config.databaseUrl === undefined ? 'embedded' : 'postgres') : 'unreachable',
      voice: voice?.status ?? 'unreachable',
      carrier: voice?.carrier ?? config.voice.carrier,
      mind: voice?.mind ?? config.voice.mind,
      payments: config.payments.kind,
      mail: mailer.kind,
      disk: room === 'full' ? 'full' : 'ok',
    },
  }
}

/**
 * Without its database nothing is answered. Without the voice service everything is but the placing of calls, so that
 * does not count here.
 */
export async function readinessOf({ db }: Pick<Floor, 'db'>, draining: boolean): Promise<Readiness> {
  if (draining) return { status: 'not_ready', reason: 'It is stopping.' }
  if (await databaseAnswers(db)) return { status: 'ready', reason: null }
  return { status: 'not_ready', reason: 'The database does not answer.' }
}

async function databaseAnswers(db: Floor['db']): Promise<boolean> {
  const answers = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  )
  return Promise.race([answers, after(PART_DEADLINE_MS, false)])
}

function after<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => void setTimeout(resolve, ms, value).unref())
}

const BEST_FIRST = ['ok', 'full', 'draining'] as const

/** The best status of the voice nodes: work can be taken when one of them takes it. */
async function bestOf(voice: Voice): Promise<VoiceHealth | undefined> {
  const healths = await voice.healths()
  return BEST_FIRST.map((status) => healths.find((each) => each?.status === status)).find((each) => each !== undefined)
}
