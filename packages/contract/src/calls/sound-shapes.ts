import { SAID_MAX_CHARS } from './sound.ts'
import { z } from 'zod'

export const SoundReady = z.object({ type: z.literal('ready') })
export type SoundReady = z.infer<typeof SoundReady>
/** Keys of a telephone. */
export const Digits = z.string().regex(/^[0-9*#]+$/, 'Only the keys of a telephone can be pressed.')

/** What a person at the telephone does beside speaking. Said words are spoken by a synthetic voice. */
export const PhoneMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('say'), text: z.string().trim().min(1).max(SAID_MAX_CHARS) }),
  z.object({ type: z.literal('press'), digits: Digits.max(32) }),
])
export type PhoneMessage = z.infer<typeof PhoneMessage>
