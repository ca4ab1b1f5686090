import { isIP } from 'node:net'
import { type Codec, MediaError } from '../../media-port.ts'
import { type CryptoLine, readCryptoLine } from './crypto-line.ts'

/** Session descriptions (RFC 8866), as far as one stream of telephone audio needs them. */
const LENGTH_MAX = 16_384
const LINES_MAX = 400
const STREAMS_MAX = 8
const FORMATS_MAX = 32
const CRYPTO_MAX = 8
const STATIC = new Map<number, string>([
  [0, 'PCMU/8000'],
  [8, 'PCMA/8000'],
  [13, 'CN/8000'],
])

/** Seen from the one who wrote the description. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** One m= line as it stood, for an answer that has to repeat it. */
interface StreamLine {
  readonly media: string
  readonly protocol: string
  readonly formats: readonly string[]
}

export interface Format {
  readonly payloadType: number
  readonly codec: Codec
}

/** The audio stream of a description. */
export interface AudioDescription {
  /** All streams in their order, and which of them is the audio. */
  readonly streams: readonly StreamLine[]
  readonly audioAt: number
  readonly address: string
  readonly port: number
  readonly rtcp: { readonly address: string; readonly port: number }
  readonly rtcpMux: boolean
  readonly secure: boolean
  /** In the order of the line. */
  readonly formats: readonly Format[]
  /** Payload type of RFC 4733; null: no digits as events. */
  readonly telephoneEvent: number | null
  readonly ptimeMs: number | null
  readonly direction: Direction
  /** Hold as before RFC 3264: the address is 0.0.0.0. */
  readonly addressless: boolean
  readonly crypto: readonly CryptoLine[]
}

interface Section {
  readonly lines: string[]
  address: string | null
}

interface Stream extends Section, StreamLine {
  readonly port: number
}

function sectionsOf(text: string): { readonly session: Section; readonly streams: readonly Stream[] } {
  if (text.length > LENGTH_MAX) throw new MediaError(`The session description is longer than ${LENGTH_MAX} characters.`)
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.length > LINES_MAX) throw new MediaError(`The session description has more than ${LINES_MAX} lines.`)
  if (lines[0]?.trimEnd() !== 'v=0') throw new MediaError('The far end sent no session description (v=0).')
  const session: Section = { lines: [], address: null }
  const streams: Stream[] = []
  let section: Section = session
  for (const line of lines) {
    if (line.startsWith('m=')) {
      const stream = streamOf(line.slice(2).trimEnd())
      if (streams.push(stream) > STREAMS_MAX)
        throw new MediaError(`The session description has more than ${STREAMS_MAX} streams.`)
      section = stream
    } else if (line.startsWith('c=')) section.address ??= addressOf(line.slice(2).trimEnd())
    else if (line.startsWith('a=')) section.lines.push(line.slice(2).trimEnd())
  }
  return { session, streams }
}

function streamOf(value: string): Stream {
  const match = /^([a-z]{1,20}) (\d{1,5})(?:\/\d{1,5})? ([A-Za-z0-9/.]{1,40})((?: [A-Za-z0-9*._-]{1,40})*)$/.exec(value)
  if (!match) throw new MediaError('A stream (m=) of the session description cannot be read.')
  const [, media = '', port = '', protocol = '', formats = ''] = match
  return {
    media,
    protocol,
    port: Number(port),
    formats: formats.trim().split(' ').slice(0, FORMATS_MAX),
    lines: [],
    address: null,
  }
}

/** Empty for anything but an IP address of one host: names are not looked up, groups not spoken to. */
function addressOf(value: string): string {
  const match = /^IN IP[46] ([0-9A-Fa-f.:]{2,45})(?:\/.*)?$/.exec(value)
  const address = match?.[1] ?? ''
  if (isIP(address) === 0 || /^ff/i.test(address)) return ''
  return isIP(address) === 4 && Number(address.split('.')[0]) >= 224 ? '' : address
}

const valueOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1)

/** What each payload type of the line stands for, in upper case, as `PCMU/8000`. */
function namesOf(stream: Stream): ReadonlyMap<number, string> {
  const mapped = new Map<number, string>()
  for (const line of stream.lines) {
    const match = /^rtpmap:(\d{1,3}) ([A-Za-z0-9._-]{1,40}\/\d{1,6})(?:\/1)?$/.exec(line)
    if (match && mapped.size < FORMATS_MAX) mapped.set(Number(match[1]), (match[2] ?? '').toUpperCase())
  }
  const names = new Map<number, string>()
  for (const format of stream.formats) {
    const type = /^\d{1,3}$/.test(format) ? Number(format) : -1
    const name = mapped.get(type) ?? STATIC.get(type)
    if (name !== undefined && type <= 127) names.set(type, name)
  }
  return names
}

const CODECS = new Map<string, Codec>([
  ['PCMU/8000', 'pcmu'],
  ['PCMA/8000', 'pcma'],
])

function directionOf(...sections: readonly Section[]): Direction {
  for (const { lines } of sections)
    for (const line of lines)
      if (line === 'sendrecv' || line === 'sendonly' || line === 'recvonly' || line === 'inactive') return line
  return 'sendrecv'
}

function rtcpOf(stream: Stream, address: string): { readonly address: string; readonly port: number } {
  const match = /^(\d{1,5})(?: (.*))?$/.exec(valueOf(stream.lines, 'rtcp') ?? '')
  const port = match ? Number(match[1]) : stream.port + 1
  const own = match?.[2] === undefined ? '' : addressOf(match[2])
  return { address: isIP(own) === isIP(address) ? own : address, port: port > 0 && port < 65_536 ? port : stream.port }
}

/** Reads an offer or an answer. @throws MediaError when it has no audio that RTP can carry */
export function readDescription(text: string): AudioDescription {
  const { session, streams } = sectionsOf(text)
  const audio = streams.filter(({ media, protocol }) => media === 'audio' && /^RTP\/S?AVPF?$/.test(protocol))
  const stream = audio.find(({ port }) => port !== 0)
  if (!stream) {
    const reason =
      audio.length > 0 ? 'The far end refused the audio (port 0).' : 'The far end offers no audio over RTP.'
    throw new MediaError(reason)
  }
  if (stream.port > 65_535) throw new MediaError(`The far end's audio has no valid port: ${stream.port}.`)
  const address = stream.address ?? session.address
  if (!address) throw new MediaError("The far end's audio has no IP address (c=).")
  const names = namesOf(stream)
  const formats = [...names].flatMap(([payloadType, name]) => {
    const codec = CODECS.get(name)
    return codec ? [{ payloadType, codec }] : []
  })
  const ptime = Number(valueOf(stream.lines, 'ptime') ?? Number.NaN)
  return {
    streams,
    audioAt: streams.indexOf(stream),
    address,
    port: stream.port,
    rtcp: rtcpOf(stream, address),
    rtcpMux: stream.lines.includes('rtcp-mux'),
    secure: /^RTP\/SAVPF?$/.test(stream.protocol),
    formats,
    telephoneEvent: [...names].find(([, name]) => name === 'TELEPHONE-EVENT/8000')?.[0] ?? null,
    ptimeMs: ptime >= 1 && ptime <= 200 ? Math.round(ptime) : null,
    direction: directionOf(stream, session),
    addressless: address === '0.0.0.0' || address === '::',
    crypto: stream.lines
      .filter((line) => line.startsWith('crypto:'))
      .slice(0, CRYPTO_MAX)
      .flatMap((line) => readCryptoLine(line.slice('crypto:'.length)) ?? []),
  }
}
