import { callsRoutes } from '@parley/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, PATIENTLY, type TestApp } from '../testing.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

const TURNS = 40
let app: TestApp
let voice: StandInVoice

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
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
