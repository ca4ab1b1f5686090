import { Buffer } from 'node:buffer'
import type { CarrierSocket, Clock } from '@parley/voice-ports'
import { Counts } from './options.ts'
import { MediaStream, type StreamEvents } from './media/stream.ts'

const ACCOUNT = `AC${'1'.repeat(32)}`
const CALL = `CA${'2'.repeat(32)}`
const STREAM = `MZ${'3'.repeat(32)}`

/** The far end of a socket in memory: what we sent, and what it says. */
class FarSocket implements CarrierSocket {
  readonly sent: Record<string, unknown>[] = []
  unsentBytes = 0
  closed = false
  #onMessage: (message: string | Buffer) => void = () => undefined
  #onClose: () => void = () => undefined

  send(message: string | Uint8Array): void {
    this.sent.push(asObject(JSON.parse(message.toString())))
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.#onClose()
  }

  onMessage(listener: (message: string | Buffer) => void): void {
    this.#onMessage = listener
  }

  onClose(listener: () => void): void {
    this.#onClose = listener
  }

  says(message: string | object): void {
    this.#onMessage(typeof message === 'string' ? message : JSON.stringify({ streamSid: STREAM, ...message }))
  }

  starts(start: object = {}): void {
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 }
    this.says({ event: 'connected', protocol: 'Call', version: '1.0.0' })
    this.says({ event: 'start', start: { accountSid: ACCOUNT, callSid: CALL, mediaFormat, ...start } })
  }

  /** Names of the marks that we sent. */
  get marks(): string[] {
    return this.sent.filter(({ event }) => event === 'mark').map(({ mark }) => String(asObject(mark)['name']))
  }

  get events(): unknown[] {
    return this.sent.map(({ event }) => event)
  }

  returns(...names: string[]): void {
    for (const name of names) this.says({ event: 'mark', mark: { name } })
  }
}

/** What JSON of an object is. */
const asObject = (value: unknown): Record<string, unknown> => value as Record<string, unknown>

interface Heard {
  readonly frames: number[]
  readonly digits: string[]
  readonly marks: string[]
  readonly stopped: boolean[]
}

/** A media stream on a socket in memory. */
export function aStream(clock: Clock, events: Partial<StreamEvents> = {}) {
  const socket = new FarSocket()
  const counts = new Counts()
  const heard: Heard = { frames: [], digits: [], marks: [], stopped: [] }
  const stream = new MediaStream({
    socket,
    clock,
    accountSid: ACCOUNT,
    counts,
    events: {
      started: () => true,
      frame: (_, mediaMs) => heard.frames.push(mediaMs),
      digit: (digit) => heard.digits.push(digit),
      mark: (name) => heard.marks.push(name),
      stopped: (told) => heard.stopped.push(told),
      ...events,
    },
  })
  return { socket, counts, heard, stream }
}

/** A media message of so many bytes. */
export const media = (timestamp: number | string, bytes = 160, more: object = {}) => ({
  event: 'media',
  media: {
    track: 'inbound',
    timestamp: String(timestamp),
    payload: Buffer.alloc(bytes, 0x7f).toString('base64'),
    ...more,
  },
})
