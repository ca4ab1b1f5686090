import { z } from 'zod'

// OpenAI's events of a transcription session, as far as they are read. Others are dropped.

const NAMES = 'conversation.item.input_audio_transcription'

const Updated = z.object({ type: z.literal('session.updated') })
const Committed = z.object({
  type: z.literal('input_audio_buffer.committed'),
  item_id: z.string(),
  previous_item_id: z.string().nullish(),
})
const Delta = z.object({ type: z.literal(`${NAMES}.delta`), item_id: z.string(), delta: z.string().default('') })
const Completed = z.object({
  type: z.literal(`${NAMES}.completed`),
  item_id: z.string(),
  transcript: z.string(),
  languages: z.array(z.object({ code: z.string() })).optional(),
})
const Reason = z.object({
  type: z.string().nullish(),
  code: z.string().nullish(),
  message: z.string().nullish(),
  event_id: z.string().nullish(),
})
const Failed = z.object({ type: z.literal(`${NAMES}.failed`), item_id: z.string(), error: Reason })
const Trouble = z.object({ type: z.literal('error'), error: Reason })

export const EarMessage = z.discriminatedUnion('type', [Updated, Committed, Delta, Completed, Failed, Trouble])
export type EarMessage = z.infer<typeof EarMessage>
