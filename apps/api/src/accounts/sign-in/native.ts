import { randomBytes } from 'node:crypto'
import { NATIVE_CODE_SECONDS, SHELL_SIGN_IN_URLS } from '@parley/contract'
import { eq, lt } from 'drizzle-orm'
import type { Db, Reader } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { nativeCode } from '../schema.ts'
import { sha256 } from './hashes.ts'
import type { SignInMethod } from '../identities/providers.ts'

/** The link back to the app, with a single-use, short-lived code. */
export async function nativeReturn(
  db: Db,
  {
    userId,
    method,
    challenge,
  }: { userId: string; method: keyof typeof SHELL_SIGN_IN_URLS; challenge: string | undefined },
): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  const expiresAt = new Date(Date.now() + NATIVE_CODE_SECONDS * 1000)
  await db
    .insert(nativeCode)
    .values({ hash: sha256(code, 'base64url'), userId, method, challenge: challenge ?? null, expiresAt })
  return `${SHELL_SIGN_IN_URLS[method]}?code=${code}`
}

/**
 * Any app can claim a link scheme, and any page can open one. So a code with a challenge needs its verifier, and an app
 * that sends a verifier refuses a code without a challenge (PKCE).
 */
export async function takeNativeCode(
  db: Db,
  { code, verifier }: { code: string; verifier?: string | undefined },
): Promise<{ userId: string; method: SignInMethod }> {
  const [taken] = await db
    .delete(nativeCode)
    .where(eq(nativeCode.hash, sha256(code, 'base64url')))
    .returning()
  if (!taken || taken.expiresAt <= new Date() || !answers(taken.challenge, verifier)) {
    throw new AppError('invalid_token', 'This sign-in has expired or was already used. Please try again.')
  }
  return { userId: taken.userId, method: taken.method === 'Apple' ? 'Apple' : 'Google' }
}

/** Apps send the hash of the verifier in base64url; Apple's libraries in hexadecimal. */
export function answers(challenge: string | null, secret: string | undefined): boolean {
  if (challenge === null) return secret === undefined
  return secret !== undefined && [sha256(secret, 'base64url'), sha256(secret, 'hex')].includes(challenge)
}

export async function forgetExpiredCodes(reader: Reader): Promise<void> {
  await reader.delete(nativeCode).where(lt(nativeCode.expiresAt, new Date()))
}
