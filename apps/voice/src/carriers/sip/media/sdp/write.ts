import { isIPv6 } from 'node:net'
import { type CryptoLine, writeCryptoLine } from './crypto-line.ts'
import type { AudioDescription, Direction, Format } from './read.ts'

export interface OwnDescription {
  readonly sessionId: string
  /** One more for every description that differs from the one before (RFC 8866, section 5.2). */
  readonly version: number
  readonly address: string
  readonly port: number
  readonly rtcpPort: number
  readonly rtcpMux: boolean
  readonly secure: boolean
  readonly formats: readonly Format[]
  readonly telephoneEvent: number | null
  readonly direction: Direction
  readonly crypto: readonly CryptoLine[]
}

const NAMES = { pcmu: 'PCMU', pcma: 'PCMA' } as const

function audioLines(own: OwnDescription, protocol: string): readonly string[] {
  const events = own.telephoneEvent
  const types = [...own.formats.map(({ payloadType }) => payloadType), ...(events === null ? [] : [events])]
  return [
    `m=audio ${own.port} ${protocol} ${types.join(' ')}`,
    ...own.formats.map(({ payloadType, codec }) => `a=rtpmap:${payloadType} ${NAMES[codec]}/8000`),
    ...(events === null ? [] : [`a=rtpmap:${events} telephone-event/8000`, `a=fmtp:${events} 0-15`]),
    'a=ptime:20',
    `a=rtcp:${own.rtcpPort}`,
    ...(own.rtcpMux ? ['a=rtcp-mux'] : []),
    ...own.crypto.map((line) => `a=crypto:${writeCryptoLine(line)}`),
    `a=${own.direction}`,
  ]
}

function description(own: OwnDescription, streams: readonly string[]): string {
  const host = `IN ${isIPv6(own.address) ? 'IP6' : 'IP4'} ${own.address}`
  const head = ['v=0', `o=- ${own.sessionId} ${own.version} ${host}`, 's=-', `c=${host}`, 't=0 0']
  return [...head, ...streams, ''].join('\r\n')
}

export const writeOffer = (own: OwnDescription): string =>
  description(own, audioLines(own, own.secure ? 'RTP/SAVP' : 'RTP/AVP'))

/** Answers every stream of an offer in its place: all but the audio are refused (RFC 3264, section 6). */
export function writeAnswer(own: OwnDescription, offer: AudioDescription): string {
  const streams = offer.streams.flatMap(({ media, protocol, formats }, at) =>
    at === offer.audioAt ? audioLines(own, protocol) : [`m=${media} 0 ${protocol} ${formats.join(' ')}`],
  )
  return description(own, streams)
}
