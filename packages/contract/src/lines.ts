import { z } from 'zod'

/**
 * The sound of a live call over a WebSocket, the same messages from page to api and from api to voice.
 *
 *   audio   Listening in: both sides of the call, as they are heard. After take_over also up: the person's own voice.
 *   answer  The telephone of a call to ...555 0199: opening it picks up, closing it hangs up.
 *           Down: the agent's voice. Up: the person's voice, and PhoneMessage as text.
 *
 * The server sends LineReady once the line stands; what is sent before that is lost. Sound is binary, mu-law at 8 kHz:
 * down, a byte of LINE_SIDES and then the samples; up, the samples alone, LINE_FRAME_BYTES at a time, every 20 ms.
 * A page must show a session's cookie and an allowed Origin; the api shows the voice service their shared secret.
 */
export const LINE_PATHS = { audio: '/ws/calls/:id/audio', answer: '/ws/calls/:id/answer' } as const
export const VOICE_LINE_PATHS = { audio: '/v1/calls/:id/audio', answer: '/v1/calls/:id/answer' } as const
/** How the test number ends that rings in the browser of whoever calls it. */
export const BROWSER_PHONE_ENDS = '5550199'
export type LineKind = keyof typeof LINE_PATHS

export const LINE_SIDES = { callee: 0, agent: 1 } as const
export const LINE_FRAME_BYTES = 160
export const LINE_FRAME_MS = 20

export const LineReady = z.object({ type: z.literal('ready') })
export type LineReady = z.infer<typeof LineReady>

export const LINE_TEXT_MAX = 500
/** Keys of a telephone. */
export const Digits = z.string().regex(/^[0-9*#]+$/, 'Only the keys of a telephone can be pressed.')

/** What a person at the telephone does beside speaking. Said words are spoken by a synthetic voice. */
export const PhoneMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('say'), text: z.string().trim().min(1).max(LINE_TEXT_MAX) }),
  z.object({ type: z.literal('press'), digits: Digits.max(32) }),
])
export type PhoneMessage = z.infer<typeof PhoneMessage>

/**
 * Close codes of the lines, as LIVE_CLOSE where they mean the same; notFound: not there, not one's own, or not live.
 */
export const LINE_CLOSE = {
  over: 1000,
  goingAway: 1001,
  unauthenticated: 4401,
  notFound: 4404,
  /** It is not ringing: somebody has picked up, or nobody may. */
  taken: 4409,
  /** Too many lines are open. */
  busy: 4429,
  unavailable: 4503,
} as const
