/** Telephone audio everywhere in this service: 8 kHz mu-law, mono, in frames of 20 ms. */
export const SAMPLE_RATE_HZ = 8000
export const FRAME_MS = 20
export const FRAME_BYTES = 160
/** Mu-law's code for zero. */
export const SILENCE_BYTE = 0xff

/**
 * 20 ms of a call. `text` is real-time text (as T.140 beside RTP): the words whose sound ends within this frame.
 * Only carriers with the text capability carry it.
 */
export interface Frame {
  readonly audio: Uint8Array
  readonly text?: string
}

export function silentFrame(): Frame {
  return { audio: new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE) }
}
