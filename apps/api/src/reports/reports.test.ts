import {
  CALLS_FOUND_MAX,
  callsRoutes,
  creditsRoutes,
  pathOf,
  reportsRoutes,
  USAGE_HISTORY_DAYS,
} from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, callSummary } from '../calls/schema.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { readUsage } from './figures.ts'
import { insertCalls, type NewCallRow } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ environment: { CALLING_HOURS: 'off' } })
})
afterAll(() => app.close())

const MINUTE_MS = 60_000
const addCalls = (userId: string, ...rows: NewCallRow[]) => insertCalls(app, userId, ...rows)
const list = (
  client: Client,
  id: string,
  query: { limit?: number; cursor?: string; status?: 'completed' | 'failed' | 'in_progress'; q?: string } = {},
) => client.request(reportsRoutes.calls, { params: { id }, query })

describe('the call history', () => {
  test('is paged without gaps or repeats while calls are placed', async () => {
    const { client, user } = await app.signUp()
    // Several in one millisecond: the id decides the order.
    const at = new Date(Date.now() - 60 * MINUTE_MS)
    const ids = await addCalls(
      user.id,
      ...Array.from({ length: 50 }, () => ({})),
      ...Array.from({ length: 75 }, () => ({ createdAt: at, completedAt: at })),
    )
    const first = await list(client, user.id)
    expect(first.data).toHaveLength(50)
    expect(first.headers.get('x-total-count')).toBe('125')
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 50))

    await addCalls(user.id, {})
    const seen = [...first.data]
    for (let cursor = first.headers.get('x-next-cursor'); cursor !== null;) {
      const page = await list(client, user.id, { cursor, limit: 30 })
      seen.push(...page.data)
      cursor = page.headers.get('x-next-cursor')
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(125)
    expect(seen).toHaveLength(125)
    expect((await list(client, user.id, { limit: 3 })).data).toHaveLength(3)
    expect((await list(client, user.id, { cursor: 'made-up' })).status).toBe(400)
  })

  // screens.md: found-status-words-whatever
  test('is searched by status and words, ignoring case, with wildcards taken literally', async () => {
    const { client, user } = await app.signUp()
    const [live, failed, booked, odd] = await addCalls(
      user.id,
      { status: 'ringing', phase: 'ringing', callee: '+442079460958' },
      { status: 'failed', endReason: 'busy', purpose: 'Negotiate a HOTEL stay' },
      { transcript: 'Agent: Is the terrace free?', creditsCharged: 1 },
      { summary: 'Got 100% off_season' },
    )
    const found = async (query: Parameters<typeof list>[2]) =>
      (await list(client, user.id, query)).data.map(({ id }) => id)
    expect(await found({ status: 'in_progress' })).toEqual([live])
    expect(await found({ status: 'failed' })).toEqual([failed])
    expect(await found({ status: 'completed' })).toEqual([booked, odd])
    expect(await found({ q: 'hotel' })).toEqual([failed])
    expect(await found({ q: 'TERRACE' })).toEqual([booked])
    expect(await found({ q: '7946' })).toEqual([live])
    expect(await found({ q: '0% off_s' })).toEqual([odd])
    expect(await found({ q: '%' })).toEqual([odd])
    expect(await found({ q: 'hotel', status: 'completed' })).toEqual([])
    expect((await list(client, user.id, { q: 'hotel' })).headers.get('x-total-count')).toBe('1')
  })

  // screens.md: found-number-however-written
  test('is searched by a number in any format', async () => {
    const { client, user } = await app.signUp()
    const [washington, london] = await addCalls(user.id, { callee: '+12025550100' }, { callee: '+442079460958' })
    const found = async (q: string) => ({ q, ids: (await list(client, user.id, { q })).data.map(({ id }) => id) })
    const american = [
      '+1 202 555 0100',
      '+1\u00a0202\u00a0555\u00a00100',
      '(202) 555-0100',
      '202.555.0100',
      '001 202 555 0100',
      '12025550100',
    ]
    for (const q of american) expect(await found(q)).toEqual({ q, ids: [washington] })
    for (const q of ['+44 20 7946 0958', '020 7946 0958', '7946 0958'])
      expect(await found(q)).toEqual({ q, ids: [london] })
    for (const q of ['+1 202 555 0101', '(', '- -', '000 0000']) expect(await found(q)).toEqual({ q, ids: [] })
  })

  test('counts calls per status, also after an end or a deletion', async () => {
    const { client, user } = await app.signUp()
    const [live, failed] = await addCalls(
      user.id,
      { status: 'ringing', phase: 'ringing' },
      { status: 'failed', phase: 'ended: busy', endReason: 'busy' },
      {},
      { endReason: 'voicemail' },
    )
    const counts = async () => {
      const kinds = [undefined, 'in_progress', 'completed', 'failed'] as const
      const pages = await Promise.all(
        kinds.map((status) => list(client, user.id, { limit: 1, ...(status && { status }) })),
      )
      return pages.map(({ headers }) => Number(headers.get('x-total-count')))
    }
    expect(await counts()).toEqual([4, 1, 2, 1])
    const end = { completedAt: new Date(), endReason: 'agent_closed', durationSeconds: 9, creditsCharged: 1 } as const
    await app.context.db
      .update(call)
      .set({ status: 'completed', ...end })
      .where(eq(call.id, live!))
    expect(await counts()).toEqual([4, 0, 3, 1])
    await app.context.db.delete(call).where(eq(call.id, failed!))
    expect(await counts()).toEqual([3, 0, 3, 0])
  })

  test('counts the matches of a search up to CALLS_FOUND_MAX + 1', async () => {
    const { client, user } = await app.signUp()
    await addCalls(user.id, ...Array.from({ length: CALLS_FOUND_MAX + 5 }, () => ({})))
    expect((await list(client, user.id)).headers.get('x-total-count')).toBe(String(CALLS_FOUND_MAX + 5))
    const found = await list(client, user.id, { q: 'table' })
    expect(found.headers.get('x-total-count')).toBe(String(CALLS_FOUND_MAX + 1))
    expect(found.headers.get('x-next-cursor')).not.toBeNull()
  })

  test('is filtered by callee', async () => {
    const { client, user } = await app.signUp()
    const [there] = await addCalls(user.id, { callee: '+442079460958' }, {})
    const { data } = await client.request(reportsRoutes.calls, {
      params: { id: user.id },
      query: { callee: '+442079460958' },
    })
    expect(data.map(({ id }) => id)).toEqual([there])
  })

  test("returns 404 for another user's reports", async () => {
    const [{ client, user }, { user: other }] = [await app.signUp(), await app.signUp()]
    await addCalls(other.id, {})
    expect((await list(client, user.id)).data).toEqual([])
    expect((await list(client, other.id)).status).toBe(404)
    for (const route of [reportsRoutes.stats, reportsRoutes.analytics, reportsRoutes.summaries, creditsRoutes.usage]) {
      expect((await client.fetch(pathOf(route, { id: other.id }))).status).toBe(404)
      expect((await app.client().fetch(pathOf(route, { id: user.id }))).status).toBe(401)
    }
  })
})

