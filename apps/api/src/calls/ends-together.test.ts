import { randomUUID } from 'node:crypto'
import { accountsRoutes, callsRoutes } from '@parley/contract'
import { inArray, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkBooks } from '../credits/index.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { recordMany } from './facts.ts'
import { call } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

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

/** A call under way, and the report of its end after some seconds. */
async function underWay(client: Client, connectedSeconds: number) {
  const body = { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 4 }
  const { data } = await client.request(callsRoutes.place, { body })
  await voice.orderOf(data.id)
  const script = new Script(app, data.id)
  await script.say({ type: 'dialing' }, { type: 'ringing' }, { type: 'answered' })
  const message = 'The call is over.'
  const ended = script.next({ type: 'ended', reason: 'agent_closed', message, connectedSeconds })
  return { callId: data.id, facts: [ended] }
}

const written = (ids: readonly string[]) =>
  app.context.db
    .select({ charged: call.creditsCharged, by: sql<string>`${call}.xmin::text` })
    .from(call)
    .where(inArray(call.id, [...ids]))
    .orderBy(call.creditsCharged)
const creditsOf = async (client: Client) => (await client.request(accountsRoutes.currentUser)).data.creditBalance

test('calls that end at once are recorded in one transaction, each with its own charge', async () => {
  const [one, other] = [(await app.signUp()).client, (await app.signUp()).client]
  const reports = [await underWay(one, 61), await underWay(one, 181), await underWay(other, 1)]
  const answers = await recordMany(app.context.calls, reports)
  expect(answers).toEqual(reports.map(() => ({ status: 'fulfilled', value: { taken: 4 } })))
  const rows = await written(reports.map(({ callId }) => callId))
  expect(rows.map(({ charged }) => charged)).toEqual([1, 2, 4])
  expect(new Set(rows.map(({ by }) => by)).size).toBe(1)
  expect([await creditsOf(one), await creditsOf(other)]).toEqual(['4', '9'])
  expect(await recordMany(app.context.calls, reports)).toEqual(answers)
  expect(await creditsOf(one)).toBe('4')
})

test('facts of an unknown call are refused, and those of the other calls recorded', async () => {
  const { client } = await app.signUp()
  const report = await underWay(client, 61)
  const answers = await recordMany(app.context.calls, [{ ...report, callId: randomUUID() }, report])
  expect(answers).toMatchObject([{ reason: { code: 'not_found' } }, { value: { taken: 4 } }])
  expect(await creditsOf(client)).toBe('8')
})

test('a call whose end cannot be recorded keeps no other call from its end', async () => {
  const { client } = await app.signUp()
  const [broken, whole] = [await underWay(client, 61), await underWay(client, 61)]
  app.context.calls.hooks.on({
    async ended(_, { id }) {
      if (id === broken.callId) throw new Error('cannot be recorded')
    },
  })
  const answers = await recordMany(app.context.calls, [broken, whole])
  expect(answers).toMatchObject([{ reason: { message: 'cannot be recorded' } }, { value: { taken: 4 } }])
  expect((await written([broken.callId, whole.callId])).map(({ charged }) => charged)).toEqual([2, null])
  expect(await creditsOf(client)).toBe('4')
})
