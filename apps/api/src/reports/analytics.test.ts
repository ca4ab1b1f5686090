import { type OutcomeStatus, reportsRoutes } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../calls/schema.ts'
import { createTestApp, type TestApp } from '../testing.ts'
import { readAnalytics } from './analytics.ts'
import { insertCalls, type NewCallRow } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ environment: { CALLING_HOURS: 'off' } })
})
afterAll(() => app.close())

const addCalls = (userId: string, ...rows: NewCallRow[]) => insertCalls(app, userId, ...rows)

describe('the analytics', () => {
  const outcome = (status: OutcomeStatus) => ({ objective: status, status, quote: null, turn: null })
  const now = new Date('2026-01-15T15:00:00Z')
  const at = (text: string) => ({ createdAt: new Date(text), completedAt: new Date(text) })

  test("group calls by the day and hour of their start in the user's time zone", async () => {
    const { user } = await app.signUp()
    await addCalls(
      user.id,
      {
        ...at('2026-01-15T03:10:00Z'),
        durationSeconds: 61,
        creditsCharged: 2,
        outcomes: [outcome('met'), outcome('open')],
      },
      { ...at('2026-01-15T03:50:00Z'), status: 'failed', endReason: 'busy' },
      {
        ...at('2026-01-14T18:29:00Z'),
        endReason: 'voicemail',
        durationSeconds: 20,
        creditsCharged: 1,
        outcomes: [outcome('refused')],
      },
      { ...at('2026-01-14T18:31:00Z'), status: 'failed', endReason: 'carrier_failure' },
      { ...at('2025-12-01T12:00:00Z') },
      { createdAt: now, status: 'ringing', phase: 'ringing' },
    )
    const there = await readAnalytics(app.context.db, user.id, 'America/New_York', {}, now)
    expect(there).toMatchObject({ from: '2025-12-17', until: '2026-01-15', timezone: 'America/New_York' })
    expect(there.days).toHaveLength(30)
    expect(there.days.filter(({ seconds, failed }) => seconds + failed > 0)).toEqual([
      {
        date: '2026-01-14',
        answered: 1,
        voicemail: 1,
        no_answer: 1,
        failed: 1,
        seconds: 81,
        credits: 3,
        met: 1,
        met_within_limits: 0,
        offered: 0,
        refused: 1,
        open: 1,
      },
    ])
    expect(there.totals).toMatchObject({ calls: 4, running: 1, credits: 3 })
    expect(there.hours).toEqual([
      { weekday: 3, hour: 13, calls: 2, answered: 0 },
      { weekday: 3, hour: 22, calls: 2, answered: 1 },
    ])
    // 18:30 UTC is midnight in Kolkata.
    const kolkata = await readAnalytics(
      app.context.db,
      user.id,
      'Asia/Kolkata',
      { from: '2026-01-14', until: '2026-01-15' },
      now,
    )
    expect(kolkata.days.map(({ date, voicemail, failed }) => ({ date, voicemail, failed }))).toEqual([
      { date: '2026-01-14', voicemail: 1, failed: 0 },
      { date: '2026-01-15', voicemail: 0, failed: 1 },
    ])
    const whole = await readAnalytics(app.context.db, user.id, 'UTC', { from: '2025-11-01', until: '2026-01-15' }, now)
    expect(whole.totals.calls).toBe(5)
  })

  test('follow changes and deletions of a call', async () => {
    const { client, user } = await app.signUp()
    const { db } = app.context
    const [id = ''] = await addCalls(user.id, { status: 'ringing', phase: 'ringing' })
    const read = async () => (await client.request(reportsRoutes.analytics, { params: { id: user.id } })).data.totals
    expect(await read()).toMatchObject({ calls: 0, running: 1 })
    const end = {
      status: 'completed',
      completedAt: new Date(),
      endReason: 'agent_closed',
      durationSeconds: 30,
      creditsCharged: 1,
    } as const
    await db.update(call).set(end).where(eq(call.id, id))
    expect(await read()).toMatchObject({ calls: 1, answered: 1, running: 0, met: 0, seconds: 30 })
    await db
      .update(call)
      .set({ outcomes: [outcome('met')] })
      .where(eq(call.id, id))
    expect(await read()).toMatchObject({ calls: 1, met: 1, seconds: 30, credits: 1 })
    await db
      .update(call)
      .set({ outcomes: [outcome('met_within_limits'), outcome('offered'), outcome('offered')] })
      .where(eq(call.id, id))
    expect(await read()).toMatchObject({ met: 0, met_within_limits: 1, offered: 2, refused: 0, open: 0 })
    await db.delete(call).where(eq(call.id, id))
    expect(await read()).toMatchObject({ calls: 0, met: 0, met_within_limits: 0, offered: 0, seconds: 0, credits: 0 })
  })

  test('refuse an invalid period', async () => {
    const { client, user } = await app.signUp()
    const ask = (query: { from?: string; until?: string }) =>
      client.request(reportsRoutes.analytics, { params: { id: user.id }, query })
    expect(await ask({ from: '2026-01-02', until: '2026-01-01' })).toMatchObject({
      status: 400,
      body: { field: 'from' },
    })
    expect(await ask({ from: '2020-01-01', until: '2026-01-01' })).toMatchObject({
      status: 400,
      body: { field: 'from' },
    })
    expect(await ask({ from: 'yesterday' })).toMatchObject({ status: 400, body: { field: 'from' } })
  })
})
