import { z } from 'zod'

// Deepgram's messages, as far as they are read. What is of no use, or of another shape, is dropped.

const Word = z.object({
  word: z.string(),
  punctuated_word: z.string().optional(),
  language: z.string().optional(),
})

const Results = z.object({
  type: z.literal('Results'),
  start: z.number(),
  duration: z.number(),
  is_final: z.boolean().default(false),
  speech_final: z.boolean().default(false),
  from_finalize: z.boolean().default(false),
  channel: z.object({
    alternatives: z.array(z.object({ transcript: z.string(), words: z.array(Word).default([]) })).min(1),
  }),
})
export type Results = z.infer<typeof Results>

const UtteranceEnd = z.object({ type: z.literal('UtteranceEnd') })
const Quiet = z.object({ type: z.enum(['Metadata', 'SpeechStarted']) })

/** Of /v1/listen. */
export const NovaMessage = z.union([Results, UtteranceEnd, Quiet])

const TurnInfo = z.object({
  type: z.literal('TurnInfo'),
  event: z.string(),
  turn_index: z.number(),
  audio_window_end: z.number(),
  transcript: z.string(),
  end_of_turn_confidence: z.number().min(0).max(1).catch(1),
  languages: z.array(z.string()).optional(),
})
export type TurnInfo = z.infer<typeof TurnInfo>

const Configured = z.object({ type: z.enum(['Connected', 'ConfigureSuccess', 'ConfigureFailure']) })
const FluxError = z.object({ type: z.literal('Error'), code: z.string(), description: z.string().default('') })

/** Of /v2/listen. */
export const FluxMessage = z.union([TurnInfo, Configured, FluxError])
