import { accountsRoutes, callsRoutes } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing.ts'
import { type StandInVoice, startStandInVoice } from '../testing.ts'

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice(4)
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

test.each([
  ['without a duration holds half of the credits', {}, { creditBalance: '5', creditsHeld: 5 }],
  [
    'with a duration of 10 minutes holds all 10 credits',
    { maxDurationMinutes: 10 },
    { creditBalance: '0', creditsHeld: 10 },
  ],
])('a call of a new account %s', async (_, length, credits) => {
  const { client } = await app.signUp()
  const { data } = await client.request(callsRoutes.place, {
    body: { callee: '+12025550100', purpose: 'Ask', ...length },
  })
  expect(await voice.orderOf(data.id)).toMatchObject({ limitSeconds: credits.creditsHeld * 60 })
  expect((await client.request(accountsRoutes.currentUser)).data).toMatchObject(credits)
})
