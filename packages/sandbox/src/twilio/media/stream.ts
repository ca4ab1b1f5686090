import { FRAME_BYTES, FRAME_MS, SILENCE_BYTE } from '@parley/voice-ports'
import WebSocket from 'ws'
import { Timers } from '../clock.ts'
import type { StreamFault } from '../faults.ts'
import { newSid } from '../formats.ts'
import { Buffered } from './playout.ts'
import { signatureOf } from '../signature.ts'
import type { StreamTarget } from '../calls/twiml.ts'
import type { World } from '../world.ts'

const HANDSHAKE_MS = 5000
const CLOSE_MS = 1000
const MESSAGE_MAX_BYTES = 4 * 1024 * 1024
/** A customer that does not read: what was not taken by then is given up. */
const UNSENT_MAX_BYTES = 4 * 1024 * 1024
const HELD_MAX = 1500
const SILENCE = Buffer.alloc(FRAME_BYTES, SILENCE_BYTE).toString('base64')

/** What was exchanged on a stream, for tests. */
export interface StreamCounts {
  readonly streamSid: string
  readonly callSid: string
  readonly url: string
  state: 'opening' | 'open' | 'closed'
  framesSent: number
  mediaReceived: number
  bytesReceived: number
  /** Most audio that was ever waiting to be played, in ms. */
  bufferedMostMs: number
  /** How often playing stopped because nothing was left, the ends of utterances among them. */
  ranDry: number
  marks: number
  clears: number
  malformed: number
  /** Twilio's code of what went wrong. */
  error: number | null
  closeCode: number | null
}

/** One <Connect><Stream>: a WebSocket to the customer that carries a call's audio both ways. */
export class MediaStream {
  readonly counts: StreamCounts
  readonly #world: World
  readonly #target: StreamTarget
  readonly #fault: StreamFault | null
  readonly #timers: Timers
  readonly #buffer = new Buffered()
  readonly #onOver: () => void
  #socket: WebSocket | null = null
  #sequence = 0
  #chunk = 0
  #firstBeat: number | null = null
  #held: { readonly dueBeat: number; readonly message: string }[] = []
  #wasPlaying = false
  /** Neither sends nor reads, with its socket open. */
  #frozen = false
  #callGoesOn = false

