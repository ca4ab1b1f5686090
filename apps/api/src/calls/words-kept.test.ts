import { callsRoutes as routes, PHASES } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../testing.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

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

test('wordsKeptUntil is set only for a call whose callee refused the recording', async () => {
  const { client } = await app.signUp()
  const { data: placed } = await client.request(routes.place, { body: { callee: '+12025550100', purpose: 'Ask' } })
  const read = async () => (await client.request(routes.get, { params: { id: placed.id } })).data
  const script = new Script(app, placed.id)
  await script.converse()
  expect(await read()).toMatchObject({ wordsKeptUntil: null })
  const before = Date.now()
  await script.say({ type: 'phase', phase: PHASES.notRecorded })
  await script.say({ type: 'phase', phase: 'going on' })
  await script.end(30)
  const { wordsKeptUntil } = await read()
  expect(Date.parse(wordsKeptUntil ?? '')).toBeGreaterThanOrEqual(before - 5)
})