test('an outcome judged by an earlier rule is marked in the details and stored unchanged', async () => {
  const { client, user } = await app.signUp()
  const kept = [
    { objective: 'A table at 7 pm', status: 'met' as const, quote: 'Half past eight would be possible.', turn: 1 },
    { objective: 'A window', status: 'met' as const, quote: 'Yes, of course.', turn: 1 },
  ]
  const [id = ''] = await addCalls(user.id, { outcomes: kept })
  const { data } = await client.request(callsRoutes.get, { params: { id } })
  expect(data.outcomes).toEqual([{ ...kept[0], earlierRule: true }, kept[1]])
  const [row] = await app.context.db.select({ outcomes: call.outcomes }).from(call).where(eq(call.id, id))
  expect(row?.outcomes).toEqual(kept)
})

describe('the dashboard figures', () => {
  test('are 0 without calls', async () => {
    const { client, user } = await app.signUp()
    const { data } = await client.request(reportsRoutes.stats, { params: { id: user.id } })
    expect(data).toEqual({ totalCalls: 0, successRate: 0, avgDuration: 0, creditsUsed: 0 })
  })

  test('use ended calls for the rate, completed calls for the duration and charged credits for the cost', async () => {
    const { client, user } = await app.signUp()
    await addCalls(
      user.id,
      { status: 'in_progress', phase: 'greeting' },
      { durationSeconds: 100, creditsCharged: 2 },
      { durationSeconds: 50, creditsCharged: 1 },
      { status: 'failed', endReason: 'carrier_dropped', durationSeconds: 20, creditsCharged: 1 },
    )
    const { data } = await client.request(reportsRoutes.stats, { params: { id: user.id } })
    expect(data).toMatchObject({ totalCalls: 4, avgDuration: 75, creditsUsed: 4 })
    expect(data.successRate).toBeCloseTo(66.67, 1)
  })

  // screens.md: usage-those-last-ten
  test("usage covers the last ten days by completion in the user's time zone", async () => {
    const { client, user } = await app.signUp()
    const at = (text: string) => ({ completedAt: new Date(text) })
    await addCalls(
      user.id,
      { ...at('2026-01-15T03:00:00Z'), durationSeconds: 61, creditsCharged: 2 },
      { ...at('2026-01-15T12:00:00Z'), durationSeconds: 30, creditsCharged: 1 },
      { ...at('2026-01-06T05:00:00Z'), durationSeconds: 10, creditsCharged: 1 },
      { ...at('2026-01-06T04:59:59Z'), durationSeconds: 10, creditsCharged: 1 },
      { status: 'ringing', phase: 'ringing' },
    )
    const now = new Date('2026-01-15T15:00:00Z')
    const there = await readUsage(app.context.db, user.id, 'America/New_York', now)
    expect(there.days).toHaveLength(USAGE_HISTORY_DAYS)
    expect(there.days.filter(({ calls }) => calls > 0)).toEqual([
      { date: '2026-01-15', calls: 1, seconds: 30, credits: 1 },
      { date: '2026-01-14', calls: 1, seconds: 61, credits: 2 },
      { date: '2026-01-06', calls: 1, seconds: 10, credits: 1 },
    ])
    expect(there.totals).toEqual({ calls: 3, seconds: 101, credits: 4 })
    const here = await readUsage(app.context.db, user.id, 'UTC', now)
    expect(here.days[0]).toEqual({ date: '2026-01-15', calls: 2, seconds: 91, credits: 3 })
    expect(here.totals.calls).toBe(4)
    expect((await client.request(creditsRoutes.usage, { params: { id: user.id } })).data.totals.calls).toBe(0)
  })
})

