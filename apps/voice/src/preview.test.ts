import { type VoicePreview, SETTINGS_LANGUAGES, VOICE_PATHS, VOICES } from '@parley/contract'
import { decodeWav, type Mouth } from '@parley/voice-ports'
import { createScriptedMouth, createStallingMouth } from '@parley/sandbox'
import fastify from 'fastify'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { voicePreviews } from './preview.ts'

const log = pino({ level: 'silent' })

function served(mouth: Mouth) {
  const server = fastify()
  server.get(VOICE_PATHS.voicePreview, voicePreviews({ mouth, log }))
  return (query: Partial<Record<keyof VoicePreview, string>>) =>
    server.inject({ method: 'GET', url: VOICE_PATHS.voicePreview, query })
}

const broken: Mouth = {
  ...createScriptedMouth(),
  open() {
    throw new Error('It is broken.')
  },
}
const silent: Mouth = {
  ...createScriptedMouth(),
  open: (options) => ({
    ...createScriptedMouth().open(options),
    async *speak() {
      // No sound at all.
    },
  }),
}

describe('the preview of a voice', () => {
  it.each(SETTINGS_LANGUAGES)('is a WAV file of some seconds in the language %s', async (language) => {
    const ask = served(createScriptedMouth())
    const sounds = new Set<string>()
    for (const voice of VOICES) {
      const answer = await ask({ voice, language })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('audio/wav')
      const { channels, sampleRateHz } = decodeWav(answer.rawPayload)
      expect(sampleRateHz).toBe(8000)
      expect(channels[0]!.length).toBeGreaterThan(8000)
      sounds.add(answer.rawPayload.toString('base64'))
    }
    expect(sounds.size).toBe(VOICES.length)
  })

  it.each([
    ['an unknown voice', { voice: 'nobody', language: 'en' }],
    ['an unknown language', { voice: 'warm', language: 'xx' }],
    ['no voice', { language: 'en' }],
  ])('is refused for %s', async (_, query) => {
    expect((await served(createScriptedMouth())(query)).statusCode).toBe(400)
  })

  it.each([
    ['fails', broken],
    ['makes no sound', silent],
  ])('is unavailable when the mouth %s', async (_, mouth) => {
    expect((await served(mouth)({ voice: 'warm', language: 'en' })).json()).toMatchObject({ code: 'unavailable' })
  })

  it('refuses a fifth at once', async () => {
    const server = fastify()
    server.get(VOICE_PATHS.voicePreview, voicePreviews({ mouth: createStallingMouth(0), log }))
    const ask = () => server.inject({ method: 'GET', url: `${VOICE_PATHS.voicePreview}?voice=warm&language=en` })
    const [first] = [ask(), ask(), ask(), ask()]
    const fifth = await Promise.race([first, new Promise((resolve) => setImmediate(resolve)).then(ask)])
    expect(fifth.statusCode).toBe(503)
  })
})
