import type { PoolClient } from 'pg'
import { until } from '../../apps/standalone/src/world.ts'
import { type Drills, keepAsking, pulse, type Stage } from './stage.ts'

// The processes of the product, and their database.

const answers = async (url: string) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  return answer?.ok === true
}
const livez = (url: string) => answers(`${url}/livez`)

function missing(which: 'api' | 'voice'): ReturnType<Drills[string]> {
  let pid = 0
  const urlOf = ({ parley }: Stage) => (which === 'api' ? parley.url : parley.voiceUrl)
  return {
    async begin({ parley }) {
      pid = (await parley.pids())[which]
      process.kill(pid, 'SIGSTOP')
      return `The process of the ${which} was stopped (SIGSTOP): it was there and answered nothing.`
    },
    async look(stage) {
      const isThere = await livez(urlOf(stage))
      if (which === 'api') return `\`/livez\` ${isThere ? 'answered' : 'did not answer within 2 s'}.`
      const count = () => stage.prometheus.query('parley_voice_nodes_count{state="dead"}')
      await until('the node to count as dead', async () => (await count()) === '1', 60_000)
      return '`parley_voice_nodes_count{state="dead"}` was 1: the cluster saw it the same way.'
    },
    async mend(stage) {
      process.kill(pid, 'SIGKILL')
      await until('the process to answer again', () => livez(urlOf(stage)), 90_000)
      return 'kill -9; the supervisor started it again and it answered.'
    },
  }
}

/** Holds a lock like a statement that somebody forgot. */
async function lock({ pool }: Stage, table: string): Promise<PoolClient> {
  const client = await pool.connect()
  // It is ended from outside, and the pool waits for it no more.
  client.once('error', () => client.release(true))
  client.on('error', () => undefined)
  await client.query(`set application_name = 'forgotten'`)
  await client.query('begin')
  await client.query(`lock table "${table}" in access exclusive mode`)
  return client
}

const BLOCKERS = `select distinct unnest(pg_blocking_pids(pid)) as pid from pg_stat_activity
  where application_name = 'parley' and wait_event_type = 'Lock'`

async function endBlockers({ sql }: Stage): Promise<number> {
  const rows = await sql<{ ended: boolean }>(
    `select pg_terminate_backend(pid) as ended from pg_stat_activity where application_name = 'forgotten'`,
  )
  return rows.length
}

function figureNotRead(): ReturnType<Drills[string]> {
  let loggedBefore = 0
  return {
    async begin(stage) {
      loggedBefore = stage.parley.log().length
      await lock(stage, 'webhook_delivery')
      return 'A forgotten transaction held a lock on the table of webhook deliveries.'
    },
    async look({ parley, prometheus }) {
      const figures = await prometheus.query('sum by (figure) (increase(parley_figures_failed_total[40s])) > 0')
      const line = parley
        .log()
        .slice(loggedBefore)
        .split('\n')
        .find((each) => each.includes('a figure was not read'))
      const named = /"figure":"(\w+)"/.exec(line ?? '')?.[1]
      return `The counter had grown by ${figures}; the log line "a figure was not read" named \`${named}\`.`
    },
    async mend(stage) {
      await endBlockers(stage)
      return 'The transaction was ended with `pg_terminate_backend`.'
    },
  }
}

function poolExhausted(): ReturnType<Drills[string]> {
  let stop: () => Promise<void> = () => Promise.resolve()
  return {
    async begin(stage) {
      const person = await stage.person()
      await lock(stage, 'contact')
      stop = keepAsking(() => person.get(`/api/user/${person.user.id}/contacts`), 60, 50)
      return 'A forgotten transaction held a lock on the contacts while 60 pages asked for them.'
    },
    async look({ sql }) {
      const rows = await sql<{
        wait_event_type: string
      }>(`select pid, state, wait_event_type, now() - query_start as age,
        left(query, 80) from pg_stat_activity where application_name = 'parley' order by age desc limit 20`)
      const waiting = rows.filter(({ wait_event_type: type }) => type === 'Lock').length
      const blockers = await sql(BLOCKERS)
      return `The query of the page showed ${waiting} statements that wait for a lock; \`pg_blocking_pids\` named ${blockers.length} process.`
    },
    async mend(stage) {
      await endBlockers(stage)
      await stop()
      return 'That process was ended with `pg_terminate_backend`.'
    },
    after: () => stop(),
  }
}

function apiErrors(): ReturnType<Drills[string]> {
  let stop: () => Promise<void> = () => Promise.resolve()
  return {
    async begin({ person, sql }) {
      const someone = await person()
      await sql('alter table contact rename to contact_away')
      stop = keepAsking(() => someone.get(`/api/user/${someone.user.id}/contacts`), 2, 200)
      return 'The table of contacts was renamed while pages asked for it.'
    },
    async look({ parley, prometheus }) {
      const routes = await prometheus.query(
        'count(count by (route) (parley_http_request_seconds_count{status="5xx"} > 0))',
      )
      const { status } = (await (await fetch(`${parley.url}/health`)).json()) as { status: string }
      const isLogged = parley.log().includes('request failed')
      return `Routes with errors: ${routes}; \`/health\` said "${status}"; the line "request failed" was ${isLogged ? 'there' : 'missing'}.`
    },
    async mend({ sql }) {
      await sql('alter table contact_away rename to contact')
      return 'The table got its name back.'
    },
    async after() {
      await stop()
    },
  }
}

function voiceLate(): ReturnType<Drills[string]> {
  let end: () => void = () => undefined
  return {
    async begin({ parley }) {
      end = pulse((await parley.pids()).voice, 60, 60)
      return 'The voice service stood still for 60 of every 120 ms (SIGSTOP and SIGCONT).'
    },
    async look({ prometheus }) {
      const lag = await prometheus.query('parley_voice_nodejs_eventloop_lag_p99_seconds')
      return `Lateness p99 ${lag} s with ${await prometheus.query('parley_voice_legs_count')} calls.`
    },
    async mend({ parley }) {
      end()
      const { voice } = await parley.pids()
      process.kill(voice, 'SIGTERM')
      await until('another process', async () => (await parley.pids()).voice !== voice, 60_000)
      await until('the service to take calls again', () => answers(`${parley.voiceUrl}/readyz`), 90_000)
      return 'It was drained by SIGTERM, and started again by its supervisor.'
    },
    after: async () => end(),
  }
}

export const processes: Drills = {
  ApiMissing: () => missing('api'),
  VoiceMissing: () => missing('voice'),
  FigureNotRead: figureNotRead,
  PoolExhausted: poolExhausted,
  ApiErrors: apiErrors,
  VoiceLate: voiceLate,
}
