import { and, eq, gt } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import { type Db, type Reader, type Tx, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import { mayMail } from './attempts.ts'
import type { Asking } from './auth.ts'
import { recordEvent } from '../events.ts'
import { enqueueMail } from '../jobs.ts'
import { expiryOf, invalidToken, linkToStop, newLinkId } from './links.ts'
import { type Held, holdAccount, voidPending } from './pending.ts'
import { type AccountsRoom, type Mailing, sessionsTopic } from '../room.ts'
import { mailLink, session, user } from '../schema.ts'

const changeOf = (userId: string) => and(eq(mailLink.userId, userId), eq(mailLink.kind, 'email_change'))

const HOUR_SECONDS = 3600

/** The new address that is not confirmed yet. */
export async function pendingEmail(reader: Reader, userId: string): Promise<string | null> {
  const [waiting] = await reader
    .select({ email: mailLink.email })
    .from(mailLink)
    .where(and(changeOf(userId), gt(mailLink.expiresAt, new Date())))
  return waiting?.email ?? null
}

/**
 * Mails the new address a link to confirm, and the present address a link to stop. The caller has locked the account.
 */
export async function askForEmail(
  room: Pick<AccountsRoom, 'config' | 'jobs'>,
  tx: Tx,
  person: Held,
  email: string,
  request: Asking,
): Promise<void> {
  const { id, name, email: present } = person
  await boundMails(room.config, tx, [email, `changes:${id}`], request)
  const linkId = newLinkId()
  await tx.delete(mailLink).where(changeOf(id))
  const link = { id: linkId, kind: 'email_change', email, userId: id, fullName: name } as const
  await tx.insert(mailLink).values({ ...link, expiresAt: expiryOf('email_change') })
  await recordEvent(tx, { userId: id, kind: 'email_change_asked', detail: email }, request)
  await enqueueMail(room.jobs, tx, { mail: 'link', linkId })
  await enqueueMail(room.jobs, tx, { mail: 'email_change_asked', to: present, linkId })
}

/** Unlike the public forms, this one reports the limit: the user knows the address already. */
async function boundMails(
  config: Pick<Config, 'authKeys'>,
  tx: Tx,
  whats: readonly string[],
  { ip }: Asking,
): Promise<void> {
  for (const what of whats) {
    if (await mayMail(config, tx, what, ip)) continue
    const message = 'Too many mails were asked for. Please wait an hour and try again.'
    throw new AppError('rate_limited', message, { retryAfterSeconds: HOUR_SECONDS })
  }
}

export async function resendEmailChange(room: Mailing, actor: Actor, request: Asking): Promise<void> {
  await withTx(room.db, async (tx) => {
    const { id } = await holdAccount(tx, actor)
    const [waiting] = await tx
      .update(mailLink)
      .set({ expiresAt: expiryOf('email_change') })
      .where(changeOf(id))
      .returning()
    if (!waiting) throw new AppError('conflict', 'No change of the email address is waiting.')
    await boundMails(room.config, tx, [waiting.email, `changes:${id}`], request)
    await enqueueMail(room.jobs, tx, { mail: 'link', linkId: waiting.id, again: newLinkId() })
  })
}

export async function cancelEmailChange(db: Db, actor: Actor, request: Asking): Promise<void> {
  await withTx(db, async (tx) => {
    const { id } = await holdAccount(tx, actor)
    const [waiting] = await tx.delete(mailLink).where(changeOf(id)).returning()
    if (waiting) await recordEvent(tx, { userId: id, kind: 'email_change_stopped', detail: waiting.email }, request)
  })
}

/**
 * Stops a change of address with the link mailed to the present address. Its reader may also end all sessions and
 * choose a new password.
 */
export async function stopEmailChange(
  room: Pick<AccountsRoom, 'bus' | 'config' | 'db' | 'jobs'>,
  { token, endSessions }: { token: string; endSessions: boolean },
  request: Asking,
): Promise<void> {
  const { db, config, jobs, bus } = room
  const linkId = linkToStop(config.authKeys, token)
  if (linkId === undefined) throw invalidToken('email_change')
  const userId = await withTx(db, async (tx) => {
    const [named] = await tx
      .select({ person: user })
      .from(mailLink)
      .innerJoin(user, eq(user.id, mailLink.userId))
      .where(eq(mailLink.id, linkId))
      .for('update', { of: user })
    const [stopped] = await tx.delete(mailLink).where(eq(mailLink.id, linkId)).returning()
    if (!named || !stopped) throw invalidToken('email_change')
    const { person } = named
    await recordEvent(tx, { userId: person.id, kind: 'email_change_stopped', detail: stopped.email }, request)
    if (!endSessions) return undefined
    await voidPending(tx, person)
    await tx.delete(session).where(eq(session.userId, person.id))
    await recordEvent(tx, { userId: person.id, kind: 'session_ended', detail: 'All' }, request)
    await enqueueMail(jobs, tx, { mail: 'forgot', email: person.email, linkId: newLinkId() })
    return person.id
  })
  if (userId !== undefined) bus.publish(sessionsTopic(userId), {})
}
