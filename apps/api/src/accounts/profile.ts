import {
  type ProfileChange,
  SETTINGS_DEFAULTS,
  type SettingsChange,
  type User,
  type UserSettings,
} from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Reader, withTx } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { type Actor, requireStepUp } from '../platform/http.ts'
import type { Asking } from './sign-in/auth.ts'
import { askForEmail, pendingEmail } from './sign-in/email-change.ts'
import { readEmail } from './sign-in/passwords.ts'
import { holdAccount } from './sign-in/pending.ts'
import type { AccountsRoom, DbAndConfig } from './room.ts'
import { user, userSettings } from './schema.ts'
import { checkWebhookUrl } from './webhook-url.ts'

export type Person = typeof user.$inferSelect

export async function findPerson(reader: Reader, userId: string): Promise<Person> {
  const [person] = await reader.select().from(user).where(eq(user.id, userId))
  if (!person) throw notFound('The user')
  return person
}

/** The id of the account with this address, in any letter case; undefined without one. */
export async function userIdOf(reader: Reader, email: string): Promise<string | undefined> {
  const [person] = await reader
    .select({ id: user.id })
    .from(user)
    .where(sql`lower(${user.email}) = lower(${email})`)
  return person?.id
}

export async function readUser({ needs, db }: Pick<AccountsRoom, 'db' | 'needs'>, userId: string): Promise<User> {
  const [person, credits, pending] = await Promise.all([
    findPerson(db, userId),
    needs.credits(db, userId),
    pendingEmail(db, userId),
  ])
  const [firstName = ''] = person.name.split(/\s+/, 1)
  const { id, name, email, phone, companyName, timezone, emailVerified, createdAt } = person
  const about = {
    id,
    name,
    fullName: name,
    firstName,
    email,
    pendingEmail: pending,
    phone,
    companyName,
    timezone,
    emailVerified,
  }
  return {
    ...about,
    creditBalance: String(credits.available),
    creditsHeld: credits.held,
    createdAt: createdAt.toISOString(),
  }
}

/** Changes a user's profile. A new address takes effect when its mailed link is used. */
export async function changeUser(
  room: Pick<AccountsRoom, 'config' | 'db' | 'jobs' | 'needs'>,
  actor: Actor,
  change: z.output<typeof ProfileChange>,
  request: Asking,
): Promise<User> {
  const { fullName: name, email: emailText, phone, companyName, timezone } = change
  await withTx(room.db, async (tx) => {
    const person = await holdAccount(tx, actor)
    const email = emailText === undefined ? person.email : readEmail(emailText)
    if (email !== person.email) requireStepUp(actor)
    const fields = { name, phone, companyName, timezone, updatedAt: new Date() }
    await tx.update(user).set(fields).where(eq(user.id, person.id))
    if (email !== person.email) await askForEmail(room, tx, { ...person, name: name ?? person.name }, email, request)
  })
  return readUser(room, actor.userId)
}

/** The user's settings; also the defaults of a new call. */
export async function settingsOf(reader: Reader, userId: string): Promise<UserSettings> {
  const [row] = await reader.select().from(userSettings).where(eq(userSettings.userId, userId))
  if (!row) return SETTINGS_DEFAULTS
  const { userId: _, ...settings } = row
  return settings
}

export async function changeSettings(
  { config, db }: DbAndConfig,
  userId: string,
  change: z.output<typeof SettingsChange>,
): Promise<UserSettings> {
  if (change.webhookUrl) checkWebhookUrl(change.webhookUrl, config.publicUrl)
  const changed = { ...change, userId }
  await db.insert(userSettings).values(changed).onConflictDoUpdate({ target: userSettings.userId, set: changed })
  return settingsOf(db, userId)
}
