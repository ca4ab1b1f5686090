import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { type Db, type Tx, withTx } from '../platform/db.ts'
import { defineJob, type Jobs } from '../platform/jobs.ts'
import type { Mail } from '../platform/mail.ts'
import { forgetOldAttempts } from './sign-in/attempts.ts'
import { emailCodeOf, expiryOf, forgetExpiredLinks, type MailLink, stopTokenOf, tokenOf } from './sign-in/links.ts'
import * as mails from './mails.ts'
import { forgetExpiredCodes } from './sign-in/native.ts'
import { forgetExpiredTickets } from './shells/tickets.ts'
import type { AccountsRoom, DbAndConfig } from './room.ts'
import { apiKey, emailCode, inquiry, mailLink, passkey, session, usedToken, user, verification } from './schema.ts'

/** A mail to send. The job decides whether and which mail is sent, so that the response reveals nothing. */
type MailOrder =
  | { readonly mail: 'link'; readonly linkId: string; readonly again?: string }
  | { readonly mail: 'email_change_asked'; readonly to: string; readonly linkId: string }
  | { readonly mail: 'code'; readonly codeId: string }
  | { readonly mail: 'resend' | 'forgot'; readonly email: string; readonly linkId: string }
  | { readonly mail: 'password_changed'; readonly userId: string }
  | { readonly mail: 'email_changed'; readonly to: string; readonly email: string; readonly name: string }
  | { readonly mail: 'identity_linked'; readonly userId: string; readonly provider: string }
  | { readonly mail: 'export_ready'; readonly userId: string; readonly exportId: string }
  | { readonly mail: 'account_deleted'; readonly to: string; readonly name: string }
  | { readonly mail: 'inquiry'; readonly inquiryId: string }
  | { readonly mail: 'inquiry_received'; readonly to: string }

const mailJob = defineJob<MailOrder>('accounts.mail')
const MAILS_AT_ONCE = 4
/** At most so many keys and passkeys are named in one mail. */
const KEPT_NAMED = 20
const SWEEP_INTERVAL_MS = 3_600_000

/** Enqueues a mail in the transaction of its cause. */
export async function enqueueMail(jobs: Jobs, tx: Tx, order: MailOrder): Promise<void> {
  const { mail: _, ...about } = order
  await jobs.enqueue(tx, mailJob, order, { key: `${order.mail}:${Object.values(about).join(':')}` })
}

export function addJobs(room: AccountsRoom): void {
  const { jobs, mailer, db } = room
  jobs.work(
    mailJob,
    async (order) => {
      const mail = await mailFor(room, order)
      if (mail) await mailer.send(mail)
    },
    { concurrency: MAILS_AT_ONCE },
  )
  jobs.every('accounts.sweep', SWEEP_INTERVAL_MS, () => sweep(db))
}

async function mailFor(room: DbAndConfig, order: MailOrder): Promise<Mail | undefined> {
  const { db, config } = room
  switch (order.mail) {
    case 'link': {
      const [link] = await db.select().from(mailLink).where(eq(mailLink.id, order.linkId))
      return link && mailForLink(room, link)
    }
    case 'email_change_asked':
      return mailAboutChange(room, order)
    case 'code': {
      const [found] = await db
        .select({ use: emailCode.use, email: user.email, name: user.name })
        .from(emailCode)
        .innerJoin(user, eq(user.id, emailCode.userId))
        .where(eq(emailCode.id, order.codeId))
      return found && mails.codeToType({ ...found, to: found.email, code: emailCodeOf(config.authKeys, order.codeId) })
    }
    case 'resend':
    case 'forgot': {
      const link = await linkFor(db, order)
      return link === 'account_exists'
        ? mails.accountExists(config.publicUrl, order.email)
        : link && mailForLink(room, link)
    }
    case 'password_changed':
    case 'identity_linked':
    case 'export_ready': {
      const [person] = await db
        .select()
        .from(user)
        .where(and(eq(user.id, order.userId), isNull(user.closedAt)))
      return person && mailToPerson(room, order, person)
    }
    case 'email_changed':
      return mails.emailChanged(order.to, order.name, order.email)
    case 'account_deleted':
      return mails.accountDeleted(order.to, order.name)
    case 'inquiry': {
      const [asked] = await db.select().from(inquiry).where(eq(inquiry.id, order.inquiryId))
      return asked && config.operatorEmail !== undefined
        ? mails.inquiryForOperator(config.operatorEmail, asked)
        : undefined
    }
    case 'inquiry_received':
      return mails.inquiryReceived(order.to)
  }
}

