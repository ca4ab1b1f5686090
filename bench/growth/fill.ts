import pg from 'pg'
import { adjust, LEDGER_SQL, openWallet } from '../../apps/api/src/credits/index.ts'
import { type Database, withTx } from '../../apps/api/src/platform/db.ts'
import { migrateDatabase } from '../../apps/api/src/platform/database/migrate.ts'
import { sentences } from './sentences.ts'

// Fills a database with calls of many accounts past the product's own triggers, and brings the figures in step after.

export interface Size {
  readonly calls: number
  readonly accounts: number
  /** Turns of each conversation; 0: transcripts alone, short ones. */
  readonly turns: number
  readonly movements: number
}

/** The part of all calls that the largest account has, in tenths. */
const LARGEST_TENTHS = 3
const SENTENCES = 4000
const SENTENCES_PER_CALL = 10
const SHORT_SENTENCES = 2
const CALLS_AT_ONCE = 20_000
const CONNECTIONS = 2
const CONTACTS = { largest: 10_000, small: 50 }
/** Accounts with credits, the first ones. */
const PAYING = 200
const MOVEMENTS_PER_TRANSACTION = 500
const FILLED = ['call', 'call_turn', 'call_event', 'call_summary', 'call_search', 'consent_audit']
/** Every so many calls one names this person. */
const SELDOM_EVERY = 1000
export const SELDOM = 'Quillfeather'

export const LARGEST = 'growth-0'
export const SMALL = 'growth-1'

/** How many calls each kind of account has. */
export function callsOf({ calls, accounts }: Size): { readonly largest: number; readonly small: number } {
  const largest = Math.floor((calls * LARGEST_TENTHS) / 10)
  return { largest, small: Math.floor((calls - largest) / (accounts - 1)) }
}

/** Filling takes minutes of single statements, so that it has a connection without their limit. */
export async function fill(database: Database, size: Size): Promise<void> {
  await migrateDatabase(database, { replayed: [LEDGER_SQL] })
  const settings = { session_replication_role: 'replica', maintenance_work_mem: '512MB', jit: 'off' }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const pool = new pg.Pool({ connectionString: database.url, max: CONNECTIONS, options: options.join(' ') })
  try {
    await fillAccounts(pool, size)
    await withoutIndexes(pool, FILLED, async () => {
      await fillCalls(pool, size)
      await fillSearch(pool)
    })
    await fillFigures(pool)
    await fillContacts(pool)
    await fillMovements(database, size)
    await pool.query('vacuum analyze')
  } finally {
    await pool.end()
  }
}

async function fillAccounts(pool: pg.Pool, { accounts }: Size): Promise<void> {
  await pool.query('create unlogged table growth_sentence (id integer primary key, text text not null)')
  await pool.query('insert into growth_sentence select o - 1, t from unnest($1::text[]) with ordinality as s (t, o)', [
    sentences(SENTENCES),
  ])
  await pool.query(
    `insert into "user" (id, name, email, email_verified)
     select 'growth-' || n, 'Person ' || n, 'growth-' || n || '@parley.example', true from generate_series(0, $1::int - 1) n`,
    [accounts],
  )
  await pool.query(`insert into user_settings (user_id) select id from "user"`)
}

/** The ids begin with the times, so that all tables must count from the same one. */
const FILLED_AT = new Date().toISOString()
/** A year of calls in the order of their ids, newest last; every account's are spread over it. */
const MADE = `select n, at, n % 4 = 0 as has_failed,
    'growth-' || case when n % 10 < ${LARGEST_TENTHS} then 0 else 1 + (hashint4(n) & 2147483647) % ($3::int - 1) end as user_id,
    (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
      || substr(md5(n::text), 4, 15))::uuid::text as id
  from (select n, date_trunc('milliseconds', timestamptz '${FILLED_AT}' - interval '1 hour' - ($4::int - n) * (interval '364 days' / $4::int)) as at
    from generate_series($1::int, $2::int) n) numbered`
const SAID = `(select string_agg(case k % 2 when 0 then 'Agent: ' else 'User: ' end || s.text, E'\\n' order by k)
  from generate_series(0, $5::int - 1) k join growth_sentence s on s.id = (hashint4(n * 16 + k) & 2147483647) % ${SENTENCES})`

const CALLS = `insert into call (id, user_id, callee, purpose, objectives, tone, voice_id, max_duration_minutes, context, language,
    on_behalf_of, record, status, phase, stage_at, heard_at, outcomes, transcript, summary, duration_seconds, credits_held,
    credits_charged, end_reason, end_message, created_at, connected_at, completed_at)
  select id, user_id, '+1202555' || lpad((n % 10000)::text, 4, '0'), 'Ask about ' || (n % 97) || ' tables', '["A table at 7 pm"]',
    'friendly', 'default', 5, '{}', 'en', 'Bench', false, case when has_failed then 'failed' else 'completed' end, 'ended', at, at,
    case when has_failed then '[]'::jsonb else '[{"objective": "A table at 7 pm", "status": "met", "quote": null, "offer": null}]' end,
    ${SAID} || case when n % ${SELDOM_EVERY} < 10 then E'\\nUser: Ask for Mrs ${SELDOM}.' else '' end || E'\\nAgent: Thank you, number R' || n || '.',
    case when has_failed then null else 'A table was agreed.' end, case when has_failed then 0 else 60 end, 5,
    case when has_failed then 0 else 1 end, case when has_failed then 'busy' when n % 7 = 0 then 'voicemail' else 'agent_closed' end,
    'The end.', at, at, at
  from (${MADE}) made`

