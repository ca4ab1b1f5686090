import { callsRoutes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Tx } from '../platform/db.ts'
import { holdRounds } from '../platform/rounds/testing.ts'
import { createTestApp, PATIENTLY, type TestApp } from '../testing.ts'
import { conclude } from './facts.ts'
import { noteHeard } from './liveness.ts'
import { lockCall } from './read.ts'
import { reconcile } from './reconcile.ts'
import type { CallRow } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

/** Many, since PostgreSQL may count the updates of before the call, of which some change an index, a second late. */
const TURNS = 120
let app: TestApp
let voice: StandInVoice

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
  await holdRounds(app.context.db, ['calls.reconcile', 'calls.nodes'])
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

interface Updates {
  readonly all: number
  readonly hot: number
}

async function updatesOf(table: string): Promise<Updates> {
  const { rows } = await app.context.database.pool.query<Updates>(
    'select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = $1',
    [table],
  )
  return rows[0] ?? { all: 0, hot: 0 }
}

test('what is heard during a call updates its row and its liveness without their indexes', async () => {
  const { client } = await app.signUp()
  const order = { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 2 }
  const { data } = await client.request(callsRoutes.place, { body: order })
  await voice.orderOf(data.id)
  const script = new Script(app, data.id)
  await script.say({ type: 'dialing' }, { type: 'answered' })
  const before = { call: await updatesOf('call'), liveness: await updatesOf('call_liveness') }
  for (let index = 0; index < TURNS; index++) await script.say(script.turn(index, 'user', 'Yes.'))
  const heard = await vi.waitFor(async () => {
    const call = await updatesOf('call')
    expect(call.all - before.call.all).toBeGreaterThanOrEqual(TURNS)
    return { call, liveness: await updatesOf('call_liveness') }
  }, PATIENTLY)
  const shareOf = (one: Updates, other: Updates) => (other.hot - one.hot) / (other.all - one.all)
  expect(shareOf(before.call, heard.call)).toBeGreaterThan(0.9)
  expect(shareOf(before.liveness, heard.liveness)).toBeGreaterThan(0.9)
  await script.end(10)
  const { rowCount } = await app.context.database.pool.query('select from call_liveness where call_id = $1', [data.id])
  expect(rowCount).toBe(0)
})

describe('a call that is looked after while a fact of it is taken', () => {
  const LATER_MS = 60_000

  /** Looks after the call with the call locked, then does the work. Returns when it was heard of last. */
  async function whileLookedAfter(work: (tx: Tx, row: CallRow) => Promise<unknown>) {
    const { db, database, calls } = app.context
    const { client } = await app.signUp()
    const order = { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 2 }
    const { id } = (await client.request(callsRoutes.place, { body: order })).data
    await voice.orderOf(id)
    await new Script(app, id).say({ type: 'dialing' })
    await database.pool.query('delete from call_liveness where call_id = $1', [id])
    await db.transaction(async (tx) => {
      const row = await lockCall(tx, id)
      await reconcile(calls, new Date(Date.now() + LATER_MS))
      await work(tx, row)
    })
    const { rows } = await database.pool.query<{ heard_at: Date }>(
      'select heard_at from call_liveness where call_id = $1',
      [id],
    )
    return rows.map((row) => row.heard_at)
  }

  test('is heard of at the time of that fact: the look neither waits for it nor is in its way', async () => {
    const takenAt = new Date()
    expect(await whileLookedAfter((tx, { id }) => noteHeard(tx, id, takenAt))).toEqual([takenAt])
  })

  test('is not heard of any more when that fact has ended it', async () => {
    const ending = { reason: 'interrupted', message: 'A technical problem ended the call.', at: new Date() } as const
    expect(await whileLookedAfter((tx, row) => conclude(app.context.calls.hooks, tx, row, ending))).toEqual([])
  })
})
