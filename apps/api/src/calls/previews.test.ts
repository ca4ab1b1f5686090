import { callsRoutes } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../testing.ts'
import { Previews } from './previews.ts'
import { type StandInVoice, startStandInVoice } from './testing.ts'

let voice: StandInVoice
let app: TestApp
beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url } })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

test('a preview is made by a voice node once, kept for all users, and needs an account', async () => {
  const query = { voice: 'warm', language: 'de' } as const
  for (const { client } of [await app.signUp(), await app.signUp()]) {
    const { status, headers, body } = await client.request(callsRoutes.voicePreview, { query })
    expect({ status, body, type: headers.get('content-type') }).toEqual({
      status: 200,
      body: 'RIFF a voice',
      type: 'audio/wav',
    })
  }
  expect(voice.previews).toEqual(['/v1/voices/preview?voice=warm&language=de'])
  expect((await app.client().request(callsRoutes.voicePreview, { query })).status).toBe(401)
})

test('an unknown voice is refused without asking a voice node', async () => {
  const { length } = voice.previews
  const { client } = await app.signUp()
  const query = { voice: 'nobody' as 'warm', language: 'en' } as const
  expect((await client.request(callsRoutes.voicePreview, { query })).status).toBe(400)
  expect(voice.previews).toHaveLength(length)
})

test('a voice service that is away makes it unavailable, and is asked again', async () => {
  const { client } = await app.signUp()
  const query = { voice: 'warm', language: 'ja' } as const
  voice.away = true
  const { status, body } = await client.request(callsRoutes.voicePreview, { query })
  expect([status, body]).toEqual([
    503,
    expect.objectContaining({ message: 'This voice cannot be played right now. Please try again.' }),
  ])
  voice.away = false
  expect((await client.request(callsRoutes.voicePreview, { query })).status).toBe(200)
})

test('a kept preview is made anew after an hour, and one for all who ask at the same time', async () => {
  const previews = new Previews()
  let made = 0
  const make = () => Promise.resolve(Buffer.from(String(++made)))
  const asked = { voice: 'warm', language: 'en' } as const
  await Promise.all([previews.get(asked, make, 0), previews.get(asked, make, 1)])
  expect(String(await previews.get(asked, make, 3_599_999))).toBe('1')
  expect(String(await previews.get(asked, make, 3_600_000))).toBe('2')
})