const TURNS = `insert into call_turn (call_id, index, speaker, text, start_ms, end_ms, heard)
  select made.id, k, case k % 2 when 0 then 'agent' else 'user' end, s.text, k * 4000, k * 4000 + 3500, true
  from (${MADE}) made cross join generate_series(0, $5::int - 1) k
  join growth_sentence s on s.id = (hashint4(n * 16 + k) & 2147483647) % ${SENTENCES}`

const EVENTS = `insert into call_event (call_id, status, phase, at)
  select id, s.status, s.status, at from (${MADE}) made cross join (values ('dialing'), ('in_progress'), ('completed')) s (status)`

const SUMMARIES = `insert into call_summary (call_id, type, title, description, insights, next_steps, action_required)
  select id, 'success', 'Everything was achieved', 'A table was agreed.', '["A table was free"]', '[]', false
  from (${MADE}) made where not has_failed`

const AUDIT = `insert into consent_audit (user_id, kind, phone, call_id, at)
  select user_id, 'dialed', '+1202555' || lpad((n % 10000)::text, 4, '0'), id, at from (${MADE}) made`

async function fillCalls(pool: pg.Pool, { calls, accounts, turns }: Size): Promise<void> {
  const said = turns === 0 ? SHORT_SENTENCES : SENTENCES_PER_CALL
  const pieces = Array.from({ length: Math.ceil(calls / CALLS_AT_ONCE) }, (_, piece) => piece * CALLS_AT_ONCE).values()
  const worker = async () => {
    for (const from of pieces) {
      const range = [from + 1, Math.min(from + CALLS_AT_ONCE, calls), accounts, calls]
      await pool.query(CALLS, [...range, said])
      if (turns > 0) await pool.query(TURNS, [...range, turns])
      for (const insert of [EVENTS, SUMMARIES, AUDIT]) await pool.query(insert, range)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}

async function fillSearch(pool: pg.Pool): Promise<void> {
  await pool.query(
    `select add_month_partition('call_search', ((now() at time zone 'UTC') - make_interval(months => n))::date)
     from generate_series(0, 12) n`,
  )
  await pool.query(
    `insert into call_search (user_id, created_at, call_id, status, callee, words)
     select user_id, created_at, id, status, callee, concat_ws(E'\n', callee, purpose, transcript, summary) from call`,
  )
}

/** An index is made much faster over all rows at once than row by row. */
async function withoutIndexes(pool: pg.Pool, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
     where i.indrelid = any($1::regclass[]) and c.oid is null and not i.indisunique`,
    [tables.map((table) => `"${table}"`)],
  )
  for (const { name } of rows) await pool.query(`drop index ${name}`)
  await work()
  // Of a table in partitions: on all of them.
  for (const { definition } of rows) await pool.query(definition.replace(' ON ONLY ', ' ON '))
}

/** As the triggers would have kept them. */
async function fillFigures(pool: pg.Pool): Promise<void> {
  const columns = [
    'answered',
    'voicemail',
    'no_answer',
    'failed',
    'completed',
    'seconds',
    'completed_seconds',
    'credits',
  ]
  const outcomes = ['met', 'refused', 'open', 'met_within_limits', 'offered']
  const sums = [...columns, ...outcomes].map((column) => `sum((f).${column})`).join(', ')
  await pool.query(
    `insert into call_figure select (f).user_id, (f).at, ${sums} from (select call_figure_of(c) as f from call c offset 0) each group by 1, 2`,
  )
  const totals = columns.filter((column) => column !== 'seconds').join(', ')
  const ofTotals = totals.replaceAll(/\w+/g, 'sum($&)')
  await pool.query(
    `insert into call_total (user_id, ${totals}, summarized) select user_id, ${ofTotals}, sum(completed) from call_figure group by user_id`,
  )
}

async function fillContacts(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into contact (id, user_id, name, phone, company, created_at)
     select gen_random_uuid()::text, u.id, 'Person ' || n, '+1202555' || lpad(n::text, 4, '0'), 'Company ' || n % 100,
       now() - make_interval(secs => n)
     from "user" u cross join lateral generate_series(0, case u.id when $1 then $2::int else $3::int end - 1) n`,
    [LARGEST, CONTACTS.largest, CONTACTS.small],
  )
}

/** Through the books' own functions: nothing else may write there. */
async function fillMovements({ db }: Database, { accounts, movements }: Size): Promise<void> {
  const people = Array.from({ length: Math.min(accounts, PAYING) }, (_, index) => `growth-${index}`)
  for (const userId of people) {
    await withTx(db, async (tx) => {
      await openWallet(tx, userId)
      await adjust(tx, { userId, key: `adjust:growth-${userId}`, credits: 100_000, reason: 'For calls' })
    })
  }
  for (let from = 0; from < movements; from += MOVEMENTS_PER_TRANSACTION) {
    await withTx(db, async (tx) => {
      for (let n = from; n < Math.min(movements, from + MOVEMENTS_PER_TRANSACTION); n++)
        await adjust(tx, { userId: LARGEST, key: `adjust:growth-${n}`, credits: 1, reason: 'One more' })
    })
  }
}
