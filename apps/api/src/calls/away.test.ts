import { accountsRoutes, callsRoutes, type NewCall } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkBooks } from '../credits/index.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { type StandInVoice, startStandInVoice } from './testing.ts'

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await app.close()
  await voice.close()
})

const order = { callee: '+1 202 555 0100', purpose: 'Book a table for two', objectives: ['Ask'], maxDurationMinutes: 3 }
const placeWith = (
  client: Client,
  body: Omit<NewCall, 'objectives' | 'context' | 'language' | 'mandates' | 'vault'>,
  headers: Record<string, string> = {},
) => client.request(callsRoutes.place, { body, headers })
const balanceOf = async (client: Client) =>
  Number((await client.request(accountsRoutes.currentUser)).data.creditBalance)

const CALLS_AWAY = 'Calls cannot be started right now. Nothing was charged; please try again in a moment.'

describe('placing a call while the voice service is unreachable', () => {
  afterEach(() => void (voice.away = false))

  test('a new call gets 503 with Retry-After, and no credits are held', async () => {
    const { client, user } = await app.signUp()
    voice.away = true
    const refused = await placeWith(client, order)
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable', message: CALLS_AWAY } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await balanceOf(client)).toBe(10)
    const { rowCount } = await app.context.database.pool.query('select from hold where user_id = $1', [user.id])
    expect(rowCount).toBe(0)
  })

  test('a forbidden number gets its own error, not 503', async () => {
    const { client } = await app.signUp()
    voice.away = true
    expect((await placeWith(client, { ...order, callee: '911' })).body).toMatchObject({ code: 'number_emergency' })
  })

  test('a call placed before is returned again for its Idempotency-Key', async () => {
    const { client } = await app.signUp()
    const key = { 'idempotency-key': 'before' }
    const { data } = await placeWith(client, order, key)
    await voice.orderOf(data.id)
    voice.away = true
    expect((await placeWith(client, order, key)).data.id).toBe(data.id)
  })
})