  /** `onOver` runs once, when the stream has ended by itself. */
  constructor(world: World, callSid: string, target: StreamTarget, fault: StreamFault | null, onOver: () => void) {
    this.#world = world
    this.#target = target
    this.#fault = fault
    this.#onOver = onOver
    this.#timers = new Timers(world.clock)
    this.counts = {
      streamSid: newSid('MZ'),
      callSid,
      // Twilio passes no query on.
      url: target.url.replace(/[?#].*$/, ''),
      state: 'opening',
      framesSent: 0,
      mediaReceived: 0,
      bytesReceived: 0,
      bufferedMostMs: 0,
      ranDry: 0,
      marks: 0,
      clears: 0,
      malformed: 0,
      error: null,
      closeCode: null,
    }
    this.#timers.after(fault?.how === 'slow_open' ? fault.ms : 0, () => this.#connect())
  }

  /** The 20 ms that the callee hears. */
  next(): Uint8Array | null {
    const { audio, marks } = this.#buffer.next()
    for (const name of marks) this.#returnMark(name)
    if (!audio && this.#wasPlaying) this.counts.ranDry++
    this.#wasPlaying = audio !== null
    return audio
  }

  /** 20 ms of the callee; null: silence. */
  hear(audio: Uint8Array | null, beat: number): void {
    if (this.counts.state !== 'open') return
    this.#firstBeat ??= beat
    const fault = this.#fault
    this.#chunk++
    if (fault?.how === 'gaps' && this.#chunk % fault.every === 0) return
    const timestamp = (beat - this.#firstBeat) * FRAME_MS
    const payload = audio ? Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64') : SILENCE
    const media = `{"track":"inbound","chunk":"${this.#chunk}","timestamp":"${timestamp}","payload":"${payload}"}`
    if (fault?.how !== 'delayed' && fault?.how !== 'bursts') return this.#sendFrame(media)
    const lateBeats = fault.how === 'delayed' ? Math.round(fault.ms / FRAME_MS) : 0
    if (this.#held.length < HELD_MAX) this.#held.push({ dueBeat: beat + lateBeats, message: media })
    if (fault.how === 'bursts' && this.#chunk % Math.max(1, Math.round(fault.everyMs / FRAME_MS)) !== 0) return
    while (this.#held[0] && this.#held[0].dueBeat <= beat) this.#sendFrame(this.#held.shift()?.message ?? '')
  }

  #sendFrame(message: string): void {
    this.#send('media', message)
    this.counts.framesSent++
  }

  digit(digit: string): void {
    this.#send('dtmf', JSON.stringify({ track: 'inbound_track', digit }))
  }

  /** The call goes on without this stream, or is over. */
  stop(): void {
    if (this.counts.state === 'closed') return
    this.#sendStop()
    this.#close(1000)
  }

  #connect(): void {
    const { url } = this.counts
    const { authToken } = this.#world.account
    const token = this.#fault?.how === 'bad_signature' ? `not ${authToken}` : authToken
    const socket = new WebSocket(url, {
      headers: { 'user-agent': 'Twilio.TmeWs/1.0', 'x-twilio-signature': signatureOf(token, url) },
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MESSAGE_MAX_BYTES,
    })
    this.#socket = socket
    socket.on('open', () => this.#open())
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('error', (error) => this.#failed(error))
    socket.on('close', (code) => {
      this.counts.closeCode = code
      this.#over()
    })
  }

  #open(): void {
    if (this.counts.state !== 'opening') return
    this.counts.state = 'open'
    const accountSid = this.#world.account.sid
    const { callSid, streamSid } = this.counts
    this.#socket?.send('{"event":"connected","protocol":"Call","version":"1.0.0"}')
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 }
    const customParameters = this.#target.parameters
    const start = { accountSid, streamSid, callSid, tracks: ['inbound'], mediaFormat, customParameters }
    this.#send('start', JSON.stringify(start))
    this.#report('stream-started')
    const fault = this.#fault
    if (fault?.how === 'dropped') this.#timers.after(fault.afterMs, () => this.#drop(fault.callGoesOn))
    if (fault?.how === 'frozen') this.#timers.after(fault.afterMs, () => (this.#frozen = true))
  }

  #drop(callGoesOn: boolean): void {
    this.#callGoesOn = callGoesOn
    this.#socket?.terminate()
  }

  /** Every message but `connected` carries its number and the stream's id. */
  #send(event: string, inner: string): void {
    const socket = this.#socket
    if (this.counts.state !== 'open' || this.#frozen || socket?.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount > UNSENT_MAX_BYTES) {
      socket.terminate()
      return
    }
    const { streamSid } = this.counts
    this.#sequence++
    socket.send(
      `{"event":"${event}","sequenceNumber":"${this.#sequence}","${event}":${inner},"streamSid":"${streamSid}"}`,
    )
  }

  #sendStop(): void {
    const { callSid } = this.counts
    this.#send('stop', JSON.stringify({ accountSid: this.#world.account.sid, callSid }))
  }

  #returnMark(name: string): void {
    this.#send('mark', JSON.stringify({ name }))
  }

  #receive(data: WebSocket.RawData, isBinary: boolean): void {
    if (this.counts.state !== 'open' || this.#frozen) return
    if (isBinary) return this.#malformed(31950, 'Stream - Protocol - Malformed Message')
    const taken = this.#take(messageOf(data))
    if (!taken) this.#malformed(31951, 'Stream - Protocol - Invalid Message')
  }

  #take(message: Fields | null): boolean {
    const { counts } = this
    if (message?.['streamSid'] !== counts.streamSid) return false
    switch (message['event']) {
      case 'media': {
        const audio = bytesOf(fieldOf(message, 'media', 'payload'))
        if (!audio || !this.#buffer.add(audio)) return false
        counts.mediaReceived++
        counts.bytesReceived += audio.length
        counts.bufferedMostMs = Math.max(counts.bufferedMostMs, this.#buffer.bytes / 8)
        return true
      }
      case 'mark': {
        const name = fieldOf(message, 'mark', 'name')
        if (typeof name !== 'string' || !this.#buffer.mark(name)) return false
        counts.marks++
        return true
      }
      case 'clear':
        counts.clears++
        this.#wasPlaying = false
        for (const name of this.#buffer.clear()) this.#returnMark(name)
        return true
      default:
        return false
    }
  }

  /** Noted once a stream. */
  #malformed(code: number, text: string): void {
    if (this.counts.malformed++ === 0) this.#world.warn(this.counts.callSid, code, text)
    if (this.#world.malformed === 'warns') return
    this.counts.error ??= code
    this.#sendStop()
    this.#close(1003)
    this.#over()
  }

  #failed(error: Error): void {
    if (this.counts.state === 'closed') return
    const code = errorCodeOf(error)
    this.counts.error ??= code
    this.#world.warn(this.counts.callSid, code, `Stream - WebSocket - ${error.message}`)
    this.#report('stream-error', error.message)
  }

  #close(code: number): void {
    const socket = this.#socket
    const wasOpen = this.counts.state === 'open'
    this.counts.state = 'closed'
    this.#timers.clear()
    if (wasOpen) this.#report('stream-stopped')
    if (socket?.readyState === WebSocket.OPEN) {
      // A peer that does not answer the close is cut off.
      const cancel = this.#world.clock.after(CLOSE_MS, () => socket.terminate())
      socket.once('close', cancel)
      socket.close(code)
    } else socket?.terminate()
  }

  #over(): void {
    if (this.counts.state !== 'closed') this.#close(1000)
    if (!this.#callGoesOn) this.#onOver()
  }

  #report(event: 'stream-started' | 'stream-stopped' | 'stream-error', error?: string): void {
    const { statusCallback, name } = this.#target
    if (!statusCallback) return
    const { streamSid, callSid } = this.counts
    const { account, webhooks } = this.#world
    const form = new URLSearchParams({ AccountSid: account.sid, CallSid: callSid, StreamSid: streamSid })
    form.set('StreamName', name || streamSid)
    form.set('StreamEvent', event)
    form.set('Timestamp', new Date().toISOString())
    if (error !== undefined) form.set('StreamError', error)
    void webhooks.notify(statusCallback, form, null)
  }
}

type Fields = Readonly<Record<string, unknown>>

/** What JSON makes of an object or a list has its own fields alone, besides those of every object. */
const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null ? (value as Fields) : null

function messageOf(data: WebSocket.RawData): Fields | null {
  try {
    // Text messages come as one Buffer.
    return fieldsOf(JSON.parse((data as Buffer).toString('utf8')))
  } catch {
    return null
  }
}

const fieldOf = (message: Fields, part: string, field: string): unknown => fieldsOf(message[part])?.[field]

/** Base64 with its padding; null: it is none. */
function bytesOf(text: unknown): Uint8Array | null {
  if (typeof text !== 'string' || text.length % 4 !== 0) return null
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : null
}

/** By ws's messages: a refused handshake, a refused connection, a time-out, anything else. */
function errorCodeOf(error: Error): number {
  if (error.message.startsWith('Unexpected server response')) return 31920
  if ('code' in error && error.code === 'ECONNREFUSED') return 31902
  if (error.message.includes('timed out')) return 31901
  return 31924
}
