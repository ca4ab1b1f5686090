import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contactsRoutes, pathOf, reportsRoutes, type Route } from '@parley/contract'
import pg from 'pg'
import { readConfig, type Server, startServer } from '../apps/api/src/server.ts'

// Response times for a user with 100,000 calls and 10,000 contacts, beside the bare statements.

const CALLS = 100_000
const CALLS_AT_ONCE = 10_000
const CONTACTS = 10_000
const REQUESTS = 60
const SECRET = 'a-bench-secret-of-thirty-two-characters'

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const environment = {
    PORT: '0',
    DATA_DIR: dir,
    VOICE_SECRET: SECRET,
    AUTH_SECRET: SECRET,
    LOG_LEVEL: 'silent',
    REQUEST_LIMIT_PER_MINUTE: '100000000',
  }
  const api = await startServer(readConfig(environment))
  try {
    const { userId, cookie } = await newAccount(api)
    const startedAt = performance.now()
    await fill(api, userId)
    console.log(`${CALLS} calls and ${CONTACTS} contacts in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    const ask = (name: string, route: Pick<Route, 'path'>, query = '') =>
      measure(api, name, { url: `${api.url}${pathOf(route, { id: userId })}${query}`, cookie })
    await ask('totals', reportsRoutes.stats)
    await ask('analytics of 30 days', reportsRoutes.analytics)
    await ask('analytics of 366 days', reportsRoutes.analytics, `?from=${daysAgo(365)}&until=${daysAgo(0)}`)
    await ask('history', reportsRoutes.calls)
    await ask('failed calls', reportsRoutes.calls, '?status=failed')
    await ask('completed calls', reportsRoutes.calls, '?status=completed')
    await ask('running calls', reportsRoutes.calls, '?status=in_progress')
    await ask('calls with words that all have', reportsRoutes.calls, '?q=table')
    await ask('calls with rare words', reportsRoutes.calls, '?q=terrace+77')
    await ask('calls to a number', reportsRoutes.calls, '?callee=%2B12025550123')
    await ask('summaries', reportsRoutes.summaries, '?limit=6')
    await ask('contacts', contactsRoutes.list)
    await ask('contacts with words', contactsRoutes.list, '?q=person+77')
  } finally {
    await api.close()
    await rm(dir, { recursive: true, force: true })
  }
}

async function newAccount(api: Server): Promise<{ userId: string; cookie: string }> {
  const [email, password] = [`${randomUUID()}@parley.example`, 'tell-nobody-of-herons']
  const userId = await api.context.accounts.addPerson({ fullName: 'Bench', email, password })
  const body = JSON.stringify({ email, password })
  const answer = await fetch(`${api.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!answer.ok) throw new Error(await answer.text())
  const cookies = answer.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  return { userId, cookie: cookies.join('; ') }
}

/** A year of calls, most of them by day, each with a conversation of some 600 characters. */
async function fill({ context }: Server, userId: string): Promise<void> {
  const { pool } = context.database
  for (let filled = 0; filled < CALLS; filled += CALLS_AT_ONCE) {
    await pool.query(
      `insert into call (id, user_id, callee, purpose, objectives, tone, voice_id, max_duration_minutes, context, language, on_behalf_of, record,
       status, phase, stage_at, heard_at, outcomes, transcript, summary, duration_seconds, credits_held, credits_charged, end_reason, end_message,
       created_at, connected_at, completed_at)
     select gen_random_uuid()::text, $1, '+1202555' || lpad((n % 10000)::text, 4, '0'), 'Book a table for two', '["A table at 7 pm"]', 'friendly',
       'default', 5, '{}', 'en', 'Bench', false, case when n % 4 = 0 then 'failed' else 'completed' end, 'ended', at, at,
       case when n % 4 = 0 then '[]'::jsonb else jsonb_build_array(jsonb_build_object('objective', 'A table at 7 pm', 'status', 'met')) end,
       repeat('Agent: Good evening, is there a table? User: Let me look. ', 10) || 'On the terrace ' || n,
       case when n % 4 = 0 then null else 'A table was agreed.' end,
       case when n % 4 = 0 then 0 else 60 end, 5, case when n % 4 = 0 then 0 else 1 end,
       case when n % 4 = 0 then 'busy' when n % 7 = 0 then 'voicemail' else 'agent_closed' end, 'The end.', at, at, at
     from (select n, date_trunc('milliseconds', now() - make_interval(mins => n * 5)) as at from generate_series($2::int + 1, $2::int + $3::int) n) as made`,
      [userId, filled, CALLS_AT_ONCE],
    )
  }
  await pool.query(
    `insert into call_summary (call_id, type, title, description, insights, next_steps, action_required)
     select id, 'success', 'Everything was achieved', summary, '["A table was free"]', '["Be there at 7 pm"]', false
     from call where user_id = $1 and status = 'completed'`,
    [userId],
  )
  await pool.query(
    `insert into contact (id, user_id, name, phone, company, created_at)
     select gen_random_uuid()::text, $1, 'Person ' || n, '+1202555' || lpad(n::text, 4, '0'), 'Company ' || n % 100, now() - make_interval(secs => n)
     from generate_series(0, $2::int - 1) n`,
    [userId, CONTACTS],
  )
  await pool.query('vacuum analyze call')
  await pool.query('vacuum analyze call_figure')
  await pool.query('vacuum analyze call_summary')
  await pool.query('vacuum analyze contact')
}

async function measure(
  api: Server,
  name: string,
  { url, cookie }: { readonly url: string; readonly cookie: string },
): Promise<void> {
  const read = async () => {
    const answer = await fetch(url, { headers: { cookie } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
  }
  const statements = await captureStatements(read)
  const bare = async () => {
    for (const { text, values } of statements) await api.context.database.pool.query(text, [...values])
  }
  const [ours, reference] = [await times(read), await times(bare)]
  const figures = [p95(ours), p95(reference)].map((ms) => `${ms.toFixed(1)} ms`)
  console.log(`${name}: p95 ${figures[0]}, its ${statements.length} statements bare ${figures[1]}`)
}

/** The statements that this process sends to PostgreSQL while `work` runs. */
async function captureStatements(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  const query: unknown = Reflect.get(pg.Client.prototype, 'query')
  if (typeof query !== 'function') throw new Error('The driver has no query method.')
  function recording(this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args
    const text = typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text') ?? '')
    const values: unknown = Array.isArray(second) ? second : Reflect.get(Object(first), 'values')
    if (/from "(call|call_figure|call_total|contact)"/.test(text))
      statements.push({ text, values: Array.isArray(values) ? values : [] })
    return Reflect.apply(query as () => unknown, this, args)
  }
  Reflect.set(pg.Client.prototype, 'query', recording)
  try {
    await work()
    return statements
  } finally {
    Reflect.set(pg.Client.prototype, 'query', query)
  }
}

async function times(work: () => Promise<void>): Promise<number[]> {
  const taken: number[] = []
  for (let request = 0; request < REQUESTS; request++) {
    const startedAt = performance.now()
    await work()
    taken.push(performance.now() - startedAt)
  }
  return taken
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10)
}

await main()
