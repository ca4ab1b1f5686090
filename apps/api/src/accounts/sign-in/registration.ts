import { randomUUID } from 'node:crypto'
import { PASSWORD_MIN_REGISTER, PASSWORD_MIN_RESET } from '@parley/contract'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { Key, Keys } from '@parley/contract/keys'
import { and, eq, inArray } from 'drizzle-orm'
import { type Tx, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { macOf } from '../../platform/keys.ts'
import { mayMail } from './attempts.ts'
import type { Asking } from './auth.ts'
import { recordEvent } from '../events.ts'
import { enqueueMail } from '../jobs.ts'
import { hashKeys } from '../past-keys.ts'
import { expiryOf, invalidToken, lockAddress, type MailLink, newLinkId, takeLink, voidLinks } from './links.ts'
import { checkNewPassword, readEmail } from './passwords.ts'
import { voidPending, voidUnconfirmed } from './pending.ts'
import { type AccountsRoom, type Admitting, type Announcing, type Mailing, sessionsTopic } from '../room.ts'
import { account, apiKey, knownIdentity, mailLink, passkey, session, user } from '../schema.ts'

interface Registration {
  readonly fullName: string
  readonly email: string
  readonly password: string
}

/**
 * Stores a registration until its address is verified; no account exists before. Registering a foreign address gains
 * nothing: the owner's own link carries the owner's own password.
 */
export async function register(room: Mailing, asked: Registration, { ip }: Asking): Promise<void> {
  const fullName = asked.fullName.trim()
  if (fullName === '' || asked.email.trim() === '' || asked.password === '')
    throw new AppError('invalid_input', 'All fields are required')
  const email = readEmail(asked.email)
  checkNewPassword(asked.password, { field: 'password', minimum: PASSWORD_MIN_REGISTER })
  const passwordHash = await hashPassword(asked.password)
  // Known and unknown addresses take the same path here; the mail job tells them apart.
  const id = newLinkId()
  await withTx(room.db, async (tx) => {
    if (!(await mayMail(room.config, tx, email, ip))) return
    await tx
      .insert(mailLink)
      .values({ id, kind: 'registration', email, fullName, passwordHash, expiresAt: expiryOf('registration') })
    await enqueueMail(room.jobs, tx, { mail: 'link', linkId: id })
  })
}

/** "Send the link again". The job looks up the address after the response, so that timing reveals nothing. */
export async function resendVerification(room: Mailing, emailText: string, request: Asking): Promise<void> {
  await askForLink(room, 'resend', emailText, request)
}

export async function forgotPassword(room: Mailing, emailText: string, request: Asking): Promise<void> {
  await askForLink(room, 'forgot', emailText, request)
}

async function askForLink(room: Mailing, mail: 'resend' | 'forgot', emailText: string, { ip }: Asking): Promise<void> {
  const email = readEmail(emailText)
  await withTx(room.db, async (tx) => {
    if (await mayMail(room.config, tx, email, ip))
      await enqueueMail(room.jobs, tx, { mail, email, linkId: newLinkId() })
  })
}

/** A verified address. `userId`: the new account, whose password is not confirmed yet. */
interface Proven {
  readonly email: string
  readonly userId?: string
}

/** Consumes a verification link: creates the account, or applies the change of address. */
export async function verifyEmail(room: Admitting, token: string | undefined, request: Asking): Promise<Proven> {
  if (token === undefined || token === '') throw new AppError('missing_token', 'No verification token was provided.')
  return withTx(room.db, async (tx) => {
    const link = await takeLink(tx, room.config.authKeys, token, ['registration', 'email_change'])
    const { kind, email } = link
    if (kind === 'registration') return { email, userId: await admit(room, tx, { ...link, confirmed: false }, request) }
    await moveToEmail(room, tx, link, request)
    return { email }
  })
}

interface Newcomer {
  readonly email: string
  readonly fullName: string | null
  readonly passwordHash: string | null
  /** The password's owner has proven access to the mailbox; if false, the first sign-in asks for that proof. */
  readonly confirmed: boolean
}

/** Creates the account of a verified address. */
export async function admit(
  room: Pick<AccountsRoom, 'config' | 'hooks'>,
  tx: Tx,
  person: Newcomer,
  request?: Asking,
): Promise<string> {
  const { email, fullName, passwordHash, confirmed } = person
  await lockAddress(tx, email)
  const name = fullName ?? email.slice(0, email.indexOf('@'))
  const newcomer = { id: randomUUID(), name, email, emailVerified: true }
  const inserted = await tx.insert(user).values(newcomer).onConflictDoNothing().returning({ id: user.id })
  if (inserted.length === 0) throw invalidToken()
  if (passwordHash !== null) await setPassword(tx, newcomer.id, passwordHash, confirmed)
  await voidLinks(tx, email)
  const keys = await hashKeys(tx, room.config.authKeys)
  const firstTime = await rememberIdentity(keys, tx, email)
  await recordEvent(tx, { userId: newcomer.id, kind: 'account_created' }, request)
  const identityKeys = keys.map((key) => identityKeyOf(key, email))
  await room.hooks.run('verified', tx, { userId: newcomer.id, firstTime, identityKeys })
  return newcomer.id
}

async function moveToEmail(
  room: Pick<AccountsRoom, 'config' | 'jobs'>,
  tx: Tx,
  { userId, email }: MailLink,
  request: Asking,
): Promise<void> {
  const [person] = await tx
    .select()
    .from(user)
    .where(eq(user.id, userId ?? ''))
    .for('update')
  const [taken] = await tx.select({ id: user.id }).from(user).where(eq(user.email, email))
  if (!person || taken) throw invalidToken()
  await tx.update(user).set({ email, updatedAt: new Date() }).where(eq(user.id, person.id))
  await voidPending(tx, person)
  await voidLinks(tx, email)
  await rememberIdentity(await hashKeys(tx, room.config.authKeys), tx, email)
  await recordEvent(tx, { userId: person.id, kind: 'email_changed', detail: email }, request)
  await enqueueMail(room.jobs, tx, { mail: 'email_changed', to: person.email, email, name: person.name })
}

/**
 * Sets a new password with a mailed link, which also verifies the address. Ends all sessions. Returns the user's id.
 */
export async function resetPassword(
  room: Pick<AccountsRoom, 'bus' | 'config' | 'db' | 'hooks' | 'jobs'>,
  { token, newPassword }: { token: string; newPassword: string },
  request: Asking,
): Promise<string> {
  checkNewPassword(newPassword, { field: 'newPassword', minimum: PASSWORD_MIN_RESET })
  if (token === '') throw new AppError('invalid_token', 'No reset token found. Please check your email link.')
  const passwordHash = await hashPassword(newPassword)
  const userId = await withTx(room.db, async (tx) => {
    const link = await takeLink(tx, room.config.authKeys, token, ['password'])
    const [person] = await tx.select().from(user).where(eq(user.email, link.email)).for('update')
    if (!person) return admit(room, tx, { ...link, passwordHash, confirmed: true }, request)
    await voidUnconfirmed(tx, person.id)
    await setPassword(tx, person.id, passwordHash, true)
    await tx.delete(session).where(eq(session.userId, person.id))
    await voidPending(tx, person)
    await recordEvent(tx, { userId: person.id, kind: 'password_changed' }, request)
    await enqueueMail(room.jobs, tx, { mail: 'password_changed', userId: person.id })
    return person.id
  })
  room.bus.publish(sessionsTopic(userId), {})
  return userId
}

/** For accounts with a published password, such as the demo user's. Returns whether it was replaced. */
export async function replacePassword(
  { db, bus }: Announcing,
  email: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const [found] = await db
    .select({ id: user.id, email: user.email, hash: account.password })
    .from(user)
    .innerJoin(account, and(eq(account.userId, user.id), eq(account.providerId, 'credential')))
    .where(eq(user.email, email))
  if (!found?.hash || !(await verifyPassword({ hash: found.hash, password: from }))) return false
  const hash = await hashPassword(to)
  await withTx(db, async (tx) => {
    await tx.select({ id: user.id }).from(user).where(eq(user.id, found.id)).for('update')
    await setPassword(tx, found.id, hash, true)
    for (const table of [session, apiKey, passkey]) await tx.delete(table).where(eq(table.userId, found.id))
    await voidPending(tx, found)
  })
  bus.publish(sessionsTopic(found.id), {})
  return true
}

async function setPassword(tx: Tx, userId: string, passwordHash: string, confirmed: boolean): Promise<void> {
  const confirmedAt = confirmed ? new Date() : null
  const changed = await tx
    .update(account)
    .set({ password: passwordHash, confirmedAt, updatedAt: new Date() })
    .where(and(eq(account.userId, userId), eq(account.providerId, 'credential')))
    .returning({ id: account.id })
  if (changed.length > 0) return
  const credential = { providerId: 'credential', accountId: userId, password: passwordHash, confirmedAt }
  await tx.insert(account).values({ id: randomUUID(), userId, ...credential })
}

/** A keyed hash, equal for all spellings of one mailbox. */
export function identityKeyOf(key: Key, email: string): string {
  return macOf(key, `identity-key:${mailboxOf(email)}`)
}

/** True the first time; all spellings of one mailbox count as one, and so do its hashes under older keys. */
async function rememberIdentity(keys: Keys, tx: Tx, email: string): Promise<boolean> {
  const hashOf = (key: Key) => macOf(key, `identity:${mailboxOf(email)}`)
  const [present, ...past] = keys
  const first = await tx
    .insert(knownIdentity)
    .values({ hash: hashOf(present) })
    .onConflictDoNothing()
    .returning({ hash: knownIdentity.hash })
  if (first.length === 0 || past.length === 0) return first.length > 0
  return (await tx.$count(knownIdentity, inArray(knownIdentity.hash, past.map(hashOf)))) === 0
}

const GOOGLE_DOMAINS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/** The mailbox of an address, without plus labels and, for Google, without dots. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const [local = ''] = email.slice(0, at).split('+', 1)
  const domain = email.slice(at + 1)
  return GOOGLE_DOMAINS.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
