/**
 * The sound of a live call over a WebSocket, the same messages from page to api and from api to voice.
 *
 *   audio   Listening in: both sides of the call as heard. After take_over also up: the person's own voice.
 *   answer  The telephone of a call to ...555 0199: opening it picks up, closing it hangs up.
 *           Down: the agent's voice. Up: the person's voice, and PhoneMessage as text.
 *
 * The server sends SoundReady once the socket is ready; what is sent before is lost. Sound is binary, mu-law at 8 kHz:
 * down, a byte of SOUND_SIDES and then the samples; up, the samples alone, SOUND_FRAME_BYTES at a time, every 20 ms.
 * A page must show a session's cookie and an allowed Origin; the api shows the voice service their shared secret.
 */
export const SOUND_PATHS = { audio: '/ws/calls/:id/audio', answer: '/ws/calls/:id/answer' } as const
export const VOICE_SOUND_PATHS = { audio: '/v1/calls/:id/audio', answer: '/v1/calls/:id/answer' } as const
/** The last digits of the test number that rings in the caller's own browser. */
export const BROWSER_PHONE_ENDS = '5550199'
export type SoundKind = keyof typeof SOUND_PATHS

export const SOUND_SIDES = { callee: 0, agent: 1 } as const
export const SOUND_FRAME_BYTES = 160
export const SOUND_FRAME_MS = 20

export const SAID_MAX_CHARS = 500

/**
 * Close codes of sound sockets, as LIVE_CLOSE where they mean the same; notFound: unknown, another user's or not live.
 */
export const SOUND_CLOSE = {
  over: 1000,
  goingAway: 1001,
  unauthenticated: 4401,
  notFound: 4404,
  /** Not ringing: picked up already, or cannot be picked up. */
  taken: 4409,
  /** Too many sound sockets are open. */
  busy: 4429,
  unavailable: 4503,
} as const
