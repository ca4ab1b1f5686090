import { decodeMulaw } from './mulaw.ts'
import { SAMPLE_RATE_HZ, SILENCE_BYTE } from './frame.ts'

export type WavFormat = 'pcm16' | 'mulaw'

export interface WavShape {
  readonly format: WavFormat
  readonly channels: number
  readonly sampleRateHz: number
}

export const WAV_HEADER_BYTES = 44
const PCM = 1
const MULAW = 7
const bytesPerSample = (format: WavFormat) => (format === 'pcm16' ? 2 : 1)

/** The header before the samples. A recording still being written takes 0 and gets its true header at the end. */
export function wavHeader(shape: WavShape, dataBytes: number): Uint8Array {
  const header = new Uint8Array(WAV_HEADER_BYTES)
  const view = new DataView(header.buffer)
  const ascii = (at: number, text: string) => header.set(new TextEncoder().encode(text), at)
  const blockBytes = shape.channels * bytesPerSample(shape.format)
  ascii(0, 'RIFF')
  view.setUint32(4, 36 + dataBytes, true)
  ascii(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, shape.format === 'pcm16' ? PCM : MULAW, true)
  view.setUint16(22, shape.channels, true)
  view.setUint32(24, shape.sampleRateHz, true)
  view.setUint32(28, shape.sampleRateHz * blockBytes, true)
  view.setUint16(32, blockBytes, true)
  view.setUint16(34, bytesPerSample(shape.format) * 8, true)
  ascii(36, 'data')
  view.setUint32(40, dataBytes, true)
  return header
}

/** Interleaves mu-law channels, the shorter ones padded with silence. */
function interleave(channels: readonly Uint8Array[], format: WavFormat): Uint8Array {
  const length = Math.max(0, ...channels.map((channel) => channel.length))
  const data = new Uint8Array(length * channels.length * bytesPerSample(format))
  const view = new DataView(data.buffer)
  channels.forEach((channel, at) => {
    const samples = format === 'pcm16' ? decodeMulaw(channel) : null
    for (let i = 0; i < length; i++) {
      const place = i * channels.length + at
      if (samples) view.setInt16(place * 2, samples[i] ?? 0, true)
      else data[place] = channel[i] ?? SILENCE_BYTE
    }
  })
  return data
}

/** Encodes a whole file of one or two telephone channels. */
export function encodeWav(channels: readonly Uint8Array[], format: WavFormat = 'mulaw'): Uint8Array {
  const data = interleave(channels, format)
  const header = wavHeader({ format, channels: channels.length, sampleRateHz: SAMPLE_RATE_HZ }, data.length)
  const file = new Uint8Array(header.length + data.length)
  file.set(header)
  file.set(data, header.length)
  return file
}

export interface Wav {
  readonly sampleRateHz: number
  /** Linear, one for each channel. */
  readonly channels: readonly Int16Array[]
}

/**
 * Reads 16-bit PCM and mu-law. Lengths beyond the file, as a program writing to a pipe leaves them, mean "to the end".
 */
export function decodeWav(file: Uint8Array): Wav {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const ascii = (at: number) => new TextDecoder().decode(file.subarray(at, at + 4))
  if (file.length < 12 || ascii(0) !== 'RIFF' || ascii(8) !== 'WAVE') throw new Error('Not a WAV file')
  let shape: WavShape | null = null
  for (let at = 12; at + 8 <= file.length;) {
    const name = ascii(at)
    const start = at + 8
    const end = Math.min(file.length, start + view.getUint32(at + 4, true))
    if (name === 'fmt ') shape = readShape(view, start)
    if (name === 'data' && shape)
      return { sampleRateHz: shape.sampleRateHz, channels: separate(file.subarray(start, end), shape) }
    at = end + (end & 1)
  }
  throw new Error('A WAV file without samples')
}

function readShape(view: DataView, at: number): WavShape {
  const code = view.getUint16(at, true)
  const bits = view.getUint16(at + 14, true)
  const format = code === PCM && bits === 16 ? 'pcm16' : code === MULAW && bits === 8 ? 'mulaw' : null
  if (!format) throw new Error(`WAV format ${code} with ${bits} bits is neither 16-bit PCM nor mu-law`)
  return { format, channels: view.getUint16(at + 2, true), sampleRateHz: view.getUint32(at + 4, true) }
}

function separate(data: Uint8Array, { format, channels }: WavShape): Int16Array[] {
  const all = format === 'mulaw' ? decodeMulaw(data) : littleEndian(data)
  const length = Math.floor(all.length / channels)
  return Array.from({ length: channels }, (_, at) => {
    const samples = new Int16Array(length)
    for (let i = 0; i < length; i++) samples[i] = all[i * channels + at] ?? 0
    return samples
  })
}

function littleEndian(data: Uint8Array): Int16Array {
  const samples = new Int16Array(data.length >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = (data[2 * i] ?? 0) | ((data[2 * i + 1] ?? 0) << 8)
  return samples
}
