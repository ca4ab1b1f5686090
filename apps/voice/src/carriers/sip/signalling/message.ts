import { Buffer } from 'node:buffer'
import { isToken, parseNameAddr, parseVia, splitOutside, type Via } from './syntax.ts'

/** Messages of a trunk are below 4 kB; the largest UDP datagram is what nothing may pass. */
export const MESSAGE_MAX_BYTES = 64 * 1024
const HEADERS_MAX = 128
const LINE_MAX = 8192
const URI_MAX = 2048

/** RFC 3261 section 7.3.3 and its extensions. */
const COMPACT: Readonly<Record<string, string>> = {
  b: 'referred-by',
  c: 'content-type',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
}
const SPELLED: Readonly<Record<string, string>> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'min-se': 'Min-SE',
  'www-authenticate': 'WWW-Authenticate',
}
/** Two of one of these could be read in two ways. */
const ONCE = ['from', 'to', 'call-id', 'cseq', 'content-length', 'max-forwards', 'content-type']

/** Header fields in their order; names are lower case, compact forms are spelled out. */
export class Headers {
  readonly #fields: { readonly name: string; readonly value: string }[] = []

  get size(): number {
    return this.#fields.length
  }

  get(name: string): string | null {
    return this.#fields.find((field) => field.name === name)?.value ?? null
  }

  all(name: string): string[] {
    return this.#fields.filter((field) => field.name === name).map(({ value }) => value)
  }

  /** Each value of a header that is a list, over all its lines. */
  values(name: string): string[] {
    return this.all(name).flatMap((line) => (splitOutside(line, ',') ?? []).filter((value) => value !== ''))
  }

  /** Whether a list of tokens holds this one, in any case. */
  lists(name: string, token: string): boolean {
    return this.values(name).some((value) => value.toLowerCase() === token)
  }

  /** @throws RangeError when a value could begin another header line */
  add(name: string, value: string): this {
    if (!isToken(name) || hasControls(value)) throw new RangeError(`The SIP header ${name} has a forbidden character.`)
    this.#fields.push({ name: name.toLowerCase(), value })
    return this
  }

  set(name: string, value: string): this {
    const at = this.#fields.findIndex((field) => field.name === name)
    if (at < 0) return this.add(name, value)
    if (hasControls(value)) throw new RangeError(`The SIP header ${name} has a forbidden character.`)
    this.#fields[at] = { name, value }
    return this
  }

  entries(): readonly { readonly name: string; readonly value: string }[] {
    return this.#fields
  }

  copy(): Headers {
    const copy = new Headers()
    copy.#fields.push(...this.#fields)
    return copy
  }
}

export interface SipRequest {
  readonly type: 'request'
  readonly method: string
  readonly uri: string
  readonly headers: Headers
  readonly body: string
}

export interface SipResponse {
  readonly type: 'response'
  readonly status: number
  readonly reason: string
  readonly headers: Headers
  readonly body: string
}

export type SipMessage = SipRequest | SipResponse

/** Of a parsed message: present and well formed. */
export interface Facts {
  readonly callId: string
  readonly cseq: number
  readonly method: string
  readonly fromTag: string | null
  readonly toTag: string | null
  /** Null: a response without Via, which some far ends send for 487. */
  readonly via: Via | null
}

export type Parsed = { readonly message: SipMessage; readonly facts: Facts } | { readonly problem: string }

/** Reads one message of a datagram. Never throws. */
export function parseMessage(bytes: Uint8Array): Parsed {
  if (bytes.length > MESSAGE_MAX_BYTES) return { problem: 'too long' }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const headEnd = buffer.indexOf('\r\n\r\n')
  if (headEnd < 0) return { problem: 'no end of the header' }
  const head = parseHead(buffer.toString('utf8', 0, headEnd))
  if ('problem' in head) return head
  const rest = buffer.subarray(headEnd + 4)
  const length = contentLength(head.headers)
  if (length === 'malformed' || (length ?? 0) > rest.length) return { problem: 'Content-Length' }
  const body = rest.toString('utf8', 0, length ?? rest.length)
  return complete(head, body)
}

export interface Head {
  readonly start: string
  readonly headers: Headers
}

