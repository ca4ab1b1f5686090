import { randomUUID } from 'node:crypto'
import { BRAND, type Passkey } from '@parley/contract'
import type {
  AuthenticatorTransport,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, desc, eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { type Db, type Reader, withTx } from '../../platform/db.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import type { Asking } from '../sign-in/auth.ts'
import { recordEvent } from '../events.ts'
import { holdAccount } from '../sign-in/pending.ts'
import { findPerson } from '../profile.ts'
import type { DbAndConfig } from '../room.ts'
import { passkey } from '../schema.ts'
import { seal, unseal } from './sealed.ts'

type Json = Record<string, unknown>

/** Loaded with the first passkey: its parsers of certificates are a twelfth of all modules of a start. */
const webauthn = () => import('@simplewebauthn/server')

/** The relying party: passkeys belong to the product's own host. */
function partyOf(config: Config) {
  const { publicUrl, allowedOrigins, nativeOrigins } = config
  const expectedOrigin = [...allowedOrigins].filter((origin) => !nativeOrigins.includes(origin))
  return { rpID: new URL(publicUrl).hostname, expectedOrigin }
}

/** Options for registering a passkey; the challenge is kept in a sealed cookie. */
export async function passkeyOptions(
  room: DbAndConfig,
  { userId, sessionId }: Actor,
  reply: FastifyReply,
): Promise<Json> {
  const { db, config } = room
  const [person, own] = await Promise.all([findPerson(db, userId), ownPasskeys(db, userId)])
  const options = await (
    await webauthn()
  ).generateRegistrationOptions({
    rpName: BRAND.product,
    rpID: partyOf(config).rpID,
    userID: new TextEncoder().encode(userId),
    userName: person.email,
    userDisplayName: person.name,
    excludeCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await seal(config, reply, 'passkey', { challenge: options.challenge, sessionId })
  return { ...options }
}

export async function addPasskey(
  room: DbAndConfig,
  actor: Actor,
  { name, response }: { name: string; response: Json },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Passkey> {
  const begun = await unseal(room, request, reply, 'passkey')
  // A registration is valid only in the session that began it.
  if (begun === undefined || begun['sessionId'] !== actor.sessionId) throw refused()
  const { rpID, expectedOrigin } = partyOf(room.config)
  const answer = asRegistration(response)
  const verified = await (
    await webauthn()
  )
    .verifyRegistrationResponse({
      response: answer,
      expectedChallenge: String(begun['challenge']),
      expectedOrigin,
      expectedRPID: rpID,
      requireUserVerification: true,
    })
    .catch((error: unknown) => {
      throw refused(error)
    })
  if (!verified.verified) throw refused()
  const { id: credentialId, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  return withTx(room.db, async (tx) => {
    const { id: userId } = await holdAccount(tx, actor)
    const made = { id: randomUUID(), userId, name, credentialId, counter, transports: [...transports] }
    const [kept] = await tx
      .insert(passkey)
      .values({ ...made, publicKey: Buffer.from(publicKey).toString('base64url') })
      .onConflictDoNothing()
      .returning()
    if (!kept) throw new AppError('conflict', 'This passkey is already there.')
    await recordEvent(tx, { userId, kind: 'passkey_added', detail: name }, request)
    return toPasskey(kept)
  })
}

/** Options for signing in with any passkey of this host; the response names its account. */
export async function passkeySignInOptions(config: Config, reply: FastifyReply): Promise<Json> {
  const options = await (
    await webauthn()
  ).generateAuthenticationOptions({ rpID: partyOf(config).rpID, userVerification: 'required' })
  await seal(config, reply, 'passkey', { challenge: options.challenge })
  return { ...options }
}

/** The account of a passkey whose response to the challenge is valid. */
export async function checkPasskey(
  room: DbAndConfig,
  response: Json,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { db } = room
  const begun = await unseal(room, request, reply, 'passkey')
  const answer = asAuthentication(response)
  const [known] = await db.select().from(passkey).where(eq(passkey.credentialId, answer.id))
  if (!begun || begun['sessionId'] !== undefined || !known) throw refused()
  const { rpID, expectedOrigin } = partyOf(room.config)
  const { publicKey, counter, credentialId: id } = known
  const { verified, authenticationInfo } = await (
    await webauthn()
  )
    .verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: String(begun['challenge']),
      expectedOrigin,
      expectedRPID: rpID,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      requireUserVerification: true,
    })
    .catch((error: unknown) => {
      throw refused(error)
    })
  if (!verified) throw refused()
  // Updates only if the counter is unchanged, so that a replayed response fails.
  const used = await db
    .update(passkey)
    .set({ counter: authenticationInfo.newCounter, lastUsedAt: new Date() })
    .where(and(eq(passkey.id, known.id), eq(passkey.counter, counter)))
    .returning({ id: passkey.id })
  if (used.length === 0) throw refused()
  return known.userId
}

function refused(cause?: unknown): AppError {
  return new AppError('invalid_token', 'The passkey was not accepted. Please try again.', { cause })
}

async function ownPasskeys(reader: Reader, userId: string) {
  const rows = await reader.select().from(passkey).where(eq(passkey.userId, userId)).orderBy(desc(passkey.createdAt))
  // Cast: transports were stored from verified responses of browsers.
  return rows.map((row) => ({ ...row, transports: row.transports as AuthenticatorTransport[] }))
}

export async function listPasskeys(reader: Reader, userId: string): Promise<Passkey[]> {
  return (await ownPasskeys(reader, userId)).map(toPasskey)
}

function toPasskey({ id, name, createdAt, lastUsedAt }: typeof passkey.$inferSelect): Passkey {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

export async function removePasskey(db: Db, userId: string, passkeyId: string, request: Asking): Promise<void> {
  await withTx(db, async (tx) => {
    const own = and(eq(passkey.id, passkeyId), eq(passkey.userId, userId))
    const [removed] = await tx.delete(passkey).where(own).returning({ name: passkey.name })
    if (!removed) throw notFound('The passkey')
    await recordEvent(tx, { userId, kind: 'passkey_removed', detail: removed.name }, request)
  })
}

/** The library validates the response; these casts only give its type. */
function asRegistration(response: Json) {
  return response as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response']
}

function asAuthentication(response: Json) {
  return response as unknown as Parameters<typeof verifyAuthenticationResponse>[0]['response']
}
