import type { Clock, Mouth } from '@parley/voice-ports'
import { z } from 'zod'
import { SpeechFailure } from '../failure.ts'
import { socketAt } from '../sockets/address.ts'
import type { SocketProtocol, SpeechEvent } from '../sockets/protocol.ts'
import { socketMouth } from '../sockets/socket-mouth.ts'
import { baseOf, vendorVoice, type VoiceTables } from '../voices.ts'

export interface DeepgramMouthOptions {
  readonly apiKey: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Of its voices, as aura-2. */
  readonly model: string
  readonly voices: VoiceTables['deepgram']
  readonly clock: Clock
}

const Message = z.object({
  type: z.string(),
  description: z.string().nullish(),
  code: z.string().nullish(),
  err_msg: z.string().nullish(),
})

/** Speaks by Deepgram: one socket for each voice, one text after the other, without times of words. */
export function createDeepgramMouth({ clock, ...options }: DeepgramMouthOptions): Mouth {
  return socketMouth(protocolOf(options), clock)
}

function protocolOf({ apiKey, baseUrl, model, voices }: Omit<DeepgramMouthOptions, 'clock'>): SocketProtocol {
  return {
    name: 'Deepgram',
    wordTimes: false,
    // Its sound does not say which text it belongs to.
    textsAtOnce: 1,
    address({ language, voiceId }) {
      const base = baseOf(language)
      const voice = vendorVoice(voices, { language, voiceId })
      if (voice === undefined)
        throw new SpeechFailure('unable', `Deepgram has no voice for the language "${language}".`)
      const query = new URLSearchParams({
        // A whole name, as VOICES may give it, has its language.
        model: voice.includes('-') ? voice : `${model}-${voice}-${base}`,
        encoding: 'mulaw',
        sample_rate: '8000',
        container: 'none',
      })
      return {
        url: socketAt(baseUrl, `/v1/speak?${query.toString()}`),
        headers: { authorization: `Token ${apiKey}` },
      }
    },
    begin: ({ text }) => [{ type: 'Speak', text }, { type: 'Flush' }],
    cancel: () => [{ type: 'Clear' }],
    farewell: { type: 'Close' },
    read(data, isBinary) {
      if (isBinary) return [{ type: 'audio', id: null, audio: Uint8Array.from(data) }]
      return eventsOf(Message.parse(JSON.parse(data.toString('utf8'))))
    },
    closed: (code, reason) =>
      new SpeechFailure('broken', `It closed the connection (${[String(code), reason].filter(Boolean).join(', ')}).`),
  }
}

function eventsOf({ type, description, code, err_msg: error }: z.output<typeof Message>): SpeechEvent[] {
  const said = [code, description, error].filter((part) => part != null).join(': ')
  switch (type) {
    case 'Flushed':
    case 'Cleared':
      return [{ type: 'done', id: null }]
    // Flushed too often in a minute: the sound of this text does not come.
    case 'Warning':
      return [{ type: 'failed', id: null, failure: new SpeechFailure('busy', said) }]
    case 'Error':
      return [{ type: 'failed', id: null, failure: new SpeechFailure('broken', said) }]
    default:
      return []
  }
}
