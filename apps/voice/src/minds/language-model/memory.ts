import type { Asked } from '@parley/voice-ports'
import { z } from 'zod'

const INSTRUCTIONS_MAX = 10

/** What the turns do not hold. */
const Memory = z.object({
  /** Of the principal in mid-call, the oldest first. */
  instructions: z.array(z.string()).max(INSTRUCTIONS_MAX),
  /** The phase told last. */
  phase: z.string().nullable(),
})
export type Memory = z.infer<typeof Memory>

/** Also of memory that is missing or another mind's. */
export function recall({ memory, cue }: Asked): Memory {
  const { instructions, phase } = Memory.safeParse(memory).data ?? { instructions: [], phase: null }
  const isNew = cue.type === 'instruction' && instructions.at(-1) !== cue.text
  return { instructions: (isNew ? [...instructions, cue.text] : instructions).slice(-INSTRUCTIONS_MAX), phase }
}
