import { type Clock, type Mouth, systemClock } from '@parley/voice-ports'
import { createScriptedMouth } from '@parley/sandbox'
import {
  type MouthFarEnd,
  startCartesiaFarEnd,
  startDeepgramSpeakFarEnd,
  startElevenLabsFarEnd,
  startOpenAiSpeechFarEnd,
} from '@parley/sandbox/testing'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCartesiaMouth } from './cartesia/index.ts'
import { createDeepgramMouth } from './deepgram/mouth.ts'
import { createElevenLabsMouth } from './elevenlabs/index.ts'
import { failoverMouth } from './failover.ts'
import { createOpenAiMouth } from './openai/mouth.ts'
import { hear, TEXT, until } from './testing/listening.ts'
import { voiceTables } from './voices.ts'

const voices = voiceTables(null)
const VOICE = { language: 'en', voiceId: 'warm' }

const VENDORS: readonly [string, () => Promise<MouthFarEnd>, (far: MouthFarEnd, clock: Clock) => Mouth][] = [
  [
    'ElevenLabs',
    startElevenLabsFarEnd,
    ({ apiKey, url: baseUrl }, clock) =>
      createElevenLabsMouth({ apiKey, baseUrl, model: 'eleven_flash_v2_5', voices: voices.elevenlabs, clock }),
  ],
  [
    'Cartesia',
    startCartesiaFarEnd,
    ({ apiKey, url: baseUrl }, clock) =>
      createCartesiaMouth({ apiKey, baseUrl, model: 'sonic-3', voices: voices.cartesia, clock }),
  ],
  [
    'Deepgram',
    startDeepgramSpeakFarEnd,
    ({ apiKey, url: baseUrl }, clock) =>
      createDeepgramMouth({ apiKey, baseUrl, model: 'aura-2', voices: voices.deepgram, clock }),
  ],
  [
    'OpenAI',
    startOpenAiSpeechFarEnd,
    ({ apiKey, url }, clock) =>
      createOpenAiMouth({ apiKey, baseUrl: `${url}/v1`, model: 'gpt-4o-mini-tts', voices: voices.openai, clock }),
  ],
]

describe('a vendor that is killed in mid-sentence', () => {
  it.each(VENDORS)('%s: the next mouth goes on with the words that were not said', async (_, start, make) => {
    const far = await start()
    const rest: string[] = []
    const last = createScriptedMouth()
    const next: Mouth = {
      ...last,
      open(options) {
        const speaking = last.open(options)
        return { ...speaking, speak: (text, told) => (rest.push(text), speaking.speak(text, told)) }
      },
    }
    const clock = systemClock()
    const mouth = failoverMouth([make(far, clock), next], { clock, log: pino({ level: 'silent' }) })
    const speaking = mouth.open(VOICE)
    onTestFinished(() => speaking.close())
    // It says 1.2 s and is gone, for the second try too.
    far.faults.set('text', { how: 'silent', afterMs: 1200 })
    const heard = hear(speaking)
    await until(() => expect(far.texts.at(-1)).toMatchObject({ state: 'lost' }))
    await far.close()
    const { text, ms, words } = await heard
    expect(text.replaceAll(/\s+/g, ' ')).toBe(TEXT)
    expect(rest).toHaveLength(1)
    expect(TEXT.endsWith(rest[0]!)).toBe(true)
    expect(rest[0]!.length).toBeLessThan(TEXT.length)
    const whole = await hear(createScriptedMouth().open(VOICE))
    // What was said before, and the rest: at most a few words more than the whole.
    expect(ms).toBeLessThan(whole.ms + 1200)
    expect(words.map(({ endMs }) => endMs)).toEqual(words.map(({ endMs }) => endMs).toSorted((a, b) => a - b))
  })
})
