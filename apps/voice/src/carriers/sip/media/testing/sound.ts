import { Buffer } from 'node:buffer'
import { decodeMulaw, encodeMulaw, FRAME_BYTES, levelDbm0 } from '@parley/voice-ports'
import { RTP_HEADER_BYTES, writeHeader } from '../rtp/packet.ts'

/** Repeatable numbers from 0 to 1. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 0) / 2 ** 32
  }
}

/** Syllables of voice with a wandering pitch, hiss, and pauses: mu-law, in whole frames. */
export function speechLike(ms: number, seed = 1): Uint8Array {
  const next = random(seed)
  const samples = new Float64Array((Math.ceil(ms / 20) * FRAME_BYTES) | 0)
  let phase = 0
  let hz = 130
  for (let i = 0; i < samples.length; i++) {
    if (i % 800 === 0) hz = 100 + 80 * next()
    phase += (2 * Math.PI * hz) / 8000
    // 250 ms of sound, 100 ms of pause.
    const at = (i % 2800) / 2000
    const envelope = at < 1 ? Math.sin(Math.PI * at) : 0
    let voice = 0
    for (let harmonic = 1; harmonic <= 12; harmonic++) voice += Math.sin(harmonic * phase) / harmonic
    samples[i] = envelope * (4000 * voice + 1500 * (next() - 0.5)) + 20 * (next() - 0.5)
  }
  return encodeMulaw(samples)
}

export function framesOf(audio: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.floor(audio.length / FRAME_BYTES) }, (_, at) =>
    audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES),
  )
}

export const joined = (frames: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(frames))

/** From 100 ms before the first sound on: how long a leg was silent before says nothing. */
export function fromFirstSound(audio: Uint8Array): Uint8Array {
  const at = framesOf(audio).findIndex((frame) => levelDbm0(frame) > -40)
  return audio.subarray(Math.max(0, at - 5) * FRAME_BYTES)
}

const WINDOW = 800

/**
 * How well sound arrived: the mean over windows of 100 ms of the best normalised correlation at a lag of up to half a
 * second. 1: the same; a different sound of this kind reaches less than 0.6.
 */
export function likeness(sent: Uint8Array, heard: Uint8Array, lagMax = 4000): number {
  const from = decodeMulaw(sent)
  const to = decodeMulaw(heard)
  let sum = 0
  let count = 0
  for (let start = 0; start + WINDOW + lagMax <= to.length && start + WINDOW <= from.length; start += WINDOW) {
    let energy = 0
    for (let i = start; i < start + WINDOW; i++) energy += (from[i] ?? 0) ** 2
    if (energy / WINDOW < 1000 ** 2) continue
    let best = 0
    for (let lag = 0; lag <= lagMax; lag++) best = Math.max(best, correlationAt(from, to, start, lag, energy))
    sum += best
    count++
  }
  return count === 0 ? 0 : sum / count
}

function correlationAt(from: Int16Array, to: Int16Array, start: number, lag: number, energy: number): number {
  let product = 0
  let own = 1
  for (let i = start; i < start + WINDOW; i++) {
    const b = to[i + lag] ?? 0
    product += (from[i] ?? 0) * b
    own += b * b
  }
  return product / Math.sqrt(energy * own)
}

export interface PacketParts {
  readonly sequence: number
  readonly timestamp: number
  readonly payload?: Uint8Array
  readonly payloadType?: number
  readonly ssrc?: number
  readonly marker?: boolean
}

export function packetOf(parts: PacketParts): Buffer {
  const { sequence, timestamp, payload = new Uint8Array(FRAME_BYTES).fill(0xff) } = parts
  const packet = Buffer.alloc(RTP_HEADER_BYTES + payload.length)
  const { payloadType = 0, ssrc = 1, marker = false } = parts
  writeHeader(packet, {
    marker,
    payloadType,
    sequence: sequence & 0xffff,
    timestamp: timestamp >>> 0,
    ssrc,
  })
  packet.set(payload, RTP_HEADER_BYTES)
  return packet
}
