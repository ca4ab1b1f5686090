import { z } from 'zod'

// The server events of OpenAI's Realtime API (GA) that are read; all others are passed over.

const ofItem = { item_id: z.string() }
const ofReply = { response_id: z.string(), ...ofItem }
const Usage = z.object({ input_tokens: z.number().nullish(), output_tokens: z.number().nullish() })
const Response = z.object({
  id: z.string(),
  status: z.string().nullish(),
  status_details: z
    .object({
      reason: z.string().nullish(),
      error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
    })
    .nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  usage: Usage.nullish(),
})
export type Response = z.infer<typeof Response>

const TRANSCRIPTION = 'conversation.item.input_audio_transcription'

const Heard = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input_audio_buffer.committed'), ...ofItem }),
  z.object({ type: z.literal(`${TRANSCRIPTION}.delta`), ...ofItem, delta: z.string().default('') }),
  z.object({ type: z.literal(`${TRANSCRIPTION}.completed`), ...ofItem, transcript: z.string() }),
  z.object({ type: z.literal(`${TRANSCRIPTION}.failed`), ...ofItem }),
])
export type Heard = z.infer<typeof Heard>

const Replied = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response.created'), response: Response }),
  z.object({
    type: z.literal('response.output_item.added'),
    response_id: z.string(),
    item: z.object({ id: z.string(), type: z.string() }),
  }),
  z.object({ type: z.literal('response.output_text.delta'), ...ofReply, delta: z.string() }),
  z.object({ type: z.literal('response.output_audio_transcript.delta'), ...ofReply, delta: z.string() }),
  z.object({ type: z.literal('response.output_audio.delta'), ...ofReply, delta: z.string() }),
  z.object({
    type: z.literal('response.function_call_arguments.done'),
    ...ofReply,
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({ type: z.literal('response.done'), response: Response }),
])
export type Replied = z.infer<typeof Replied>

const ServerError = z.object({
  type: z.literal('error'),
  error: z.object({ code: z.string().nullish(), message: z.string().default(''), event_id: z.string().nullish() }),
})
export type ServerError = z.infer<typeof ServerError>

const Session = z.object({ type: z.enum(['session.created', 'session.updated']) })

export type ServerEvent = Heard | Replied | ServerError | z.infer<typeof Session>

const ServerEvents = z.union([Replied, Heard, ServerError, Session])

/** null for an event of no interest, and for garbage. */
export function readEvent(text: string): ServerEvent | null {
  try {
    return ServerEvents.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The function's arguments; undefined where they are no JSON. */
export function readArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
