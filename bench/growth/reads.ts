import { CallsQuery, LIST_LIMIT_DEFAULT } from '@parley/contract'
import { listContacts } from '../../apps/api/src/contacts/contacts.ts'
import { statement } from '../../apps/api/src/credits/index.ts'
import type { Database } from '../../apps/api/src/platform/db.ts'
import { encodeCursor } from '../../apps/api/src/platform/pages.ts'
import { readAnalytics } from '../../apps/api/src/reports/analytics.ts'
import { readStats, readUsage } from '../../apps/api/src/reports/figures.ts'
import { listCalls, listSummaries } from '../../apps/api/src/reports/history.ts'
import { LARGEST, SELDOM, SMALL } from './fill.ts'
import { percentile } from './statements.ts'

export interface Figure {
  readonly name: string
  readonly p50: number
  readonly p95: number
  /** What the last read found, so that a read of nothing is seen. */
  readonly found: number
}

const ZONE = 'Europe/Berlin'
const PAGE = { limit: LIST_LIMIT_DEFAULT }
const DAY_MS = 86_400_000

/** Every list and figure that a person sees of calls, through the functions that the routes call. */
export async function measureReads(database: Database, requests: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [who, userId] of [
    ['largest', LARGEST],
    ['small', SMALL],
  ] as const) {
    for (const [name, read] of await readsOf(database, userId))
      figures.push(await measure(`${who}: ${name}`, read, requests))
  }
  return figures
}

type Read = (request: number) => Promise<number>

async function readsOf({ db, pool }: Database, userId: string): Promise<[string, Read][]> {
  const calls = async (query: Record<string, unknown>) =>
    (await listCalls(db, userId, CallsQuery.parse({ ...PAGE, ...query }))).items.length
  const middle = await inTheMiddle(pool, 'call', userId)
  const contact = await inTheMiddle(pool, 'contact', userId)
  const { rows: own } = await pool.query<{ word: string; callee: string }>(
    `select substring(transcript from 'number (R[0-9]+)') as word, callee from call where user_id = $1
     order by created_at desc, id desc offset (select count(*) / 2 from call where user_id = $1) limit 50`,
    [userId],
  )
  const one = (request: number) => own[request % Math.max(1, own.length)]
  const today = Date.now()
  const date = (days: number) => new Date(today - days * DAY_MS).toISOString().slice(0, 10)
  return [
    ['history', () => calls({})],
    ['history, deep page', () => calls({ cursor: middle })],
    ['history, failed', () => calls({ status: 'failed' })],
    ['history, running', () => calls({ status: 'in_progress' })],
    ['history, to a number', (request) => calls({ callee: one(request)?.callee })],
    ['search, a word of most calls', () => calls({ q: 'table' })],
    ['search, a word of most calls, deep page', () => calls({ q: 'table', cursor: middle })],
    ['search, a word of one call in a hundred', () => calls({ q: SELDOM })],
    ['search, the same, deep page', () => calls({ q: SELDOM, cursor: middle })],
    ['search, a word of one call', (request) => calls({ q: one(request)?.word })],
    ['search, a word of no call', () => calls({ q: 'xylophone' })],
    ['search, digits of a number', (request) => calls({ q: one(request)?.callee.slice(-7) })],
    ['search, common and failed', () => calls({ q: 'table', status: 'failed' })],
    ['summaries', async () => (await listSummaries(db, userId, PAGE)).items.length],
    ['totals', async () => (await readStats(db, userId)).totalCalls],
    ['usage', async () => (await readUsage(db, userId, ZONE)).days.length],
    ['analytics of 30 days', async () => (await readAnalytics(db, userId, ZONE, {})).totals.calls],
    [
      'analytics of 366 days',
      async () => (await readAnalytics(db, userId, ZONE, { from: date(365), until: date(0) })).totals.calls,
    ],
    ['contacts', async () => (await listContacts(db, userId, PAGE)).items.length],
    ['contacts, deep page', async () => (await listContacts(db, userId, { ...PAGE, cursor: contact })).items.length],
    ['contacts, search', async () => (await listContacts(db, userId, { ...PAGE, q: 'person 4' })).items.length],
    ['statement', async () => (await statement(db, userId, PAGE)).items.length],
    [
      'statement, second page',
      async () => {
        const { nextCursor } = await statement(db, userId, PAGE)
        return nextCursor === null ? 0 : (await statement(db, userId, { ...PAGE, cursor: nextCursor })).items.length
      },
    ],
  ]
}

async function inTheMiddle(pool: Database['pool'], table: 'call' | 'contact', userId: string): Promise<string> {
  const { rows } = await pool.query<{ at: Date; id: string }>(
    `select created_at as at, id from ${table} where user_id = $1 order by created_at desc, id desc
     offset (select count(*) / 2 from ${table} where user_id = $1) limit 1`,
    [userId],
  )
  const [row] = rows
  if (!row) throw new Error(`${userId} has no ${table}.`)
  return encodeCursor(row)
}

async function measure(name: string, read: Read, requests: number): Promise<Figure> {
  const taken: number[] = []
  let found = 0
  // The first one fills caches, as of any account in use.
  await read(0)
  for (let request = 0; request < requests; request++) {
    const startedAt = performance.now()
    found = await read(request)
    taken.push(performance.now() - startedAt)
  }
  return { name, p50: percentile(taken, 0.5), p95: percentile(taken, 0.95), found }
}
