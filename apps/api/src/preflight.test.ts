import { callsRoutes, systemRoutes, type VoiceHealth } from '@parley/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type StandInVoice, startStandInVoice } from './calls/testing.ts'
import { turnDialing } from './consent/index.ts'
import { withTx } from './platform/db.ts'
import { createPreflight } from './preflight.ts'
import { createTestApp, type TestApp } from './testing.ts'

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
beforeEach(() => {
  Object.assign(voice, { away: false, health: 'ok', phone: 'ready' })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

/** Without what was kept of an earlier answer. */
const look = () => createPreflight(app.context)()
const READY = { ready: true, obstacle: null, testNumbers: false }

describe('the preflight', () => {
  test.each<[VoiceHealth['phone'], object]>([
    ['ready', READY],
    ['checking', READY],
    [undefined, READY],
    ['deaf', { ready: false, obstacle: 'deaf', testNumbers: false }],
    ['broken', { ready: false, obstacle: 'carrier_broken', testNumbers: false }],
  ])('with a voice service whose phone is %s answers %j', async (phone, answer) => {
    voice.phone = phone
    expect(await look()).toEqual(answer)
  })

  test.each(['away', 'draining'] as const)('tells that the voice service is %s', async (state) => {
    if (state === 'away') voice.away = true
    else voice.health = 'draining'
    expect(await look()).toEqual({ ready: false, obstacle: 'voice_away', testNumbers: false })
  })

  test('is ready while every place is taken: calls wait for one', async () => {
    voice.health = 'full'
    expect(await look()).toEqual(READY)
  })

  test('tells that dialing is off, and that there is no room, before what the voice service says', async () => {
    voice.away = true
    const { context } = app
    await withTx(context.db, (tx) => turnDialing(tx, false, 'a storm'))
    expect(await look()).toMatchObject({ obstacle: 'dialing_off' })
    await withTx(context.db, (tx) => turnDialing(tx, true))
    const disk = { ...context.disk, state: () => Promise.resolve('full' as const) }
    expect(await createPreflight({ ...context, disk })()).toMatchObject({ obstacle: 'storage_full' })
  })

  test('asks the voice service once for all who ask within some seconds', async () => {
    let asked = 0
    const { context } = app
    const preflight = createPreflight({
      ...context,
      calls: { voice: { ...context.calls.voice, obstacle: () => Promise.resolve(asked++ === 0 ? 'deaf' : null) } },
    })
    const answers = await Promise.all([preflight(), preflight()])
    expect([asked, answers.map(({ obstacle }) => obstacle)]).toEqual([1, ['deaf', 'deaf']])
  })

  test('is for accounts alone', async () => {
    expect((await app.client().request(systemRoutes.preflight)).status).toBe(401)
    const { client } = await app.signUp()
    expect((await client.request(systemRoutes.preflight)).data).toEqual(READY)
  })
})

test.each([
  [
    'deaf',
    'Real numbers cannot be called here yet: nothing understands what the other side says. Nothing was charged.',
  ],
  ['broken', 'The phone network takes no calls right now. Nothing was charged; please try again in a few minutes.'],
] as const)('a call is refused while the phone is %s, and nothing is held', async (phone, message) => {
  const { client, user } = await app.signUp()
  voice.phone = phone
  const body = { callee: '+1 202 555 0100', purpose: 'Say hello' }
  const refused = await client.request(callsRoutes.place, { body })
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable', message } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const { rowCount } = await app.context.database.pool.query('select from hold where user_id = $1', [user.id])
  expect(rowCount).toBe(0)
})
