import type { Clock, Mouth } from '@parley/voice-ports'
import { z } from 'zod'
import { failureOfStatus, SpeechFailure } from '../failure.ts'
import { socketAt } from '../sockets/address.ts'
import type { SocketProtocol, SpeechEvent } from '../sockets/protocol.ts'
import { socketMouth } from '../sockets/socket-mouth.ts'
import { baseOf, vendorVoice, type VoiceTables } from '../voices.ts'
import { CARTESIA_VERSION } from './version.ts'

export interface CartesiaOptions {
  readonly apiKey: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly model: string
  readonly voices: VoiceTables['cartesia']
  readonly clock: Clock
}

const Message = z.object({
  type: z.string(),
  context_id: z.string().nullish(),
  data: z.base64().nullish(),
  done: z.boolean().nullish(),
  status_code: z.number().nullish(),
  word_timestamps: z.object({ words: z.array(z.string()), end: z.array(z.number()) }).nullish(),
  title: z.string().nullish(),
  message: z.string().nullish(),
  error: z.string().nullish(),
  error_code: z.string().nullish(),
})

/** Speaks by Cartesia: one socket a call, a context for each text. */
export function createCartesiaMouth({ clock, ...options }: CartesiaOptions): Mouth {
  return socketMouth(protocolOf(options), clock)
}

function protocolOf({ apiKey, baseUrl, model, voices }: Omit<CartesiaOptions, 'clock'>): SocketProtocol {
  return {
    name: 'Cartesia',
    wordTimes: true,
    textsAtOnce: 8,
    // The voice comes with each text.
    address: () => ({
      url: socketAt(baseUrl, `/tts/websocket?cartesia_version=${CARTESIA_VERSION}`),
      headers: { authorization: `Bearer ${apiKey}`, 'cartesia-version': CARTESIA_VERSION },
    }),
    begin: ({ id, text, language, voiceId }) => [
      {
        model_id: model,
        transcript: text,
        voice: { mode: 'id', id: vendorVoice(voices, { language, voiceId }) ?? '' },
        language: baseOf(language),
        context_id: id,
        output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 },
        add_timestamps: true,
        continue: false,
      },
    ],
    cancel: (id) => [{ context_id: id, cancel: true }],
    farewell: null,
    read: (data) => eventsOf(Message.parse(JSON.parse(data.toString('utf8')))),
    closed: (code, reason) =>
      new SpeechFailure('broken', `It closed the connection (${[String(code), reason].filter(Boolean).join(', ')}).`),
  }
}

function eventsOf(message: z.output<typeof Message>): SpeechEvent[] {
  const id = message.context_id ?? null
  const times = message.word_timestamps
  switch (message.type) {
    case 'chunk':
      return [{ type: 'audio', id, audio: Uint8Array.from(Buffer.from(message.data ?? '', 'base64')) }]
    case 'timestamps':
      if (times == null) return []
      return [{ type: 'letters', id, letters: times.words, endsMs: times.end.map((end) => end * 1000), from: 'text' }]
    case 'done':
      return [{ type: 'done', id }]
    case 'error': {
      const said = [message.error_code, message.title, message.message, message.error].filter((part) => part != null)
      return [{ type: 'failed', id, failure: failureOfStatus(message.status_code ?? 500, said.join(': ')) }]
    }
    default:
      return []
  }
}
