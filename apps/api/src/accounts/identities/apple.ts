import { type AppleBody, type AppleCallbackBody, NATIVE_STATE, SHELL_SIGN_IN_URLS } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { type Identity, personOf } from './identities.ts'
import { answers, nativeReturn } from '../sign-in/native.ts'
import { type Apple, AppleClaims } from './providers.ts'
import type { AccountsRoom } from '../room.ts'
import { useOnce } from '../sign-in/used-tokens.ts'

const ISSUER = 'https://appleid.apple.com'
const CLOCKS_APART_SECONDS = 30

const NameParts = z.object({
  name: z.object({ firstName: z.string().nullish(), lastName: z.string().nullish() }).optional(),
  givenName: z.string().nullish(),
  familyName: z.string().nullish(),
})

export function createApple({
  clientIds,
  jwksUrl,
}: {
  clientIds: readonly string[]
  jwksUrl: string
}): Apple | undefined {
  if (clientIds.length === 0) return undefined
  const keys = createRemoteJWKSet(new URL(jwksUrl))
  return { verify: (token) => verify(token, keys, clientIds) }
}

async function verify(token: string, keys: JWTVerifyGetKey, clientIds: readonly string[]): Promise<AppleClaims> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: ISSUER,
      audience: [...clientIds],
      algorithms: ['RS256', 'ES256'],
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: CLOCKS_APART_SECONDS,
    })
    return AppleClaims.parse(payload)
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new AppError('expired_token', 'This sign-in has expired. Please try again.')
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) throw invalid(error)
    if (error instanceof z.ZodError) throw invalid(error)
    throw new AppError('unavailable', 'Apple cannot be reached. Please try again.', { cause: error })
  }
}

function invalid(cause?: unknown): AppError {
  return new AppError('invalid_token', 'Apple did not confirm this sign-in. Please try again.', { cause })
}

/** The account of an identity token sent by the app. The nonce ties the token to the app's own sign-in. */
export async function enterWithApple(
  room: Pick<AccountsRoom, 'apple' | 'config' | 'db' | 'hooks' | 'jobs'>,
  body: z.output<typeof AppleBody>,
  request: FastifyRequest,
): Promise<string> {
  if (!room.apple) throw new AppError('switched_off', 'Signing in with Apple is not available here.')
  const claims = await room.apple.verify(body.identityToken)
  const { nonce } = claims
  const tied = nonce === undefined ? body.nonce === undefined : nonce === body.nonce || answers(nonce, body.nonce)
  if (!tied) throw invalid()
  await useUp(room.db, body.identityToken, claims)
  return personOf(room, identityOf(claims, body.user), request)
}

/**
 * The URL to which the browser returns after Apple's form: back to the app. A nonce, if present, becomes the challenge
 * of the code.
 */
export async function finishApple(
  room: Pick<AccountsRoom, 'apple' | 'config' | 'db' | 'hooks' | 'jobs'>,
  form: z.output<typeof AppleCallbackBody>,
  request: FastifyRequest,
): Promise<string> {
  const refuse = (code: string) =>
    form.state === NATIVE_STATE ? `${SHELL_SIGN_IN_URLS.Apple}?error=${code}` : `/?auth=error&message=${code}`
  if (!room.apple) return refuse('switched_off')
  if (form.state !== NATIVE_STATE || form.id_token === undefined) return refuse('oauth_failed')
  try {
    const claims = await room.apple.verify(form.id_token)
    await useUp(room.db, form.id_token, claims)
    const userId = await personOf(room, identityOf(claims, readJson(form.user)), request)
    return await nativeReturn(room.db, { userId, method: 'Apple', challenge: claims.nonce })
  } catch (error) {
    if (!(error instanceof AppError)) request.log.warn({ err: error }, 'sign-in with Apple failed')
    return refuse(error instanceof AppError ? error.code : 'oauth_failed')
  }
}

/** Refuses a second sign-in with the same token. */
async function useUp(db: Db, token: string, { exp }: AppleClaims): Promise<void> {
  // Only the signed part: the signature has several valid encodings.
  const [header = '', payload = ''] = token.split('.')
  const expiresAt = new Date((exp + CLOCKS_APART_SECONDS) * 1000)
  if (!(await useOnce(db, `${header}.${payload}`, expiresAt))) throw invalid()
}

function identityOf({ sub, email, email_verified: emailVerified }: AppleClaims, user: unknown): Identity {
  const parsed = NameParts.safeParse(user).data
  const parts = [parsed?.name?.firstName ?? parsed?.givenName, parsed?.name?.lastName ?? parsed?.familyName]
  const fullName = parts
    .flatMap((part) => part?.trim() || [])
    .join(' ')
    .slice(0, 120)
  return { provider: 'apple', subject: sub, email, emailVerified, fullName: fullName === '' ? undefined : fullName }
}

function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
