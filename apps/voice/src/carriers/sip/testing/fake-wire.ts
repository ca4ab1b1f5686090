import {
  type Facts,
  Headers,
  parseMessage,
  serialise,
  type SipMessage,
  type SipRequest,
} from '../signalling/message.ts'
import type { SendFailure, Target, Wire } from '../signalling/wire.ts'

export const UDP: Target = { transport: 'udp', address: '192.0.2.9', port: 5060, serverName: null }
export const TCP: Target = { ...UDP, transport: 'tcp' }

export interface Sent {
  readonly message: SipMessage
  readonly facts: Facts
  readonly atMs: number
  readonly target: Target
}

/** A wire of a test: keeps what was sent, and can refuse to send. */
export class FakeWire implements Wire {
  readonly sent: Sent[] = []
  readonly #nowMs: () => number
  failure: SendFailure | null = null

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  send(bytes: Buffer, target: Target, onFailed: (failure: SendFailure) => void): void {
    const { failure } = this
    if (failure) return queueMicrotask(() => onFailed(failure))
    const parsed = parseMessage(bytes)
    if ('problem' in parsed) throw new Error(`malformed message sent: ${parsed.problem}`)
    this.sent.push({ ...parsed, atMs: this.#nowMs(), target })
  }

  localTo(): { host: string; port: number; address: string } {
    return { host: '192.0.2.1', port: 5060, address: '192.0.2.1' }
  }

  /** When each message that begins with this start line was sent. */
  timesOf(start: string): number[] {
    return this.sent.filter(({ message }) => startOf(message).startsWith(start)).map(({ atMs }) => atMs)
  }

  last(start: string): Sent {
    const found = this.sent.findLast(({ message }) => startOf(message).startsWith(start))
    if (!found) throw new Error(`${start} was not sent`)
    return found
  }
}

const startOf = (message: SipMessage): string =>
  message.type === 'request' ? message.method : `${message.status} ${message.reason}`

export function requestOf(method: string, more: readonly (readonly [string, string])[] = []): SipRequest {
  const headers = new Headers()
    .add('from', '<sip:a@192.0.2.1>;tag=ours')
    .add('to', '<sip:b@192.0.2.9>')
    .add('call-id', 'call-1')
    .add('cseq', `1 ${method}`)
  for (const [name, value] of more) headers.add(name, value)
  return { type: 'request', method, uri: 'sip:b@192.0.2.9', headers, body: '' }
}

const fieldOf = ({ headers }: SipRequest, name: string): string => headers.get(name) ?? ''

export interface ResponseFields {
  readonly tag?: string
  readonly withoutVia?: boolean
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
}

/** A far end's response to a request as it was sent. */
export function responseTo(
  request: SipRequest,
  status: number,
  { tag = 'theirs', withoutVia = false, headers = [], body = '' }: ResponseFields = {},
): { readonly message: SipMessage; readonly facts: Facts } {
  const all = new Headers()
  for (const via of withoutVia ? [] : request.headers.all('via')) all.add('via', via)
  const to = fieldOf(request, 'to')
  all.add('from', fieldOf(request, 'from')).add('to', to.includes(';tag=') ? to : `${to};tag=${tag}`)
  all.add('call-id', fieldOf(request, 'call-id')).add('cseq', fieldOf(request, 'cseq'))
  for (const [name, value] of headers) all.add(name, value)
  if (body !== '') all.add('content-type', 'application/sdp')
  const message: SipMessage = { type: 'response', status, reason: 'Told', headers: all, body }
  return { message, facts: factsIn(message) }
}

export function factsIn(message: SipMessage): Facts {
  const parsed = parseMessage(serialise(message))
  if ('problem' in parsed) throw new Error(`a test made a malformed message: ${parsed.problem}`)
  return parsed.facts
}
