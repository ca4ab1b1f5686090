import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import type { Config } from '../config.ts'
import type { Floor } from '../floor.ts'
import { useOnce } from './used-tokens.ts'

const MINUTES = 10

type Purpose = 'google' | 'passkey'

/** Keeps what a sign-in under way must remember in a signed cookie of the browser that began it. */
export async function seal(config: Config, reply: FastifyReply, purpose: Purpose, content: Record<string, unknown>): Promise<void> {
  const token = await new SignJWT(content)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(purpose)
    .setJti(randomUUID())
    .setExpirationTime(`${MINUTES} minutes`)
    .sign(new TextEncoder().encode(config.authSecret))
  reply.setCookie(nameOf(purpose), token, { ...attributes(config), maxAge: MINUTES * 60 })
}

/** Takes it out again, once, whoever has a copy of it; undefined when this browser began nothing, or too long ago. */
export async function unseal(
  { config, db }: Pick<Floor, 'config' | 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const token = request.cookies[nameOf(purpose)]
  if (token === undefined) return undefined
  reply.clearCookie(nameOf(purpose), attributes(config))
  const options = { audience: purpose, algorithms: ['HS256'] }
  const verified = await jwtVerify(token, new TextEncoder().encode(config.authSecret), options).catch(() => undefined)
  if (!verified || !(await useOnce(db, token, new Date((verified.payload.exp ?? 0) * 1000)))) return undefined
  return verified.payload
}

function nameOf(purpose: Purpose): string {
  return `parley.${purpose}`
}

function attributes({ publicUrl }: Config) {
  return { httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:'), path: '/api/' } as const
}