test('summaries are listed with their call, newest first, in pages', async () => {
  const { client, user } = await app.signUp()
  const ids = await addCalls(
    user.id,
    { callee: '+442079460958', summary: 'They call back.' },
    { summary: 'They call back.' },
    {},
  )
  const summary = {
    type: 'pending',
    title: 'Table',
    description: 'They call back.',
    insights: ['Busy'],
    nextSteps: ['Wait'],
  } as const
  const values = ids.slice(0, 2).map((callId) => ({
    callId,
    ...summary,
    insights: ['Busy'],
    nextSteps: ['Wait'],
    actionRequired: true,
    actionText: 'Call',
  }))
  await app.context.db.insert(callSummary).values(values)
  const first = await client.request(reportsRoutes.summaries, { params: { id: user.id }, query: { limit: 1 } })
  expect(first.data).toMatchObject([
    { callId: ids[0], callee: '+442079460958', type: 'pending', actionRequired: true, nextSteps: ['Wait'] },
  ])
  expect(first.headers.get('x-total-count')).toBe('2')
  const cursor = first.headers.get('x-next-cursor')!
  const next = await client.request(reportsRoutes.summaries, { params: { id: user.id }, query: { limit: 1, cursor } })
  expect(next.data.map(({ callId }) => callId)).toEqual([ids[1]])
  expect(next.headers.get('x-next-cursor')).toBeNull()
  expect((await client.request(callsRoutes.get, { params: { id: ids[2]! } })).status).toBe(200)
})
