import { randomBytes } from 'node:crypto'
import { EMAIL_CODE_DIGITS } from '@parley/contract'
import type { Keys } from '@parley/contract/keys'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { areDigitsOf, digitsOf, isMark, mark } from '../../platform/keys.ts'
import { type LinkKind, mailLink, user } from '../schema.ts'

const HOUR_MS = 3_600_000
const VALID_MS: Readonly<Record<LinkKind, number>> = {
  registration: 24 * HOUR_MS,
  email_change: 24 * HOUR_MS,
  password: HOUR_MS,
}
/** An expired link is kept so long, so that the error can say that it has expired. */
const EXPIRED_KEPT_DAYS = 7

export type MailLink = typeof mailLink.$inferSelect

export function newLinkId(): string {
  return randomBytes(18).toString('base64url')
}

export function expiryOf(kind: LinkKind): Date {
  return new Date(Date.now() + VALID_MS[kind])
}

/**
 * The token is derived from the link's id and the server's secret: neither the database nor a job contains a usable
 * link.
 */
export function tokenOf(keys: Keys, linkId: string): string {
  return `${linkId}.${mark(keys, `mail-link:${linkId}`)}`
}

/** The token that only stops a change of address; it is mailed to the account's present address. */
export function stopTokenOf(keys: Keys, linkId: string): string {
  return `${linkId}.${mark(keys, `stop-link:${linkId}`)}`
}

/** The link id of a stop token; undefined when its signature is not ours. */
export function linkToStop(keys: Keys, token: string): string | undefined {
  return linkIn(keys, token, 'stop-link')
}

function linkIn(keys: Keys, token: string, use: 'mail-link' | 'stop-link'): string | undefined {
  const [id = ''] = token.split('.', 1)
  return isMark(keys, `${use}:${id}`, token.slice(id.length + 1)) ? id : undefined
}

const digitsFor = (id: string) => ({ use: 'email-code', id, count: EMAIL_CODE_DIGITS })

/** A code to type, derived from its id in the same way. */
export function emailCodeOf(keys: Keys, id: string): string {
  return digitsOf(keys, digitsFor(id))
}

export function isEmailCode(keys: Keys, id: string, typed: string): boolean {
  return areDigitsOf(keys, digitsFor(id), typed)
}

/** Consumes a link, in the transaction of its effect. */
export async function takeLink(tx: Tx, keys: Keys, token: string, kinds: readonly LinkKind[]): Promise<MailLink> {
  const id = linkIn(keys, token, 'mail-link')
  if (id === undefined) throw invalidToken(kinds[0])
  // Lock order: address, account, link; a reset uses the same.
  const [named] = await tx
    .select({ email: mailLink.email, userId: mailLink.userId })
    .from(mailLink)
    .where(eq(mailLink.id, id))
  if (named) await lockAddress(tx, named.email)
  if (named?.userId != null) await tx.select({ id: user.id }).from(user).where(eq(user.id, named.userId)).for('update')
  const [link] = await tx
    .delete(mailLink)
    .where(and(eq(mailLink.id, id), inArray(mailLink.kind, kinds)))
    .returning()
  if (!link) throw invalidToken(kinds[0])
  // Throwing rolls the deletion back.
  if (link.expiresAt <= new Date()) {
    throw new AppError('expired_token', `The ${nameOf(link.kind)} link has expired. Please request a new one.`)
  }
  return link
}

/** Serializes verifications of one address: each voids the links of the others. */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`address:${email}`}, 0))`)
}

export function invalidToken(kind: LinkKind = 'registration'): AppError {
  return new AppError('invalid_token', `The ${nameOf(kind)} link is invalid or has already been used.`)
}

function nameOf(kind: LinkKind): string {
  return kind === 'password' ? 'password reset' : 'verification'
}

/** Voids all other links of a verified address. */
export async function voidLinks(tx: Tx, email: string): Promise<void> {
  await tx.delete(mailLink).where(and(eq(mailLink.email, email), inArray(mailLink.kind, ['registration', 'password'])))
}

export async function forgetExpiredLinks(tx: Tx): Promise<void> {
  await tx.delete(mailLink).where(sql`${mailLink.expiresAt} < now() - make_interval(days => ${EXPIRED_KEPT_DAYS})`)
}
