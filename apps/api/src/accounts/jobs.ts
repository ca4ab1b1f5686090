import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { type Db, type Tx, withTx } from '../platform/db.ts'
import { defineJob, type Jobs } from '../platform/jobs.ts'
import type { Mail } from '../platform/mail.ts'
import { forgetOldAttempts } from './attempts.ts'
import { forgetOldEvents } from './events.ts'
import { expiryOf, forgetExpiredLinks, type MailLink, tokenOf } from './links.ts'
import * as mails from './mails.ts'
import { forgetExpiredCodes } from './native.ts'
import type { AccountsRoom } from './room.ts'
import { inquiry, mailLink, session, usedToken, user, verification } from './schema.ts'

/** A mail to send; whether and which is decided when the job runs, so that nobody learns it from the answer. */
type MailOrder =
  | { readonly mail: 'link'; readonly linkId: string }
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
const SWEEP_INTERVAL_MS = 3_600_000

/** In the transaction of what causes the mail. */
export async function enqueueMail(jobs: Jobs, tx: Tx, order: MailOrder): Promise<void> {
  const { mail: _, ...about } = order
  await jobs.enqueue(tx, mailJob, order, { key: `${order.mail}:${Object.values(about).join(':')}` })
}

export function addJobs(room: AccountsRoom): void {
  const { jobs, mailer, db } = room.floor
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

async function mailFor(room: AccountsRoom, order: MailOrder): Promise<Mail | undefined> {
  const { db, config } = room.floor
  switch (order.mail) {
    case 'link': {
      const [link] = await db.select().from(mailLink).where(eq(mailLink.id, order.linkId))
      return link && mailForLink(room, link)
    }
    case 'resend':
    case 'forgot': {
      const link = await linkFor(room, order)
      return link === 'account_exists' ? mails.accountExists(config.publicUrl, order.email) : link && mailForLink(room, link)
    }
    case 'password_changed':
    case 'identity_linked':
    case 'export_ready': {
      const [person] = await db
        .select()
        .from(user)
        .where(and(eq(user.id, order.userId), isNull(user.closedAt)))
      return person && mailToPerson(config.publicUrl, order, person)
    }
    case 'email_changed':
      return mails.emailChanged(order.to, order.name, order.email)
    case 'account_deleted':
      return mails.accountDeleted(order.to, order.name)
    case 'inquiry': {
      const [asked] = await db.select().from(inquiry).where(eq(inquiry.id, order.inquiryId))
      return asked && config.operatorEmail !== undefined ? mails.inquiryForOperator(config.operatorEmail, asked) : undefined
    }
    case 'inquiry_received':
      return mails.inquiryReceived(order.to)
  }
}

type PersonalOrder = Extract<MailOrder, { mail: 'password_changed' | 'identity_linked' | 'export_ready' }>

function mailToPerson(publicUrl: string, order: PersonalOrder, { email, name }: { email: string; name: string }): Mail {
  if (order.mail === 'password_changed') return mails.passwordChanged(publicUrl, email, name)
  if (order.mail === 'export_ready') return mails.exportReady(publicUrl, email, name)
  return mails.identityLinked(publicUrl, email, name, order.provider)
}

async function mailForLink({ floor }: AccountsRoom, link: MailLink): Promise<Mail> {
  const { db, config } = floor
  const [owner] = await db.select().from(user).where(eq(user.email, link.email))
  const token = tokenOf(config.authSecret, link.id)
  if (link.kind === 'password') return mails.choosePassword(config.publicUrl, token, link.email, owner?.name ?? link.fullName ?? '')
  if (!owner) {
    const write = link.kind === 'email_change' ? mails.verifyNewAddress : mails.verifyAddress
    return write(config.publicUrl, token, link.email, link.fullName ?? '')
  }
  await db.delete(mailLink).where(eq(mailLink.id, link.id))
  return mails.accountExists(config.publicUrl, link.email)
}

/**
 * The link for somebody who asks again. When several people registered one address, only a new password,
 * chosen by whoever reads the mail, is sure to be the owner's.
 */
async function linkFor({ floor }: AccountsRoom, asked: { mail: 'resend' | 'forgot'; email: string; linkId: string }) {
  const { mail, email, linkId } = asked
  return withTx(floor.db, async (tx) => {
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
    const link = { id: linkId, kind: 'password' as const, email, fullName: newest?.fullName ?? null, expiresAt: expiryOf('password') }
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
    await forgetOldEvents(tx)
    await forgetOldAttempts(tx)
  })
}
