import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { APP_ID } from '@parley/contract'
import { importPKCS8, SignJWT } from 'jose'
import type { ApnsKeys } from '../../config-phones.ts'
import {
  problemOf,
  PUSH_DEADLINE_MS,
  PUSH_LIFETIME_SECONDS,
  type PushMessage,
  type PushResult,
  type PushSender,
  secondsIn,
} from './port.ts'

/** Apple refuses tokens older than an hour, and new ones more often than every 20 minutes. */
const TOKEN_MS = 40 * 60_000
const IDLE_MS = 60_000
/** The form of a device token, and nobody's. */
const NOBODY = '0'.repeat(64)
/** The token belongs to no installed app, to another app, or to the other of Apple's two addresses. */
const DEAD: ReadonlySet<string> = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered', 'ExpiredToken'])

interface Answer {
  readonly status: number
  readonly reason: string
  readonly retryAfter: string | undefined
}

/** Apple's push service: HTTP/2 with a signed token of the team. */
export function createApns(keys: ApnsKeys, now: () => number = Date.now): PushSender {
  let provider: { token: string; madeAt: number } | undefined
  let session: ClientHttp2Session | undefined

  const tokenOf = async () => {
    if (!provider || now() - provider.madeAt > TOKEN_MS) {
      const madeAt = now()
      const token = await new SignJWT({ iss: keys.teamId, iat: Math.floor(madeAt / 1000) })
        .setProtectedHeader({ alg: 'ES256', kid: keys.keyId })
        .sign(await importPKCS8(keys.privateKey, 'ES256'))
      provider = { token, madeAt }
    }
    return provider.token
  }
  const sessionNow = () => {
    if (session && !session.closed && !session.destroyed) return session
    const opened = connect(keys.url)
    opened.setTimeout(IDLE_MS, () => opened.close())
    // Each request hears of its own error.
    opened.on('error', () => undefined)
    opened.on('goaway', () => opened.close())
    // An idle connection keeps no process alive.
    opened.unref()
    session = opened
    return opened
  }
  const post = async (token: string, payload: string, callId: string): Promise<Answer> => {
    const headers = {
      ':method': 'POST',
      ':path': `/3/device/${token}`,
      authorization: `bearer ${await tokenOf()}`,
      'apns-topic': APP_ID,
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': String(Math.floor(now() / 1000) + PUSH_LIFETIME_SECONDS),
      ...(callId !== '' && { 'apns-collapse-id': callId }),
    }
    return exchange(sessionNow(), headers, payload)
  }
  const send = async (token: string, payload: string, callId: string): Promise<PushResult> => {
    try {
      const first = await post(token, payload, callId)
      if (first.reason !== 'ExpiredProviderToken') return resultOf(first)
      // The clocks differ: one new token.
      provider = undefined
      return resultOf(await post(token, payload, callId))
    } catch (error) {
      return { kind: 'later', problem: problemOf(error), afterSeconds: undefined }
    }
  }
  return {
    send: (token, message) => send(token, payloadOf(message), message.callId),
    async check() {
      const result = await send(NOBODY, payloadOf({ title: 'Check', body: '', callId: '' }), '')
      return result.kind === 'gone' ? { kind: 'sent' } : result
    },
  }
}

function payloadOf({ title, body, callId }: PushMessage): string {
  return JSON.stringify({ aps: { alert: { title, body }, sound: 'default', 'thread-id': callId }, callId })
}

function resultOf({ status, reason, retryAfter }: Answer): PushResult {
  if (status === 200) return { kind: 'sent' }
  if (status === 410 || DEAD.has(reason)) return { kind: 'gone' }
  const problem = `Apple answered ${status} ${reason}`
  if (status === 429 || status >= 500) return { kind: 'later', problem, afterSeconds: secondsIn(retryAfter) }
  return { kind: 'refused', problem }
}

function exchange(
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  payload: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ...headers })
    const chunks: Buffer[] = []
    let status = 0
    let retryAfter: string | undefined
    stream.setTimeout(PUSH_DEADLINE_MS, () => stream.close(constants.NGHTTP2_CANCEL))
    stream.on('response', (response) => {
      status = Number(response[':status'])
      retryAfter = response['retry-after']
    })
    stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
    stream.on('error', reject)
    stream.on('close', () => {
      if (status === 0) reject(new Error('Apple did not answer in time'))
      else resolve({ status, reason: reasonIn(Buffer.concat(chunks).toString()), retryAfter })
    })
    stream.end(payload)
  })
}

function reasonIn(text: string): string {
  return /"reason"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? ''
}
