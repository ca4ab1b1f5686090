import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { type LinkKind, mailLink } from './schema.ts'

const HOUR_MS = 3_600_000
const VALID_MS: Readonly<Record<LinkKind, number>> = { registration: 24 * HOUR_MS, email_change: 24 * HOUR_MS, password: HOUR_MS }
/** An expired link is remembered for a while, so that it can be called expired. */
const EXPIRED_KEPT_DAYS = 7

export type MailLink = typeof mailLink.$inferSelect

export function newLinkId(): string {
  return randomBytes(18).toString('base64url')
}

export function expiryOf(kind: LinkKind): Date {
  return new Date(Date.now() + VALID_MS[kind])
}

/** The token is made from the link's id and the server's secret, so that neither the database nor a waiting job can open anything. */
export function tokenOf(secret: string, linkId: string): string {
  return `${linkId}.${createHmac('sha256', secret).update(`mail-link:${linkId}`).digest('base64url')}`
}

/** Uses a link up, in the transaction that does what the link is for. */
export async function takeLink(tx: Tx, secret: string, token: string, kinds: readonly LinkKind[]): Promise<MailLink> {
  const [id = ''] = token.split('.', 1)
  if (!sameText(token, tokenOf(secret, id))) throw invalidToken(kinds[0])
  const [link] = await tx
    .delete(mailLink)
    .where(and(eq(mailLink.id, id), inArray(mailLink.kind, kinds)))
    .returning()
  if (!link) throw invalidToken(kinds[0])
  // Throwing puts the row back.
  if (link.expiresAt <= new Date()) {
    throw new AppError('expired_token', `The ${nameOf(link.kind)} link has expired. Please request a new one.`)
  }
  return link
}

export function invalidToken(kind: LinkKind = 'registration'): AppError {
  return new AppError('invalid_token', `The ${nameOf(kind)} link is invalid or has already been used.`)
}

function nameOf(kind: LinkKind): string {
  return kind === 'password' ? 'password reset' : 'verification'
}

/** A link that was used settles the address: whatever else waited for it is void. */
export async function voidLinks(tx: Tx, email: string): Promise<void> {
  await tx.delete(mailLink).where(and(eq(mailLink.email, email), inArray(mailLink.kind, ['registration', 'password'])))
}

export async function forgetExpiredLinks(tx: Tx): Promise<void> {
  await tx.delete(mailLink).where(sql`${mailLink.expiresAt} < now() - make_interval(days => ${EXPIRED_KEPT_DAYS})`)
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
