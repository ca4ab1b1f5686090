import { createHmac, hkdfSync } from 'node:crypto'
import { type CallOrder, IdParams, isVerificationId } from '@parley/contract'
import { type Key, type Keys, keysFor } from '@parley/contract/keys'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Reader } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { isSame } from '../platform/keys.ts'
import { call, callerVerification, callLease } from './schema.ts'

// Tokens for one call alone: `1.<fence>.<expiry, s>.<HMAC-SHA256 of the call, fence and expiry, base64url>`, or by a key
// with an id `2.<id>.<fence>.<expiry, s>.<HMAC>`. The api makes and checks them; a voice node only compares, so it cannot
// make one for a call that it was not given.

export interface TokenClaims {
  readonly callId: string
  readonly fence: number
  /** Rounded up to a second. */
  readonly expiresAt: Date
}

/** Of calls without a lease. */
export const FIRST_FENCE = 1
/** The longest wait for a line and the longest call within a day, and then a week in which a node may deliver facts. */
const TOKEN_LIFE_MS = 8 * 86_400_000

export function callToken([first]: Keys, claims: TokenClaims): string {
  return tokenBy(first, claims)
}

function tokenBy({ id, secret }: Key, { callId, fence, expiresAt }: TokenClaims): string {
  const expiresAtSeconds = Math.ceil(expiresAt.getTime() / 1000)
  // The secret itself signs nothing, so that a token tells nothing about it.
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley call token', 32))
  const mac = createHmac('sha256', key).update(JSON.stringify(['1', callId, fence, expiresAtSeconds]))
  return [...(id === null ? [1] : [2, id]), fence, expiresAtSeconds, mac.digest('base64url')].join('.')
}

/** The fence of a valid token; undefined when it was made for another call, is altered or has expired. */
export function fenceOf(keys: Keys, token: string, callId: string, now: Date): number | undefined {
  const [, id, fence, expiresAtSeconds] = /^(?:1|2\.(\d{1,8}))\.(\d{1,15})\.(\d{1,12})\.[\w-]{43}$/.exec(token) ?? []
  if (fence === undefined || expiresAtSeconds === undefined) return undefined
  const keyId = id === undefined ? null : Number(id)
  const expiresAt = new Date(Number(expiresAtSeconds) * 1000)
  const claims = { callId, fence: Number(fence), expiresAt }
  const isValid = keysFor(keys, keyId).some(({ secret }) => isSame(token, tokenBy({ id: keyId, secret }, claims)))
  return isValid && now < expiresAt ? claims.fence : undefined
}

export function tokenExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + TOKEN_LIFE_MS)
}

/** The fence of the token that a request about one call shows; undefined when it shows the shared secret instead. */
export function fenceShown({ voice }: Pick<Config, 'voice'>, request: FastifyRequest): number | undefined {
  if (request.routeOptions.url?.startsWith('/internal/calls/:id/') !== true) return undefined
  const { id } = IdParams.safeParse(request.params).data ?? {}
  const { authorization = '' } = request.headers
  if (id === undefined || !authorization.startsWith('Bearer ')) return undefined
  return fenceOf(voice.keys, authorization.slice('Bearer '.length), id, new Date())
}

/** What an order carries for its call. */
export function orderToken(
  { voice }: Pick<Config, 'voice'>,
  callId: string,
  fence: number,
  expiresAt: Date,
): Required<Pick<CallOrder, 'token' | 'fence'>> {
  return { token: callToken(voice.keys, { callId, fence, expiresAt }), fence }
}

/**
 * The tokens that the order of a call may carry, by each key: that of its voice node may be of an older one. None for an
 * unknown call.
 */
export async function tokensOfCall(
  { config, db }: { readonly config: Pick<Config, 'voice'>; readonly db: Reader },
  callId: string,
): Promise<string[]> {
  const claims = await claimsOf(db, callId)
  if (claims === undefined) return []
  // A key that is on a list now may have stood alone then.
  const forms = config.voice.keys.flatMap((key) => (key.id === null ? [key] : [key, { ...key, id: null }]))
  return forms.map((key) => tokenBy(key, claims))
}

async function claimsOf(db: Reader, callId: string): Promise<TokenClaims | undefined> {
  if (isVerificationId(callId)) {
    const [told] = await db
      .select({ createdAt: callerVerification.createdAt })
      .from(callerVerification)
      .where(eq(callerVerification.id, callId))
    return told && { callId, fence: FIRST_FENCE, expiresAt: tokenExpiry(told.createdAt) }
  }
  const [row] = await db
    .select({ createdAt: call.createdAt, fence: callLease.fence })
    .from(call)
    .leftJoin(callLease, eq(callLease.callId, call.id))
    .where(eq(call.id, callId))
  return row && { callId, fence: row.fence ?? FIRST_FENCE, expiresAt: tokenExpiry(row.createdAt) }
}

/** Throws stale_fence when the call has been given to another node since. A call without a lease has no fence. */
export async function refuseStale(reader: Reader, callId: string, fence: number | undefined): Promise<void> {
  if (fence === undefined) return
  const [lease] = await reader.select({ fence: callLease.fence }).from(callLease).where(eq(callLease.callId, callId))
  if (lease && fence < lease.fence)
    throw new AppError(
      'stale_fence',
      'The call was given to another node since: nothing more of it is taken from here.',
    )
}
