import { FRAME_BYTES } from '@parley/voice-ports'
import { createRequire } from 'node:module'
import type { Duplex } from 'node:stream'
import type { IncomingMessage } from 'node:http'

/** Frames that are known again after a jitter buffer: loud, with a number at their beginning. */

const MAGIC = [0x2a, 0x55, 0x31, 0x4e]
const LOUD = 0x10
const HALF = FRAME_BYTES / 2
const NUMBERS = 2 ** 21

export function numbered(number: number): Uint8Array {
  const audio = new Uint8Array(FRAME_BYTES).fill(LOUD)
  audio.set(MAGIC)
  const rest = number % NUMBERS
  audio.set([rest >> 14, (rest >> 7) & 0x7f, rest & 0x7f], MAGIC.length)
  return audio
}

/** Null: it has none. A jitter buffer moves sound by 10 ms. */
export function numberIn(audio: Uint8Array, from = 0): number | null {
  for (const at of [from, from + HALF]) {
    if (!MAGIC.every((code, i) => audio[at + i] === code)) continue
    const [high = 0, middle = 0, low = 0] = audio.subarray(at + MAGIC.length)
    return (high << 14) | (middle << 7) | low
  }
  return null
}

export interface BareSocket {
  send(message: string | Uint8Array): void
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown
  on(event: 'open' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  terminate(): void
}

interface BareSockets {
  readonly WebSocket: new (url: string, options: object) => BareSocket
  readonly WebSocketServer: new (options: object) => {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, taken: (socket: BareSocket) => void): void
  }
}

/** The package that the voice service itself uses, in its version: of this shape, so the cast holds. */
export const bareSockets = (): BareSockets =>
  createRequire(new URL('../../apps/voice/package.json', import.meta.url))('ws') as BareSockets
