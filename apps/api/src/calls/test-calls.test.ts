import { accountsRoutes, callsRoutes, creditsRoutes, reportsRoutes } from '@parley/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkBooks, clawBack } from '../credits/index.ts'
import { withTx } from '../platform/db.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

const TEST = '+1 202 555 0100'
const REAL = '+1 202 456 1111'

let voice: StandInVoice
let app: TestApp
beforeAll(async () => {
  voice = await startStandInVoice()
  // A far end on this machine, so that the hour does not matter.
  const carrier = { CARRIER: 'twilio', TWILIO_API_BASE: 'http://127.0.0.1:9', CALLING_HOURS: 'off' }
  const limits = { LIVE_CALLS_PER_ACCOUNT: '2' }
  app = await createTestApp({ environment: { VOICE_URL: voice.url, SANDBOX_NUMBERS: 'on', ...carrier, ...limits } })
})
beforeEach(() => void Object.assign(voice, { health: 'ok', phone: 'ready', away: false }))
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await app.close()
  await voice.close()
})

const place = (client: Client, callee: string, maxDurationMinutes = 3) =>
  client.request(callsRoutes.place, { body: { callee, purpose: 'Book a table', maxDurationMinutes } })
const balanceOf = async (client: Client) =>
  Number((await client.request(accountsRoutes.currentUser)).data.creditBalance)

describe('a call to a test number beside a real carrier', () => {
  test('is marked, holds and costs nothing, and is in no statement', async () => {
    const { client, user } = await app.signUp()
    const placed = await place(client, TEST, 7)
    expect(placed).toMatchObject({ status: 201, data: { isTest: true, creditsHeld: 0, maxDurationMinutes: 7 } })
    const { id } = placed.data
    expect(await balanceOf(client)).toBe(10)
    expect(await voice.orderOf(id)).toMatchObject({ callee: '+12025550100', limitSeconds: 420 })
    const script = new Script(app, id)
    await script.converse()
    await script.end(200)
    await script.wrapUp()
    const ended = (await client.request(callsRoutes.get, { params: { id } })).data
    expect(ended).toMatchObject({ isTest: true, status: 'completed', creditsCharged: 0, durationSeconds: 200 })
    const mail = await app.mailTo(user.email, 'Your call to +1 202 555 0100')
    expect(mail.text).toContain('It took 3m 20s. It was a test call, free of charge.')
    expect(await balanceOf(client)).toBe(10)
    const params = { id: user.id }
    const statement = (await client.request(creditsRoutes.statement, { params, query: {} })).data
    expect(statement.map(({ kind }) => kind)).toEqual(['grant'])
    const history = (await client.request(reportsRoutes.calls, { params, query: {} })).data
    expect(history).toMatchObject([{ id, isTest: true }])
  })

  test('can be placed without credits, in debt, and while no real line can be used', async () => {
    const { client, user } = await app.signUp()
    await withTx(app.context.db, (tx) =>
      clawBack(tx, { userId: user.id, key: `re:${user.id}`, credits: 12, cause: 'Refund' }),
    )
    voice.phone = 'deaf'
    expect((await place(client, TEST)).data).toMatchObject({ isTest: true })
    expect((await place(client, REAL)).body).toMatchObject({ code: 'unavailable' })
    voice.away = true
    expect((await place(client, TEST)).body).toMatchObject({ code: 'unavailable' })
  })

  test('counts as a live call of the account, also for calls placed in parallel', async () => {
    const { client } = await app.signUp()
    const answers = await Promise.all(Array.from({ length: 6 }, () => place(client, TEST)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(answers.find(({ status }) => status !== 201)?.body).toMatchObject({ code: 'live_calls_exceeded' })
  })

  test('is told apart from any other call, which holds as ever', async () => {
    const { client } = await app.signUp()
    expect((await place(client, REAL)).data).toMatchObject({ isTest: false, creditsHeld: 3 })
    expect(await balanceOf(client)).toBe(7)
    expect((await place(client, '+1 212 555 0100')).body).toMatchObject({ code: 'number_invalid' })
  })
})

test('with the simulated network alone no call is a test', async () => {
  const simulated = await createTestApp({
    environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', SANDBOX_NUMBERS: 'on' },
  })
  const { client } = await simulated.signUp()
  expect((await place(client, TEST)).data).toMatchObject({ isTest: false, creditsHeld: 3 })
  await simulated.close()
})
