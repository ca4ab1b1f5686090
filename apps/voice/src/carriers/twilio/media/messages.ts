import { Buffer } from 'node:buffer'
import { FRAME_BYTES, FRAME_MS, SILENCE_BYTE } from '@parley/voice-ports'

/** Messages of Twilio Media Streams (WebSocket, JSON); numbers come as strings. */
export type StreamMessage =
  | { readonly type: 'connected' }
  | { readonly type: 'start'; readonly streamSid: string; readonly accountSid: string; readonly callSid: string }
  | {
      readonly type: 'media'
      readonly streamSid: string
      readonly audio: Uint8Array
      readonly timestampMs: number | null
    }
  | { readonly type: 'dtmf'; readonly streamSid: string; readonly digit: string }
  | { readonly type: 'mark'; readonly streamSid: string; readonly name: string }
  | { readonly type: 'stop'; readonly streamSid: string }

/** A second of sound: Twilio sends 20 ms at a time. */
const PAYLOAD_MAX_CHARS = 12_000
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const BYTES_PER_MS = FRAME_BYTES / FRAME_MS

/** A media message as Twilio writes it: fifty a second come of each call, and this reads one faster than a parser. */
const MEDIA =
  /^\{"event":"media","sequenceNumber":"\d{1,10}","media":\{"track":"inbound","chunk":"\d{1,10}","timestamp":"(\d{1,12})","payload":"([A-Za-z0-9+/]*={0,2})"\},"streamSid":"(\w{1,64})"\}$/

/** Null: nothing that Twilio sends. Never throws. */
export function readMessage(message: string | Buffer): StreamMessage | null {
  const text = message.toString()
  const [, timestamp, payload, streamSid] = MEDIA.exec(text) ?? []
  return streamSid === undefined || payload === undefined
    ? readFields(text)
    : mediaOf(streamSid, payload, Number(timestamp))
}

function readFields(text: string): StreamMessage | null {
  const fields = fieldsOf(parsed(text))
  if (fields === null) return null
  if (fields['event'] === 'connected') return { type: 'connected' }
  const streamSid = textOf(fields, 'streamSid')
  if (streamSid === null) return null
  switch (fields['event']) {
    case 'start':
      return readStart(streamSid, fieldsOf(fields['start']))
    case 'media':
      return readMedia(streamSid, fieldsOf(fields['media']))
    case 'dtmf': {
      const digit = textOf(fieldsOf(fields['dtmf']), 'digit')
      return digit !== null && /^[0-9*#A-D]$/.test(digit) ? { type: 'dtmf', streamSid, digit } : null
    }
    case 'mark': {
      const name = textOf(fieldsOf(fields['mark']), 'name')
      return name === null ? null : { type: 'mark', streamSid, name }
    }
    case 'stop':
      return { type: 'stop', streamSid }
    default:
      return null
  }
}

function readStart(streamSid: string, start: Fields | null): StreamMessage | null {
  const accountSid = textOf(start, 'accountSid')
  const callSid = textOf(start, 'callSid')
  const format = fieldsOf(start?.['mediaFormat'])
  if (accountSid === null || callSid === null || format?.['encoding'] !== 'audio/x-mulaw') return null
  if (Number(format['sampleRate']) !== 8000 || Number(format['channels']) !== 1) return null
  return { type: 'start', streamSid, accountSid, callSid }
}

function readMedia(streamSid: string, media: Fields | null): StreamMessage | null {
  const payload = textOf(media, 'payload')
  if (media === null || payload === null || !BASE64.test(payload)) return null
  const track = media['track']
  if (track !== undefined && track !== 'inbound') return null
  const timestampMs = Number(media['timestamp'])
  return mediaOf(streamSid, payload, Number.isFinite(timestampMs) && timestampMs >= 0 ? timestampMs : null)
}

/** `payload` has the letters of base64 only. */
function mediaOf(streamSid: string, payload: string, timestampMs: number | null): StreamMessage | null {
  if (payload.length > PAYLOAD_MAX_CHARS || payload.length % 4 !== 0) return null
  const { buffer, byteOffset, byteLength } = Buffer.from(payload, 'base64')
  return { type: 'media', streamSid, audio: new Uint8Array(buffer, byteOffset, byteLength), timestampMs }
}

type Fields = Readonly<Record<string, unknown>>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const fieldsOf = (value: unknown): Fields | null => (isFields(value) ? value : null)

function textOf(fields: Fields | null, name: string): string | null {
  const value = fields?.[name]
  return typeof value === 'string' ? value : null
}

/** Writes the media messages of one stream. */
export function mediaWriter(streamSid: string): (audio: Uint8Array) => string {
  const before = `{"event":"media","streamSid":${JSON.stringify(streamSid)},"media":{"payload":"`
  return ({ buffer, byteOffset, byteLength }) =>
    `${before}${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}"}}`
}

export const markMessage = (streamSid: string, name: string): string =>
  JSON.stringify({ event: 'mark', streamSid, mark: { name } })

export const clearMessage = (streamSid: string): string => JSON.stringify({ event: 'clear', streamSid })

export interface CutFrame {
  readonly audio: Uint8Array
  /** Media time of the stream, from 0, in whole frames. */
  readonly mediaMs: number
}

/**
 * Cuts a stream's sound into whole frames by Twilio's timestamps, whatever size it comes in: 0 is the first byte, a gap
 * of a frame and more moves on by whole frames, smaller steps are jitter, and time never goes back.
 */
export class FrameCutter {
  readonly #rest = new Uint8Array(FRAME_BYTES)
  #filled = 0
  #frames = 0
  #baseMs: number | null = null

  /** `untilMs`: a timestamp beyond this media time is not believed. */
  push(audio: Uint8Array, timestampMs: number | null, untilMs: number): CutFrame[] {
    const cut: CutFrame[] = []
    if (timestampMs !== null) {
      this.#baseMs ??= timestampMs
      const atMs = timestampMs - this.#baseMs
      if (atMs <= untilMs) this.#skip(Math.round(atMs * BYTES_PER_MS), cut)
    }
    if (this.#filled === 0 && audio.length === FRAME_BYTES) {
      cut.push({ audio, mediaMs: this.#frames++ * FRAME_MS })
      return cut
    }
    for (let at = 0; at < audio.length;) {
      const part = audio.subarray(at, at + FRAME_BYTES - this.#filled)
      this.#rest.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === FRAME_BYTES) this.#emit(cut)
    }
    return cut
  }

  #skip(atByte: number, cut: CutFrame[]): void {
    const gap = atByte - (this.#frames * FRAME_BYTES + this.#filled)
    if (gap < FRAME_BYTES) return
    if (this.#filled > 0) {
      this.#rest.fill(SILENCE_BYTE, this.#filled)
      this.#emit(cut)
    }
    this.#frames = Math.max(this.#frames, Math.floor(atByte / FRAME_BYTES))
  }

  #emit(cut: CutFrame[]): void {
    cut.push({ audio: this.#rest.slice(), mediaMs: this.#frames * FRAME_MS })
    this.#frames++
    this.#filled = 0
  }
}
