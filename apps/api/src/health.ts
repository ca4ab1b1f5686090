import { type Health, VOICE_PATHS, VoiceHealth } from '@parley/contract'
import { sql } from 'drizzle-orm'
import type { Floor } from './floor.ts'
import { version } from './platform/version.ts'

const VOICE_DEADLINE_MS = 1000

/** Whether work can be taken: the database answers and the voice service answers. */
export async function healthOf({ config, db, mailer }: Floor, draining: boolean): Promise<Health> {
  const [database, voice] = await Promise.all([databaseAnswers(db), askVoice(config.voice.url)])
  const ready = database && voice !== undefined && voice.status !== 'draining'
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
    },
  }
}

async function databaseAnswers(db: Floor['db']): Promise<boolean> {
  return db.execute(sql`select 1`).then(
    () => true,
    () => false,
  )
}

async function askVoice(url: string): Promise<VoiceHealth | undefined> {
  try {
    const answer = await fetch(url + VOICE_PATHS.health, { signal: AbortSignal.timeout(VOICE_DEADLINE_MS) })
    return VoiceHealth.parse(await answer.json())
  } catch {
    return undefined
  }
}
