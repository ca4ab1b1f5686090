import { randomUUID } from 'node:crypto'
import { keysFor } from '@parley/contract/keys'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Config } from '../../config.ts'
import type { DbAndConfig } from '../room.ts'
import { useOnce } from '../sign-in/used-tokens.ts'

/**
 * Lifetime of each cookie in minutes: `google`, a sign-in under way; `passkey`, a passkey being added; `verified`, an
 * address that was verified in this browser.
 */
const MINUTES = { google: 10, passkey: 10, verified: 30 } as const

type Purpose = keyof typeof MINUTES

/** Seals a value in a signed cookie of the browser. */
export async function seal(
  config: Config,
  reply: FastifyReply,
  purpose: Purpose,
  content: Record<string, unknown>,
): Promise<void> {
  const [{ id, secret }] = config.authKeys
  const token = await new SignJWT(content)
    .setProtectedHeader({ alg: 'HS256', ...(id !== null && { kid: String(id) }) })
    .setAudience(purpose)
    .setJti(randomUUID())
    .setExpirationTime(`${MINUTES[purpose]} minutes`)
    .sign(new TextEncoder().encode(secret))
  reply.setCookie(nameOf(purpose), token, { ...attributes(config), maxAge: MINUTES[purpose] * 60 })
}

/** Reads a sealed value and deletes its cookie; a copy is refused too. undefined when it is missing or expired. */
export async function unseal(
  { config, db }: DbAndConfig,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const token = request.cookies[nameOf(purpose)]
  if (token === undefined) return undefined
  dropSeal(config, reply, purpose)
  const content = await readSeal(config, request, purpose)
  return content && (await useOnce(db, token, new Date((content.exp ?? 0) * 1000))) ? content : undefined
}

/** Reads a sealed value without deleting it. */
export async function readSeal(
  config: Config,
  request: FastifyRequest,
  purpose: Purpose,
): Promise<JWTPayload | undefined> {
  const options = { audience: purpose, algorithms: ['HS256'] }
  const token = request.cookies[nameOf(purpose)] ?? ''
  for (const { secret } of keysFor(config.authKeys, keyIdIn(token))) {
    const verified = await jwtVerify(token, new TextEncoder().encode(secret), options).catch(() => undefined)
    if (verified) return verified.payload
  }
  return undefined
}

function keyIdIn(token: string): number | null {
  try {
    const { kid } = decodeProtectedHeader(token)
    return kid === undefined ? null : Number(kid)
  } catch {
    return null
  }
}

export function dropSeal(config: Config, reply: FastifyReply, purpose: Purpose): void {
  reply.clearCookie(nameOf(purpose), attributes(config))
}

function nameOf(purpose: Purpose): string {
  return `parley.${purpose}`
}

function attributes({ publicUrl }: Config) {
  return { httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:'), path: '/api/' } as const
}
