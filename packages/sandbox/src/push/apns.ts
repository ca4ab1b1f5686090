import { randomUUID } from 'node:crypto'
import { createServer, type Http2Session, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { readSigned } from './tokens.ts'

export interface ApnsFarEndOptions {
  readonly keyId: string
  readonly teamId: string
  /** PEM of the public half of the .p8 key. */
  readonly publicKey: string
  /** The app's bundle id. */
  readonly topic: string
}

interface ApnsDelivery {
  readonly token: string
  readonly headers: IncomingHttpHeaders
  readonly payload: unknown
}

/** An answer in place of the next request's own; `reason` as Apple names them. */
export interface ApnsFault {
  readonly status: number
  readonly reason: string
  readonly retryAfter?: string
  /** Ends the connection without an answer. */
  readonly hangsUp?: boolean
}

export interface ApnsFarEnd {
  readonly url: string
  readonly delivered: readonly ApnsDelivery[]
  /** Provider tokens seen, one each. */
  readonly providerTokens: ReadonlySet<string>
  readonly connections: number
  /** Tokens of phones that have removed the app. */
  readonly unregistered: Set<string>
  /** Refuses provider tokens made before now. */
  expireTokens(): void
  failNext(...faults: readonly ApnsFault[]): void
  close(): Promise<void>
}

const HOUR_SECONDS = 3600
const PAYLOAD_MAX_BYTES = 4096

/** Apple's push service: HTTP/2 without TLS, /3/device/{token}, its headers and its reasons. */
export async function startApnsFarEnd(options: ApnsFarEndOptions): Promise<ApnsFarEnd> {
  const delivered: ApnsDelivery[] = []
  const providerTokens = new Set<string>()
  const expired = new Set<string>()
  const unregistered = new Set<string>()
  const faults: ApnsFault[] = []
  const sessions = new Set<Http2Session>()
  let connections = 0
  const server = createServer()
  server.on('session', (session) => {
    connections += 1
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  const judge = (headers: IncomingHttpHeaders, body: string): ApnsFault | undefined => {
    const bearer = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (bearer === undefined) return { status: 403, reason: 'MissingProviderToken' }
    const read = readSigned(bearer, 'ES256', options.publicKey)
    const isOurs = read?.header['kid'] === options.keyId && read.claims['iss'] === options.teamId
    if (!read || !isOurs) return { status: 403, reason: 'InvalidProviderToken' }
    providerTokens.add(bearer)
    const age = Math.abs(Date.now() / 1000 - Number(read.claims['iat']))
    if (!(age < HOUR_SECONDS) || expired.has(bearer)) return { status: 403, reason: 'ExpiredProviderToken' }
    if (headers['apns-topic'] === undefined) return { status: 400, reason: 'MissingTopic' }
    if (headers['apns-topic'] !== options.topic) return { status: 400, reason: 'TopicDisallowed' }
    if (headers['apns-push-type'] !== 'alert') return { status: 400, reason: 'InvalidPushType' }
    if (String(headers['apns-collapse-id'] ?? '').length > 64) return { status: 400, reason: 'BadCollapseId' }
    if (Buffer.byteLength(body) > PAYLOAD_MAX_BYTES) return { status: 413, reason: 'PayloadTooLarge' }
    if (body === '') return { status: 400, reason: 'PayloadEmpty' }
    const token = tokenIn(headers)
    if (!/^[0-9a-f]{64}$/i.test(token) || /^0+$/.test(token)) return { status: 400, reason: 'BadDeviceToken' }
    return unregistered.has(token) ? { status: 410, reason: 'Unregistered' } : undefined
  }
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const chunks: Buffer[] = []
    stream.on('error', () => undefined)
    stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
    stream.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const refusal = faults.shift() ?? judge(headers, body)
      if (refusal?.hangsUp === true) return stream.session?.destroy()
      if (!refusal) {
        delivered.push({ token: tokenIn(headers), headers, payload: JSON.parse(body) })
        return stream.respond({ ':status': 200, 'apns-id': randomUUID() }, { endStream: true })
      }
      const { status, reason, retryAfter } = refusal
      stream.respond({ ':status': status, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) })
      stream.end(JSON.stringify({ reason, ...(status === 410 && { timestamp: Date.now() }) }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    delivered,
    providerTokens,
    get connections() {
      return connections
    },
    unregistered,
    expireTokens: () => providerTokens.forEach((each) => expired.add(each)),
    failNext: (...more) => void faults.push(...more),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const session of sessions) session.destroy()
      }),
  }
}

function tokenIn(headers: IncomingHttpHeaders): string {
  return /^\/3\/device\/([^/]+)$/.exec(String(headers[':path']))?.[1] ?? ''
}
