import { STAGES } from './calls.ts'
import { z } from 'zod'

const PARTS_MAX = 20
const count = z.int().min(0)
const part = z.string().max(120)

/** What a call took of the vendors besides the carrier, for the operator alone. */
export const CallFigures = z.object({
  /** Delays in call time. */
  stages: z.array(z.object({ stage: z.enum(STAGES), count, p50Ms: count, p95Ms: count })).max(STAGES.length),
  tokens: z
    .array(
      z.object({
        model: part,
        inputTokens: count,
        outputTokens: count,
        /** Beside the speaking: outcomes, conclusion, summary. */
        task: z.literal('judging').optional(),
        /** Of this part of the sum; absent where it has no price. */
        costMicros: count.optional(),
      }),
    )
    .max(PARTS_MAX),
  spoken: z.array(z.object({ mouth: part, characters: count })).max(PARTS_MAX),
  heard: z.array(z.object({ ear: part, seconds: z.number().min(0) })).max(PARTS_MAX),
  /** In millionths of a US dollar, by the price table. */
  costMicros: count,
  /** Parts without a price, which cost nothing in the sum. */
  unpriced: z.array(part).max(PARTS_MAX * 3),
})
export type CallFigures = z.infer<typeof CallFigures>
