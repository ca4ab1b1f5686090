import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { readSigned } from './tokens.ts'

export interface FcmFarEndOptions {
  readonly project: string
  readonly clientEmail: string
  /** PEM of the public half of the service account's key. */
  readonly publicKey: string
}

interface FcmMessage {
  readonly token: string
  readonly notification: { readonly title: string; readonly body: string }
  readonly data: Readonly<Record<string, string>>
  readonly android: Readonly<Record<string, unknown>>
}

export interface FcmFault {
  readonly status: number
  /** As Firebase names them, such as QUOTA_EXCEEDED. */
  readonly errorCode: string
  readonly retryAfter?: string
}

export interface FcmFarEnd {
  readonly url: string
  readonly tokenUri: string
  readonly delivered: readonly FcmMessage[]
  /** Access tokens given out. */
  readonly accessTokens: ReadonlySet<string>
  /** Tokens of phones that have removed the app. */
  readonly unregistered: Set<string>
  /** Refuses the access tokens given out before now. */
  revokeTokens(): void
  failNext(...faults: readonly FcmFault[]): void
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly retryAfter?: string | undefined
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** Firebase's messaging (HTTP v1), with Google's token service beside it. */
export async function startFcmFarEnd(options: FcmFarEndOptions): Promise<FcmFarEnd> {
  const delivered: FcmMessage[] = []
  const accessTokens = new Set<string>()
  const revoked = new Set<string>()
  const unregistered = new Set<string>()
  const faults: FcmFault[] = []
  let url = ''

  const giveToken = (form: string): Answer => {
    const fields = new URLSearchParams(form)
    const read = readSigned(fields.get('assertion') ?? '', 'RS256', options.publicKey)
    const { iss, scope, aud, iat, exp } = read?.claims ?? {}
    const lives = Number(exp) - Number(iat) <= 3600 && Number(exp) > Date.now() / 1000
    const isGrant = fields.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    if (!isGrant || iss !== options.clientEmail || scope !== SCOPE || aud !== `${url}/token` || !lives)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    const access = `ya29.${randomUUID()}`
    accessTokens.add(access)
    return { status: 200, body: { access_token: access, expires_in: 3599, token_type: 'Bearer' } }
  }
  const send = (request: IncomingMessage, body: string): Answer => {
    const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!accessTokens.has(bearer) || revoked.has(bearer))
      return failure(401, undefined, 'Request had invalid authentication credentials.')
    const fault = faults.shift()
    if (fault) return { ...failure(fault.status, fault.errorCode, 'As ordered'), retryAfter: fault.retryAfter }
    // Cast: the far end's tests and the adapter's agree on it; a missing part shows there.
    const { message, validate_only: isDry } = JSON.parse(body) as { message: FcmMessage; validate_only?: boolean }
    if (typeof message.token !== 'string' || message.token.length < 20)
      return failure(400, 'INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token')
    if (unregistered.has(message.token)) return failure(404, 'UNREGISTERED', 'Requested entity was not found.')
    if (isDry !== true) delivered.push(message)
    return { status: 200, body: { name: `projects/${options.project}/messages/${randomUUID()}` } }
  }
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const {
        status,
        body: answer,
        retryAfter,
      } = request.url === '/token'
        ? giveToken(body)
        : request.url === `/v1/projects/${options.project}/messages:send`
          ? send(request, body)
          : failure(404, undefined, 'Not found')
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      })
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    tokenUri: `${url}/token`,
    delivered,
    accessTokens,
    unregistered,
    revokeTokens: () => accessTokens.forEach((each) => revoked.add(each)),
    failNext: (...more) => void faults.push(...more),
    close: () => new Promise<void>((done) => server.close(() => done()).closeAllConnections()),
  }
}

/** Google's error with Firebase's own code among the details. */
function failure(status: number, errorCode: string | undefined, message: string): Answer {
  const details =
    errorCode === undefined ? [] : [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }]
  return { status, body: { error: { code: status, message, status: STATUS[status] ?? 'UNKNOWN', details } } }
}
