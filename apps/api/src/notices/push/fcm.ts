import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { FcmKeys } from '../../config-phones.ts'
import {
  problemOf,
  PUSH_DEADLINE_MS,
  PUSH_LIFETIME_SECONDS,
  type PushMessage,
  type PushResult,
  type PushSender,
  secondsIn,
} from './port.ts'

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
/** Access tokens are renewed so long before they end. */
const SPARE_MS = 60_000
/** Android's notification channel of the app; a message of one call replaces the one before. */
const CHANNEL = 'calls'

const AccessToken = z.object({ access_token: z.string(), expires_in: z.number() })
const Problem = z.object({
  error: z.object({
    status: z.string().default(''),
    message: z.string().default(''),
    details: z.array(z.object({ errorCode: z.string().optional() })).default([]),
  }),
})

/** The service refused an access token to our account. */
class AccountRefused extends Error {}

/** Firebase Cloud Messaging: HTTP v1 with an access token of a service account. */
export function createFcm({ account, url }: FcmKeys, now: () => number = Date.now): PushSender {
  let access: { token: string; until: number } | undefined

  const tokenOf = async () => {
    if (access && now() < access.until) return access.token
    const at = Math.floor(now() / 1000)
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(at)
      .setExpirationTime(at + 3600)
      .sign(await importPKCS8(account.private_key, 'RS256'))
    const answer = await fetch(account.token_uri, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
      signal: AbortSignal.timeout(PUSH_DEADLINE_MS),
      redirect: 'error',
    })
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
      throw new AccountRefused(`Google refused the service account with ${answer.status}`)
    if (!answer.ok) throw new Error(`Google gave no access token: ${answer.status}`)
    const { access_token: token, expires_in: seconds } = AccessToken.parse(await answer.json())
    access = { token, until: now() + seconds * 1000 - SPARE_MS }
    return token
  }
  const post = async (body: unknown) =>
    fetch(`${url}/v1/projects/${account.project_id}/messages:send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PUSH_DEADLINE_MS),
      redirect: 'error',
    })
  const send = async (body: unknown): Promise<PushResult> => {
    try {
      const first = await post(body)
      if (first.status !== 401) return await resultOf(first)
      await first.body?.cancel()
      // Revoked before its time: one new token.
      access = undefined
      return await resultOf(await post(body))
    } catch (error) {
      const problem = problemOf(error)
      if (error instanceof AccountRefused) return { kind: 'refused', problem }
      return { kind: 'later', problem, afterSeconds: undefined }
    }
  }
  return {
    send: (token, message) => send({ message: messageOf(token, message) }),
    async check() {
      // Firebase judges the key before it finds that nobody has this token.
      const result = await send({ validate_only: true, message: messageOf('nobody', CHECK) })
      return result.kind === 'gone' ? { kind: 'sent' } : result
    },
  }
}

const CHECK: PushMessage = { title: 'Check', body: '', callId: '' }

function messageOf(token: string, { title, body, callId }: PushMessage) {
  return {
    token,
    notification: { title, body },
    data: { callId },
    android: {
      priority: 'HIGH',
      ttl: `${PUSH_LIFETIME_SECONDS}s`,
      collapse_key: callId,
      notification: { channel_id: CHANNEL, tag: callId },
    },
  }
}

async function resultOf(answer: Response): Promise<PushResult> {
  if (answer.ok) {
    await answer.body?.cancel()
    return { kind: 'sent' }
  }
  const { error } = Problem.catch({ error: { status: '', message: '', details: [] } }).parse(
    await answer.json().catch(() => undefined),
  )
  const code = error.details.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? error.status
  // Firebase says INVALID_ARGUMENT of a token that is none, and of a message that it does not take.
  const isNoToken = code === 'INVALID_ARGUMENT' && /registration token/i.test(error.message)
  if (code === 'UNREGISTERED' || code === 'SENDER_ID_MISMATCH' || isNoToken) return { kind: 'gone' }
  const problem = `Firebase answered ${answer.status} ${code}`
  if (answer.status === 429 || answer.status >= 500)
    return { kind: 'later', problem, afterSeconds: secondsIn(answer.headers.get('retry-after')) }
  return { kind: 'refused', problem }
}
