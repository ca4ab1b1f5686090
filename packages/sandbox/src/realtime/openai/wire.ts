import { z } from 'zod'

// The client events of OpenAI's Realtime API (GA) that this far end understands. Names of the beta are refused.

const Modalities = z.array(z.enum(['text', 'audio'])).length(1, 'Only one of text and audio can be asked for.')
const Format = z.union([
  z.strictObject({ type: z.enum(['audio/pcmu', 'audio/pcma']) }),
  z.strictObject({ type: z.literal('audio/pcm'), rate: z.literal(24000) }),
])
const Tool = z.strictObject({
  type: z.literal('function'),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
})
const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), name: z.string() }),
])
const Transcription = z.strictObject({
  model: z.string().optional(),
  language: z.string().optional(),
  languages: z.array(z.string()).optional(),
  keywords: z.array(z.string()).optional(),
  prompt: z.string().optional(),
})
const Shared = {
  instructions: z.string().optional(),
  max_output_tokens: z.union([z.int().min(1).max(4096), z.literal('inf')]).optional(),
  output_modalities: Modalities.optional(),
  tools: z.array(Tool).optional(),
  tool_choice: ToolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
}
export const SessionUpdate = z.strictObject({
  type: z.literal('realtime'),
  ...Shared,
  audio: z
    .strictObject({
      input: z
        .strictObject({
          format: Format.optional(),
          noise_reduction: z
            .strictObject({ type: z.enum(['near_field', 'far_field']) })
            .nullable()
            .optional(),
          transcription: Transcription.nullable().optional(),
          turn_detection: z.null('This far end detects no turns.').optional(),
        })
        .optional(),
      output: z
        .strictObject({ format: Format.optional(), voice: z.string().optional(), speed: z.number().optional() })
        .optional(),
    })
    .optional(),
})
export type SessionUpdate = z.output<typeof SessionUpdate>

const Id = z.string().min(1).max(32)
const Message = z.strictObject({
  id: Id.optional(),
  type: z.literal('message'),
  role: z.enum(['system', 'user', 'assistant']),
  content: z.array(
    z.union([
      z.strictObject({ type: z.enum(['input_text', 'output_text']), text: z.string() }),
      z.strictObject({ type: z.literal('input_audio'), audio: z.base64() }),
    ]),
  ),
})
const FunctionOutput = z.strictObject({
  id: Id.optional(),
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.string(),
})
const Item = z.discriminatedUnion('type', [Message, FunctionOutput])
export type GivenItem = z.output<typeof Item>

const ResponseParams = z.strictObject({
  ...Shared,
  conversation: z.enum(['auto', 'none']).optional(),
  input: z.array(Item).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
})
export type ResponseParams = z.output<typeof ResponseParams>

const event = { event_id: z.string().max(512).optional() }
export const ClientEvent = z.discriminatedUnion('type', [
  z.strictObject({ ...event, type: z.literal('session.update'), session: SessionUpdate }),
  z.strictObject({ ...event, type: z.literal('input_audio_buffer.append'), audio: z.base64() }),
  z.strictObject({ ...event, type: z.literal('input_audio_buffer.commit') }),
  z.strictObject({ ...event, type: z.literal('input_audio_buffer.clear') }),
  z.strictObject({
    ...event,
    type: z.literal('conversation.item.create'),
    item: Item,
    previous_item_id: z.string().optional(),
  }),
  z.strictObject({ ...event, type: z.literal('conversation.item.delete'), item_id: z.string() }),
  z.strictObject({
    ...event,
    type: z.literal('conversation.item.truncate'),
    item_id: z.string(),
    content_index: z.literal(0),
    audio_end_ms: z.int().min(0),
  }),
  z.strictObject({ ...event, type: z.literal('response.create'), response: ResponseParams.optional() }),
  z.strictObject({ ...event, type: z.literal('response.cancel'), response_id: z.string().optional() }),
])
export type ClientEvent = z.output<typeof ClientEvent>

/** Thrown where the vendor answers with an error event. The session goes on. */
export class Refusal extends Error {
  readonly code: string | null
  readonly param: string | null

  constructor(message: string, code: string | null = null, param: string | null = null) {
    super(message)
    this.code = code
    this.param = param
  }
}
