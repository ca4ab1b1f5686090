import { FRAME_BYTES, FRAME_MS } from '@parley/voice-ports'
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

/** Resolves when the socket is open. What it is sent is dropped. */
export async function openSocket(url: string): Promise<BareSocket> {
  const { WebSocket } = bareSockets()
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  socket.on('message', () => undefined)
  return socket
}

/** A numbered frame as Twilio sends it: https://www.twilio.com/docs/voice/media-streams/websocket-messages */
export function mediaMessage(number: number, streamSid: string): string {
  const payload = Buffer.from(numbered(number).buffer).toString('base64')
  const chunk = number + 1
  const media = `{"track":"inbound","chunk":"${chunk}","timestamp":"${number * FRAME_MS}","payload":"${payload}"}`
  return `{"event":"media","sequenceNumber":"${chunk}","media":${media},"streamSid":"${streamSid}"}`
}
