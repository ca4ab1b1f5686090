import { randomUUID } from 'node:crypto'
import { z } from 'zod'

// OpenAI's events of transcription sessions, as their client types them.

const Transcription = z.strictObject({
  model: z.string(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/)
    .optional(),
  languages: z.array(z.string().regex(/^[a-z]{2}$/)).optional(),
  keywords: z.array(z.string()).optional(),
  prompt: z.string().optional(),
  delay: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
})
export type Transcription = z.infer<typeof Transcription>

const Input = z.strictObject({
  format: z.strictObject({ type: z.literal('audio/pcmu') }).optional(),
  transcription: Transcription.optional(),
  noise_reduction: z.strictObject({ type: z.enum(['near_field', 'far_field']) }).nullish(),
  turn_detection: z.null().optional(),
})
export type Input = z.infer<typeof Input>

const id = { event_id: z.string().optional() }

/** What this far end takes: turns are the client's. */
export const ClientEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session.update'),
    session: z.strictObject({ type: z.literal('transcription'), audio: z.strictObject({ input: Input }) }),
    ...id,
  }),
  z.object({ type: z.literal('input_audio_buffer.append'), audio: z.base64(), ...id }),
  z.object({ type: z.literal('input_audio_buffer.commit'), ...id }),
  z.object({ type: z.literal('input_audio_buffer.clear'), ...id }),
])

export const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 21)}`

export function event(type: string, fields: object): object {
  return { type, event_id: newId('event'), ...fields }
}

export function sessionOf(sessionId: string, input: Input) {
  const hour = 3600
  return {
    type: 'transcription',
    object: 'realtime.transcription_session',
    id: sessionId,
    expires_at: Math.floor(Date.now() / 1000) + hour,
    audio: { input },
    include: null,
  }
}

export interface Told {
  readonly code: string
  readonly message: string
  readonly eventId?: string | undefined
}

export function error({ code, message, eventId }: Told): object {
  const type = code === 'server_error' ? 'server_error' : 'invalid_request_error'
  return event('error', { error: { type, code, message, param: null, event_id: eventId ?? null } })
}

/** Models that give deltas while somebody speaks; the others when the sound was committed. */
export const isStreaming = (model: string): boolean => /^gpt-(live-transcribe|realtime-whisper)/.test(model)
export const MODELS = [
  'gpt-live-transcribe',
  'gpt-realtime-whisper',
  'gpt-transcribe',
  'gpt-4o-transcribe',
  'gpt-4o-mini-transcribe',
  'whisper-1',
]

/** Why a model does not take these settings. */
export function mistakeIn({ model, ...asked }: Transcription): string | null {
  if (!MODELS.includes(model)) return `Invalid value: '${model}'.`
  const takesKeywords = ['gpt-live-transcribe', 'gpt-transcribe'].includes(model)
  if (!takesKeywords && (asked.keywords || asked.languages)) return `Keywords and languages are not for ${model}.`
  if (model === 'gpt-realtime-whisper' && asked.prompt !== undefined) return `Prompt is not supported with ${model}.`
  if (model !== 'gpt-realtime-whisper' && asked.delay !== undefined) return `Delay is not supported with ${model}.`
  return null
}
