import { accountsRoutes, type Call, callsRoutes, type NewCall } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkBooks, clawBack } from '../../credits/index.ts'
import { withTx } from '../../platform/db.ts'
import { type Client, createTestApp, PATIENTLY, type TestApp } from '../../testing.ts'
import { Script, type StandInVoice, startStandInVoice } from '../testing.ts'

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice(4)
  const limits = { LIVE_CALLS_PER_ACCOUNT: '12', CALLS_PER_HOUR: '13' }
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', ...limits } })
})
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await app.close()
  await voice.close()
})

const order = { callee: '+1 202 555 0100', purpose: 'Book a table for two', objectives: ['Ask'], maxDurationMinutes: 3 }
type Order = Omit<NewCall, 'objectives' | 'context' | 'language' | 'mandates' | 'vault'>

const placeWith = (client: Client, body: Order, headers: Record<string, string> = {}) =>
  client.request(callsRoutes.place, { body, headers })
const balanceOf = async (client: Client) =>
  Number((await client.request(accountsRoutes.currentUser)).data.creditBalance)

/** Places a call and waits until the api knows that the voice service has it. */
async function placeAndDial(client: Client, more: Partial<Order>): Promise<{ id: string; script: Script }> {
  const { id } = (await placeWith(client, { ...order, ...more })).data
  await voice.orderOf(id)
  const read = async () => (await client.request(callsRoutes.get, { params: { id } })).data
  await vi.waitFor(async () => expect((await read()).clockSpeed).toBe(4), PATIENTLY)
  return { id, script: new Script(app, id) }
}

describe('credits of a call', () => {
  test('limit its length; with all credits held a call gets 402', async () => {
    const { client } = await app.signUp()
    await placeAndDial(client, { maxDurationMinutes: 6 })
    const { id } = await placeAndDial(client, { maxDurationMinutes: 30 })
    expect(await voice.orderOf(id)).toMatchObject({ limitSeconds: 240 })
    const refused = await placeWith(client, order)
    expect([refused.status, refused.body]).toEqual([
      402,
      {
        code: 'insufficient_credits',
        message:
          'All your 10 credits are reserved by calls in progress. What they do not use comes back when they end.',
      },
    ])
  })

  test('a call is refused while the account has a debt', async () => {
    const { client, user } = await app.signUp()
    await withTx(app.context.db, (tx) =>
      clawBack(tx, { userId: user.id, key: `re:${user.id}`, credits: 12, cause: 'Refund' }),
    )
    expect((await placeWith(client, order)).body).toMatchObject({ code: 'debt_outstanding' })
  })

  test('are held once for calls placed in parallel', async () => {
    const { client } = await app.signUp()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => placeWith(client, { ...order, maxDurationMinutes: 1 })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.filter((status) => status === 402)).toHaveLength(10)
    expect(await balanceOf(client)).toBe(0)
    for (const { body } of answers.filter(({ status }) => status === 201)) await voice.orderOf((body as Call).id)
  })

  test('are held once for parallel requests with one Idempotency-Key', async () => {
    const { client } = await app.signUp()
    const key = { 'idempotency-key': 'the-same' }
    const answers = await Promise.all([
      placeWith(client, order, key),
      placeWith(client, order, key),
      placeWith(client, order, key),
    ])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    expect(await balanceOf(client)).toBe(7)
    expect((await placeWith(client, { ...order, purpose: 'Something else' }, key)).body).toMatchObject({
      code: 'idempotency_mismatch',
    })
    expect((await placeWith(client, order)).data.id).not.toBe(answers[0].data.id)
  })
})

describe('calling rules', () => {
  test.each([
    ['911', 'number_emergency', 422],
    ['+19005551234', 'number_premium', 422],
    ['+881612345678', 'number_satellite', 422],
    ['+1 202 555 1212', 'number_directory', 422],
    ['+1 202 555 0100 ext. 5', 'number_extension', 422],
    ['+1 202 555 0100;ext=5', 'number_extension', 422],
    ['+5352345678', 'country_not_allowed', 422],
    ['2025550100', 'number_invalid', 422],
  ])('refuse %s with %s', async (callee, code, status) => {
    const { client } = await app.signUp()
    const refused = await placeWith(client, { ...order, callee })
    expect(refused).toMatchObject({ status, body: { code, field: 'callee' } })
    expect(await balanceOf(client)).toBe(10)
  })

  test('limit the calls of an account per hour', async () => {
    const { client } = await app.signUp()
    for (let placed = 0; placed < 13; placed++) {
      const { script } = await placeAndDial(client, { maxDurationMinutes: 1 })
      await script.end(0, 'busy')
    }
    expect((await placeWith(client, order)).body).toMatchObject({ code: 'hourly_calls_exceeded' })
  })
})

test('30 parallel refused calls, more than database connections, all get their error and audit row', async () => {
  const { client, user } = await app.signUp()
  const { pool } = app.context.database
  const refused = await Promise.all(
    Array.from({ length: 30 }, () => placeWith(client, { ...order, callee: '+1 900 555 0100' })),
  )
  expect(new Set(refused.map(({ status, body }) => `${status} ${(body as { code: string }).code}`))).toEqual(
    new Set(['422 number_premium']),
  )
  const audited = await pool.query("select from consent_audit where user_id = $1 and kind = 'refused'", [user.id])
  expect(audited.rowCount).toBe(30)
})