async function mailAboutChange(
  { db, config }: DbAndConfig,
  { to, linkId }: { to: string; linkId: string },
): Promise<Mail | undefined> {
  const [asked] = await db.select().from(mailLink).where(eq(mailLink.id, linkId))
  const token = stopTokenOf(config.authKeys, linkId)
  return (
    asked && mails.emailChangeAsked(config.publicUrl, { token, to, name: asked.fullName ?? '', newEmail: asked.email })
  )
}

type PersonalOrder = Extract<MailOrder, { mail: 'password_changed' | 'identity_linked' | 'export_ready' }>

async function mailToPerson(
  { config, db }: DbAndConfig,
  order: PersonalOrder,
  { id, email, name }: typeof user.$inferSelect,
): Promise<Mail> {
  const { publicUrl } = config
  if (order.mail === 'password_changed')
    return mails.passwordChanged(publicUrl, { to: email, name, kept: await keptKeys(db, id) })
  if (order.mail === 'export_ready') return mails.exportReady(publicUrl, email, name)
  return mails.identityLinked(publicUrl, email, name, order.provider)
}

async function keptKeys(db: Db, userId: string): Promise<string[]> {
  const keys = await db
    .select({ name: apiKey.name, masked: apiKey.masked })
    .from(apiKey)
    .where(eq(apiKey.userId, userId))
    .limit(KEPT_NAMED)
  const passkeys = await db
    .select({ name: passkey.name })
    .from(passkey)
    .where(eq(passkey.userId, userId))
    .limit(KEPT_NAMED)
  return [...keys.map(({ name, masked }) => `${name} (${masked})`), ...passkeys.map(({ name }) => name)]
}

async function mailForLink({ db, config }: DbAndConfig, link: MailLink): Promise<Mail> {
  const [owner] = await db.select().from(user).where(eq(user.email, link.email))
  const token = tokenOf(config.authKeys, link.id)
  if (link.kind === 'password')
    return mails.choosePassword(config.publicUrl, token, link.email, owner?.name ?? link.fullName ?? '')
  if (!owner) {
    const write = link.kind === 'email_change' ? mails.verifyNewAddress : mails.verifyAddress
    return write(config.publicUrl, token, link.email, link.fullName ?? '')
  }
  // A pending change of address stays: only the owner of the taken address may learn that it is taken.
  if (link.kind === 'registration') await db.delete(mailLink).where(eq(mailLink.id, link.id))
  return mails.accountExists(config.publicUrl, link.email)
}

/**
 * The link for a repeated request. When several people registered one address, only a new password, chosen by the
 * reader of the mail, is certain to be the owner's.
 */
async function linkFor(db: Db, asked: { mail: 'resend' | 'forgot'; email: string; linkId: string }) {
  const { mail, email, linkId } = asked
  return withTx(db, async (tx) => {
    const [owner] = await tx.select({ id: user.id }).from(user).where(eq(user.email, email))
    if (owner && mail === 'resend') return 'account_exists'
    const waiting = await tx
      .select()
      .from(mailLink)
      .where(and(eq(mailLink.email, email), eq(mailLink.kind, 'registration')))
      .orderBy(desc(mailLink.createdAt))
      .limit(2)
    const [newest, another] = waiting
    if (!owner && !newest) return undefined
    if (newest && !another && mail === 'resend') {
      const [renewed] = await tx
        .update(mailLink)
        .set({ expiresAt: expiryOf('registration') })
        .where(eq(mailLink.id, newest.id))
        .returning()
      return renewed
    }
    const link = {
      id: linkId,
      kind: 'password' as const,
      email,
      fullName: newest?.fullName ?? null,
      expiresAt: expiryOf('password'),
    }
    await tx.insert(mailLink).values(link).onConflictDoNothing()
    const [kept] = await tx.select().from(mailLink).where(eq(mailLink.id, linkId))
    return kept
  })
}

async function sweep(db: Db): Promise<void> {
  const now = new Date()
  await withTx(db, async (tx) => {
    await forgetExpiredLinks(tx)
    await tx.delete(session).where(lt(session.expiresAt, now))
    await tx.delete(verification).where(lt(verification.expiresAt, now))
    await tx.delete(usedToken).where(lt(usedToken.expiresAt, now))
    await forgetExpiredCodes(tx)
    await forgetExpiredTickets(tx)
    await forgetOldAttempts(tx)
  })
}
