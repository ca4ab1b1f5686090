import { systemClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { quietLog } from './session/testing/fakes.ts'
import { mouthsOf, speechChecksOf, type SpeechParts } from './speech.ts'

const KEYS = { ELEVENLABS_API_KEY: 'e', CARTESIA_API_KEY: 'c', DEEPGRAM_API_KEY: 'd', OPENAI_API_KEY: 'o' }
const parts = (environment: Record<string, string>): SpeechParts => ({
  config: readConfig({ VOICE_SECRET: 'a secret of more than 16 characters', ...environment }),
  log: quietLog(),
  clock: systemClock(),
})

describe('MOUTH', () => {
  it('makes the mouths that it names, in their order, each with a check', async () => {
    const given = parts({ MOUTH: 'openai,elevenlabs,deepgram,cartesia', ...KEYS })
    const mouths = await mouthsOf(given)
    expect(mouths.map(({ name, wordTimes }) => [name, wordTimes])).toEqual([
      ['OpenAI', false],
      ['ElevenLabs', true],
      ['Deepgram', false],
      ['Cartesia', true],
    ])
    expect(speechChecksOf(given).map(({ part }) => part)).toEqual([
      'mouth openai',
      'mouth elevenlabs',
      'mouth deepgram',
      'mouth cartesia',
    ])
  })

  it('=local says in one sentence which folder is missing', async () => {
    await expect(mouthsOf(parts({ MOUTH: 'local', SPEECH_MODELS_DIR: '/nowhere' }))).rejects.toThrow(
      'MOUTH=local cannot use SPEECH_MODELS_DIR=/nowhere: there is no folder /nowhere/mouth. See docs/mouths.md.',
    )
  })

  it('says in one sentence that the file of VOICES is missing', async () => {
    await expect(async () => mouthsOf(parts({ MOUTH: 'openai', VOICES: '/nowhere.json', ...KEYS }))).rejects.toThrow(
      /^VOICES cannot be read/,
    )
  })
})
