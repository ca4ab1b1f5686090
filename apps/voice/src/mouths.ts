import { ConfigError } from '@parley/contract/environment'
import type { Mouth } from '@parley/voice-ports'
import type { MouthName, Vendor } from './vendors.ts'
import type { Adapters, SpeechParts } from './speech-adapter.ts'
import { checkCartesia, createCartesiaMouth } from './speech/cartesia/index.ts'
import { checkDeepgramMouth } from './speech/deepgram/mouth-check.ts'
import { createDeepgramMouth } from './speech/deepgram/mouth.ts'
import { checkElevenLabs, createElevenLabsMouth } from './speech/elevenlabs/index.ts'
import { createEspeakMouth, createSherpaMouth, findEspeak } from './speech/local/index.ts'
import { checkOpenAiMouth } from './speech/openai/mouth-check.ts'
import { createOpenAiMouth } from './speech/openai/mouth.ts'
import { voicesOf } from './speech/voices.ts'

/** The mouths of this build. */
export const MOUTH_ADAPTERS: Adapters<MouthName, Mouth> = {
  elevenlabs: {
    create: (parts) =>
      createElevenLabsMouth({
        ...accessOf('elevenlabs', parts),
        model: modelsOf(parts).elevenlabs,
        voices: voicesOf(parts.config.vendors.voicesFile).elevenlabs,
        clock: parts.clock,
      }),
    check: (parts) => ({
      mend: 'Let this machine reach ELEVENLABS_BASE_URL, or correct it.',
      run: (signal) => checkElevenLabs(accessOf('elevenlabs', parts), signal),
    }),
  },
  cartesia: {
    create: (parts) =>
      createCartesiaMouth({
        ...accessOf('cartesia', parts),
        model: modelsOf(parts).cartesia,
        voices: voicesOf(parts.config.vendors.voicesFile).cartesia,
        clock: parts.clock,
      }),
    check: (parts) => ({
      mend: 'Let this machine reach CARTESIA_BASE_URL, or correct it.',
      run: (signal) => checkCartesia(accessOf('cartesia', parts), signal),
    }),
  },
  deepgram: {
    create: (parts) =>
      createDeepgramMouth({
        ...accessOf('deepgram', parts),
        model: modelsOf(parts).deepgramMouth,
        voices: voicesOf(parts.config.vendors.voicesFile).deepgram,
        clock: parts.clock,
      }),
    check: (parts) => ({
      mend: 'Let this machine reach DEEPGRAM_BASE_URL, or correct it.',
      run: (signal) => checkDeepgramMouth(accessOf('deepgram', parts), signal),
    }),
  },
  openai: {
    create: (parts) =>
      createOpenAiMouth({
        ...accessOf('openai', parts),
        model: modelsOf(parts).openaiMouth,
        voices: voicesOf(parts.config.vendors.voicesFile).openai,
        clock: parts.clock,
      }),
    check: (parts) => ({
      mend: 'Let this machine reach OPENAI_BASE_URL, or correct it.',
      run: (signal) => checkOpenAiMouth(accessOf('openai', parts), signal),
    }),
  },
  espeak: {
    async create() {
      const binary = await findEspeak()
      if (binary !== null) return createEspeakMouth({ binary })
      throw new ConfigError('MOUTH=espeak needs espeak-ng on this machine. Install it, or name another mouth.')
    },
    check: () => ({
      mend: 'Install espeak-ng on this machine.',
      run: async () =>
        (await findEspeak()) === null
          ? { ok: false, problem: 'espeak-ng is not installed.', mend: 'Install espeak-ng on this machine.' }
          : { ok: true, detail: 'espeak-ng speaks on this machine.' },
    }),
  },
  local: {
    async create({ config }) {
      const dir = config.vendors.models.localDir ?? ''
      return createSherpaMouth(dir).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        throw new ConfigError(`MOUTH=local cannot use SPEECH_MODELS_DIR=${dir}: ${why}. See docs/mouths.md.`)
      })
    },
    check: () => ({
      mend: 'Correct the models in SPEECH_MODELS_DIR.',
      // A service that runs has loaded them.
      run: () => Promise.resolve({ ok: true, detail: 'The models of sherpa-onnx are loaded.' }),
    }),
  },
}

const modelsOf = ({ config }: SpeechParts) => config.vendors.models

/** The settings have one for each vendor that is named. */
function accessOf(vendor: Vendor, { config }: SpeechParts) {
  const access = config.vendors.access[vendor]
  if (access) return access
  throw new ConfigError(`MOUTH=${vendor} needs a key. Set it.`)
}
