import { ConfigError } from '@parley/contract/environment'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { socketUrl } from './vendors.ts'

const SECRET = 'a secret of more than 16 characters'
const vendorsOf = (environment: Record<string, string>) => readConfig({ VOICE_SECRET: SECRET, ...environment }).vendors

const OPENAI = { OPENAI_API_KEY: 'sk-1' }

describe('the variables of ears, mouths and minds', () => {
  it('have the parts of this machine as their default', () => {
    expect(vendorsOf({})).toMatchObject({ ears: [], mouths: [], mind: { kind: 'scripted' }, access: {} })
  })

  it('keep the order of preference, and each address without its last slash', () => {
    const given = { EAR: 'deepgram, openai', MOUTH: 'elevenlabs,espeak', DEEPGRAM_BASE_URL: 'http://127.0.0.1:9/' }
    const keys = { ...OPENAI, DEEPGRAM_API_KEY: 'd', ELEVENLABS_API_KEY: 'e' }
    expect(vendorsOf({ ...given, ...keys })).toMatchObject({
      ears: ['deepgram', 'openai'],
      mouths: ['elevenlabs', 'espeak'],
      access: {
        deepgram: { apiKey: 'd', baseUrl: 'http://127.0.0.1:9' },
        openai: { apiKey: 'sk-1', baseUrl: 'https://api.openai.com/v1' },
        elevenlabs: { apiKey: 'e', baseUrl: 'https://api.elevenlabs.io' },
      },
    })
  })

  it('take models, addresses and keys in the order of their providers', () => {
    const { mind } = vendorsOf({
      MIND: 'language-model',
      MIND_PROVIDER: 'openai-compatible,anthropic',
      MIND_MODEL: 'llama,claude',
      MIND_OBSERVER_MODEL: ',claude-small',
      MIND_BASE_URL: 'http://127.0.0.1:11434/v1,',
      ANTHROPIC_API_KEY: 'a',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:8/v1',
    })
    expect(mind).toEqual({
      kind: 'language-model',
      models: [
        {
          provider: 'openai-compatible',
          model: 'llama',
          observerModel: 'llama',
          apiKey: null,
          baseUrl: 'http://127.0.0.1:11434/v1',
        },
        {
          provider: 'anthropic',
          model: 'claude',
          observerModel: 'claude-small',
          apiKey: 'a',
          baseUrl: 'http://127.0.0.1:8/v1',
        },
      ],
    })
  })

  it.each([
    ['OPENAI_BASE_URL', 'http://127.0.0.1:9', 'openai', 'http://127.0.0.1:9/v1'],
    ['OPENAI_BASE_URL', 'http://127.0.0.1:9/eu/v1/', 'openai', 'http://127.0.0.1:9/eu/v1'],
    ['DEEPGRAM_BASE_URL', 'http://127.0.0.1:9/v1', 'deepgram', 'http://127.0.0.1:9'],
  ])('take %s=%s with and without its version', (name, address, vendor, taken) => {
    const { access } = vendorsOf({ EAR: 'openai,deepgram', ...OPENAI, DEEPGRAM_API_KEY: 'd', [name]: address })
    expect(Object.entries(access)).toContainEqual([vendor, expect.objectContaining({ baseUrl: taken })])
  })

  it('take one provider for speech to speech', () => {
    const realtime = { ...OPENAI, MIND: 'realtime', MIND_PROVIDER: 'openai', MIND_MODEL: 'gpt-realtime' }
    expect(vendorsOf(realtime).mind).toMatchObject({ kind: 'realtime', provider: 'openai', model: 'gpt-realtime' })
    expect(vendorsOf(realtime).mind).toMatchObject({ output: 'text', voice: 'marin', earModel: 'gpt-live-transcribe' })
    expect(vendorsOf({ ...realtime, MIND_OUTPUT: 'sound', MIND_VOICE: 'cedar' }).mind).toMatchObject({
      output: 'sound',
      voice: 'cedar',
    })
  })

  it.each<[Record<string, string>, string]>([
    [{ EAR: 'deepgram' }, 'DEEPGRAM_API_KEY is missing, for EAR=deepgram'],
    [{ EAR: 'openai', MOUTH: 'openai' }, 'OPENAI_API_KEY is missing, for EAR=openai and MOUTH=openai'],
    [{ EAR: 'whisper' }, 'EAR: must name each of deepgram, openai, local at most once'],
    [{ MOUTH: 'espeak,espeak' }, 'MOUTH: must name each of'],
    [{ MOUTH: 'local' }, 'MOUTH=local needs SPEECH_MODELS_DIR'],
    [{ MIND: 'language-model' }, 'needs MIND_PROVIDER'],
    [{ ...OPENAI, MIND: 'language-model', MIND_PROVIDER: 'openai' }, 'MIND_MODEL must name a model for each'],
    [{ MIND: 'language-model', MIND_PROVIDER: 'google', MIND_MODEL: 'g' }, 'needs GOOGLE_GENERATIVE_AI_API_KEY'],
    [{ MIND: 'language-model', MIND_PROVIDER: 'openai-compatible', MIND_MODEL: 'm' }, 'MIND_BASE_URL'],
    [{ ...OPENAI, MIND: 'realtime', MIND_PROVIDER: 'openai,google', MIND_MODEL: 'a,b' }, 'needs GOOGLE_'],
    [{ MIND: 'realtime', MIND_PROVIDER: 'anthropic', MIND_MODEL: 'a', MIND_API_KEY: 'k' }, 'openai or google'],
  ])('refuse %j in one sentence', (environment, sentence) => {
    expect(() => vendorsOf(environment)).toThrow(ConfigError)
    expect(() => vendorsOf(environment)).toThrow(sentence)
  })
})

describe('socketUrl', () => {
  it('swaps the scheme', () => {
    expect(socketUrl('https://api.deepgram.com', '/v1/listen')).toBe('wss://api.deepgram.com/v1/listen')
    expect(socketUrl('http://127.0.0.1:9', '/x')).toBe('ws://127.0.0.1:9/x')
  })
})
