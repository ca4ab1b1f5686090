import type { Clock, Mouth, VoiceOptions } from '@parley/voice-ports'
import { z } from 'zod'
import { failureOfStatus, SpeechFailure } from '../failure.ts'
import { socketAt } from '../sockets/address.ts'
import type { SocketProtocol, SpeechEvent } from '../sockets/protocol.ts'
import { socketMouth } from '../sockets/socket-mouth.ts'
import { baseOf, vendorVoice, type VoiceTables } from '../voices.ts'

export interface ElevenLabsOptions {
  readonly apiKey: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly model: string
  readonly voices: VoiceTables['elevenlabs']
  readonly clock: Clock
}

/** The longest that it allows a context to be quiet. */
const INACTIVITY_SECONDS = 180

/** Of letters; the vendor has spelled the second list in two ways. */
const Times = z.object({
  chars: z.array(z.string()),
  charStartTimesMs: z.array(z.number()),
  charDurationsMs: z.array(z.number()).optional(),
  charsDurationsMs: z.array(z.number()).optional(),
})
const Message = z.object({
  audio: z.base64().nullish(),
  isFinal: z.boolean().nullish(),
  is_final: z.boolean().nullish(),
  contextId: z.string().nullish(),
  context_id: z.string().nullish(),
  alignment: Times.nullish(),
  normalizedAlignment: Times.nullish(),
  error: z.string().nullish(),
  message: z.string().nullish(),
  code: z.number().nullish(),
})
type Message = z.output<typeof Message>

/** Speaks by ElevenLabs: one socket a call, a context for each text. */
export function createElevenLabsMouth({ clock, ...options }: ElevenLabsOptions): Mouth {
  return socketMouth(protocolOf(options), clock)
}

function protocolOf({ apiKey, baseUrl, model, voices }: Omit<ElevenLabsOptions, 'clock'>): SocketProtocol {
  return {
    name: 'ElevenLabs',
    wordTimes: true,
    // It allows five contexts: one is left for what is being cancelled.
    textsAtOnce: 4,
    address: (voice) => ({
      url: socketAt(baseUrl, pathOf(voice, model, voices)),
      headers: { 'xi-api-key': apiKey },
    }),
    begin: ({ id, text }) => [
      { text: ' ', context_id: id, voice_settings: { stability: 0.5, similarity_boost: 0.75 } },
      { text: `${text} `, context_id: id, flush: true },
      { context_id: id, close_context: true },
    ],
    cancel: (id) => [{ context_id: id, close_context: true }],
    farewell: { close_socket: true },
    read: (data) => eventsOf(Message.parse(JSON.parse(data.toString('utf8')))),
    closed: failureOfClose,
  }
}

function pathOf(voice: VoiceOptions, model: string, voices: VoiceTables['elevenlabs']): string {
  const query = new URLSearchParams({
    model_id: model,
    output_format: 'ulaw_8000',
    auto_mode: 'true',
    sync_alignment: 'true',
    inactivity_timeout: String(INACTIVITY_SECONDS),
  })
  // Only these models let themselves be told the language; the others find it out.
  if (model.endsWith('_v2_5')) query.set('language_code', baseOf(voice.language))
  const id = vendorVoice(voices, voice) ?? ''
  return `/v1/text-to-speech/${encodeURIComponent(id)}/multi-stream-input?${query.toString()}`
}

function eventsOf(message: Message): SpeechEvent[] {
  const id = message.contextId ?? message.context_id ?? null
  if (message.error != null) return [{ type: 'failed', id, failure: refusalOf(message.code ?? 0, textOf(message)) }]
  const events: SpeechEvent[] = []
  if (message.audio != null)
    events.push({ type: 'audio', id, audio: Uint8Array.from(Buffer.from(message.audio, 'base64')) })
  // The text as it was given; the other one has numbers in words.
  const times = message.alignment ?? message.normalizedAlignment
  if (times != null) events.push({ type: 'letters', id, letters: times.chars, endsMs: endsOf(times), from: 'audio' })
  if (message.isFinal === true || message.is_final === true) events.push({ type: 'done', id })
  return events
}

const textOf = ({ error, message }: Message) => [error, message].filter((part) => part != null).join(': ')

function endsOf({ charStartTimesMs, charDurationsMs, charsDurationsMs }: z.output<typeof Times>): number[] {
  const durations = charDurationsMs ?? charsDurationsMs ?? []
  return charStartTimesMs.map((startMs, at) => startMs + (durations[at] ?? 0))
}

const failureOfClose = (code: number, reason: string) =>
  refusalOf(code, `It closed the connection (${[String(code), reason].filter((part) => part !== '').join(', ')}).`)

/** It closes with 1008 for a wrong key as for a quiet connection: the words tell. */
function refusalOf(code: number, said: string): SpeechFailure {
  if (code >= 400 && code < 600) return failureOfStatus(code, said)
  if (/quota|credit|api[_ -]?key|unauthori|payment|permission/i.test(said)) return new SpeechFailure('refused', said)
  if (/voice[_ ]|model[_ ]/i.test(said)) return new SpeechFailure('unable', said)
  if (/concurren|too many|busy|capacity|rate/i.test(said)) return new SpeechFailure('busy', said)
  return new SpeechFailure('broken', said)
}
