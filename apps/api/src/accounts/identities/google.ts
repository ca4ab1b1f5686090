import { NATIVE_STATE, SHELL_SIGN_IN_URLS } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as openid from 'openid-client'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { AppError } from '../../platform/errors.ts'
import { type Identity, personOf } from './identities.ts'
import { nativeReturn } from '../sign-in/native.ts'
import type { Google } from './providers.ts'
import type { AccountsRoom } from '../room.ts'
import { seal, unseal } from '../second-factor/sealed.ts'
import { startSession } from '../sign-in/sign-in.ts'

const SCOPE = 'openid email profile'
const CALLBACK_PATH = '/api/auth/google/callback'

/** State of a sign-in under way, kept in the browser's cookie. */
const Begun = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  native: z.boolean(),
  challenge: z.string().optional(),
})

const Claims = z.object({
  sub: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().default(false),
  name: z.string().max(120).optional(),
})

export function createGoogle(
  google: { clientId: string; clientSecret: string; issuer: string } | undefined,
): Google | undefined {
  if (!google) return undefined
  const { clientId, clientSecret } = google
  const issuer = new URL(google.issuer)
  // Plain http only for a provider on this machine (tests).
  const execute = issuer.protocol === 'http:' && issuer.hostname === '127.0.0.1' ? [openid.allowInsecureRequests] : []
  let known: Promise<openid.Configuration> | undefined
  return {
    async configuration() {
      known ??= openid.discovery(issuer, clientId, clientSecret, undefined, { execute })
      try {
        return await known
      } catch (error) {
        known = undefined
        throw error
      }
    },
  }
}

/** The URL to which to send the browser: Google, or back to the start with an error code. */
export async function beginGoogle(
  room: Pick<AccountsRoom, 'config' | 'google'>,
  request: FastifyRequest,
  reply: FastifyReply,
  query: { state?: string | undefined; shell?: string | undefined; challenge?: string | undefined },
): Promise<string> {
  const native = query.shell === '1' || query.state === NATIVE_STATE
  if (!room.google) return refusal(native, 'oauth_temporarily_unavailable')
  // Any app can claim the link back: without a challenge, it could use the code.
  if (native && query.challenge === undefined) return refusal(native, 'oauth_failed')
  try {
    const configuration = await room.google.configuration()
    const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()]
    const { challenge } = query
    await seal(room.config, reply, 'google', { state, nonce, verifier, challenge, native })
    return openid.buildAuthorizationUrl(configuration, {
      redirect_uri: room.config.publicUrl + CALLBACK_PATH,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href
  } catch (error) {
    request.log.warn({ err: error }, 'Google does not answer')
    return refusal(native, 'oauth_temporarily_unavailable')
  }
}

/** The URL after Google's redirect: the signed-in page, the app, or the landing page with an error code. */
export async function finishGoogle(
  room: Pick<AccountsRoom, 'auth' | 'bus' | 'config' | 'db' | 'google' | 'hooks' | 'jobs'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const begun = Begun.safeParse(await unseal(room, request, reply, 'google'))
  if (!room.google || !begun.success) return refusal(false, 'oauth_failed')
  const { native, challenge } = begun.data
  try {
    const identity = await identityOf(room.config, await room.google.configuration(), request, begun.data)
    const userId = await personOf(room, identity, request)
    if (native) return await nativeReturn(room.db, { userId, method: 'Google', challenge })
    await startSession(room, request, reply, { userId, method: 'Google' })
    return '/dashboard'
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'oauth_failed'
    if (!(error instanceof AppError)) request.log.warn({ err: error }, 'sign-in with Google failed')
    return refusal(native, code)
  }
}

async function identityOf(
  config: Pick<Config, 'publicUrl'>,
  configuration: openid.Configuration,
  request: FastifyRequest,
  begun: z.output<typeof Begun>,
): Promise<Identity> {
  // Google compares the redirect URL with the public URL; the Host header may differ behind a proxy.
  const url = new URL(request.url, config.publicUrl)
  const tokens = await openid.authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    idTokenExpected: true,
  })
  const { sub, email, email_verified: emailVerified, name } = Claims.parse(tokens.claims())
  return { provider: 'google', subject: sub, email, emailVerified, fullName: name }
}

/** The URL of the page on which the sign-in began, with an error code. */
function refusal(native: boolean, code: string): string {
  return native ? `${SHELL_SIGN_IN_URLS.Google}?error=${code}` : `/?auth=error&message=${code}`
}
