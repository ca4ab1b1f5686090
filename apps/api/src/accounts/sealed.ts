import type { FastifyReply, FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import type { Config } from '../config.ts'

const MINUTES = 10

type Purpose = 'google' | 'passkey'

/** Keeps what a sign-in under way must remember in a signed cookie of the browser that began it. */
export async function seal(config: Config, reply: FastifyReply, purpose: Purpose, content: Record<string, unknown>): Promise<void> {
  const token = await new SignJWT(content)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(purpose)
    .setExpirationTime(`${MINUTES} minutes`)
    .sign(new TextEncoder().encode(config.authSecret))
  reply.setCookie(nameOf(purpose), token, { ...attributes(config), maxAge: MINUTES * 60 })
}

/** Takes it out again, once; undefined when this browser began nothing, or too long ago. */
export async function unseal(
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const token = request.cookies[nameOf(purpose)]
  if (token === undefined) return undefined
  reply.clearCookie(nameOf(purpose), attributes(config))
  const options = { audience: purpose, algorithms: ['HS256'] }
  const verified = await jwtVerify(token, new TextEncoder().encode(config.authSecret), options).catch(() => undefined)
  return verified?.payload
}

function nameOf(purpose: Purpose): string {
  return `parley.${purpose}`
}

function attributes({ publicUrl }: Config) {
  return { httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:'), path: '/api/' } as const
}