/** The start line and the header fields, without the empty line behind them. */
export function parseHead(text: string): Head | { readonly problem: string } {
  const lines = text.split('\r\n')
  while (lines[0] === '') lines.shift()
  const start = lines.shift() ?? ''
  if (start.length > LINE_MAX || hasControls(start)) return { problem: 'start line' }
  const headers = new Headers()
  for (const line of unfolded(lines) ?? []) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trimEnd().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (line.length > LINE_MAX || !isToken(name) || hasControls(value)) return { problem: 'header field' }
    if (headers.size >= HEADERS_MAX) return { problem: 'too many header fields' }
    headers.add(COMPACT[name] ?? name, value)
  }
  if (headers.size === 0) return { problem: 'header fields' }
  return { start, headers }
}

/** Joins folded lines (RFC 3261 section 7.3.1); null: more lines than a message may have. */
function unfolded(lines: readonly string[]): string[] | null {
  if (lines.length > 4 * HEADERS_MAX) return null
  const joined: string[] = []
  for (const line of lines) {
    const last = joined.length - 1
    if (/^[ \t]/.test(line) && last >= 0) joined[last] = `${joined[last] ?? ''} ${line.trim()}`
    else joined.push(line)
  }
  return joined
}

export function contentLength(headers: Headers): number | null | 'malformed' {
  const text = headers.get('content-length')
  if (text === null) return null
  return /^\d{1,6}$/.test(text) && Number(text) <= MESSAGE_MAX_BYTES ? Number(text) : 'malformed'
}

export function complete({ start, headers }: Head, body: string): Parsed {
  if (ONCE.some((name) => headers.all(name).length > 1)) return { problem: 'a header field stands twice' }
  const facts = factsOf(headers)
  if (typeof facts === 'string') return { problem: facts }
  const status = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/.exec(start)
  if (status)
    return { facts, message: { type: 'response', status: Number(status[1]), reason: status[2] ?? '', headers, body } }
  const [method = '', uri = '', version, ...more] = start.split(' ')
  if (!isToken(method) || method.length > 32 || uri === '' || uri.length > URI_MAX) return { problem: 'start line' }
  if (version !== 'SIP/2.0' || more.length > 0) return { problem: 'version' }
  if (facts.method !== method) return { problem: 'CSeq' }
  if (!facts.via?.params.get('branch')) return { problem: 'Via' }
  return { facts, message: { type: 'request', method, uri, headers, body } }
}

function factsOf(headers: Headers): Facts | string {
  const callId = headers.get('call-id') ?? ''
  if (callId === '' || callId.length > 512 || /\s/.test(callId)) return 'Call-ID'
  const cseq = /^(\d{1,10})[ \t]+(\S{1,32})$/.exec(headers.get('cseq') ?? '')
  if (!cseq?.[2] || Number(cseq[1]) >= 2 ** 31 || !isToken(cseq[2])) return 'CSeq'
  const from = parseNameAddr(headers.get('from') ?? '')
  if (!from) return 'From'
  const to = parseNameAddr(headers.get('to') ?? '')
  if (!to) return 'To'
  const top = headers.values('via')[0]
  const via = top === undefined ? null : parseVia(top)
  if (top !== undefined && !via) return 'Via'
  const tags = { fromTag: from.params.get('tag') ?? null, toTag: to.params.get('tag') ?? null }
  return { callId, cseq: Number(cseq[1]), method: cseq[2], ...tags, via }
}

/** The bytes on the wire; Content-Length is counted here. */
export function serialise(message: SipMessage): Buffer {
  const start =
    message.type === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`
  if (hasControls(start)) throw new RangeError('The start line of a SIP message has a forbidden character.')
  const lines = message.headers
    .entries()
    .filter(({ name }) => name !== 'content-length')
    .map(({ name, value }) => `${spelled(name)}: ${value}`)
  const length = Buffer.byteLength(message.body)
  return Buffer.from(`${[start, ...lines, `Content-Length: ${length}`].join('\r\n')}\r\n\r\n${message.body}`)
}

const spelled = (name: string): string =>
  SPELLED[name] ?? name.replaceAll(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true
  }
  return false
}
