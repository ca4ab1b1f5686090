import type { Buffer } from 'node:buffer'

/** How one digit is sent as an event of RFC 4733, tick by tick, 20 ms each. */
const SAMPLES_A_TICK = 160
/** A digit sounds for 120 ms. RFC 4733, section 2.5.1.5, and ITU-T Q.24 ask for 40 ms at least. */
export const TONE_TICKS = 6
/** And is followed by 100 ms without sound. */
export const GAP_TICKS = 5
/** Start and end are sent three times (RFC 4733, section 2.5.1.4): the start at once, the end with the ticks. */
const REPEATS = 3
const KEYS = '0123456789*#'
/** -10 dBm0, the usual level. */
const VOLUME = 10
const END = 0x80
export const EVENT_BYTES = 4

export interface EventPacket {
  readonly times: number
  readonly end: boolean
  /** Samples since the event's beginning. */
  readonly duration: number
}

/** What is sent at this tick of a digit; null: it is over, and sound goes on. */
export function eventAt(tick: number): EventPacket | null {
  if (tick >= TONE_TICKS + REPEATS - 1) return null
  const end = tick >= TONE_TICKS - 1
  const duration = Math.min(tick + 1, TONE_TICKS) * SAMPLES_A_TICK
  return { times: tick === 0 ? REPEATS : 1, end, duration }
}

/** The event's number, or -1 when this is no digit. */
export const eventOf = (digit: string): number => KEYS.indexOf(digit)

export function writeEvent(payload: Buffer, at: number, event: number, { end, duration }: EventPacket): void {
  payload.writeUInt8(event, at)
  payload.writeUInt8((end ? END : 0) | VOLUME, at + 1)
  payload.writeUInt16BE(duration, at + 2)
}
