import { describe, expect, it } from 'vitest'
import { type Telephony, voiceParts } from './voice-parts.ts'

const SIMULATED: Telephony = { isSimulated: true, carrier: 'simulated', speed: 1, testNumbers: true }
const TWILIO: Telephony = { isSimulated: false, carrier: 'sip,twilio', speed: 1, testNumbers: false }
const KEYS = { DEEPGRAM_API_KEY: 'key', OPENAI_API_KEY: 'key', ELEVENLABS_API_KEY: 'key' }

describe('the log of the start', () => {
  it('says that all is simulated where nothing is set', () => {
    expect(voiceParts({}, { ...SIMULATED, speed: 20 })).toEqual([
      'carrier    simulated network, 20 times as fast: nobody real is called',
      'ear        none: the simulated network carries the words as text',
      'mouth      espeak-ng where it is installed',
      'mind       scripted: an offline agent without a language model',
    ])
  })

  it('names each vendor in its order with its model', () => {
    const environment = {
      ...KEYS,
      EAR: 'deepgram,openai',
      MOUTH: 'elevenlabs,espeak',
      MIND: 'language-model',
      MIND_PROVIDER: 'openai,openai-compatible',
      MIND_MODEL: 'gpt-5,llama',
      MIND_BASE_URL: ',http://127.0.0.1:11434/v1',
    }
    expect(voiceParts(environment, TWILIO)).toEqual([
      'carrier    sip, then twilio',
      'ear        Deepgram nova-3, then OpenAI gpt-live-transcribe',
      'mouth      ElevenLabs eleven_flash_v2_5, then espeak-ng',
      'mind       openai gpt-5, then openai-compatible llama',
    ])
  })

  it('warns that real numbers are refused only where a real carrier has no ear', () => {
    const [refused] = voiceParts({}, { ...TWILIO, testNumbers: true })
    expect(refused).toBe(
      'carrier    sip, then twilio: no EAR is set, so real numbers are refused; +1 202 555 01xx reach the simulated network',
    )
    expect(voiceParts({ ...KEYS, EAR: 'deepgram' }, TWILIO)[0]).toBe('carrier    sip, then twilio')
  })

  it('leaves it to the voice service to say what is wrong', () => {
    expect(voiceParts({ EAR: 'deepgram' }, TWILIO)).toEqual(['carrier    sip, then twilio'])
  })
})
