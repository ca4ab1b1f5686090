import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import { listFile, pagedFile } from './export-files.ts'
import { findPerson } from '../profile.ts'
import { readSecondFactor } from '../second-factor/second-factor.ts'
import {
  account,
  apiKey,
  inquiry,
  mailLink,
  passkey,
  securityEvent,
  session,
  shellSession,
  user,
  userSettings,
} from '../schema.ts'
import type { ExportFile } from '../room.ts'

type Event = typeof securityEvent.$inferSelect

/** The accounts room's files of an export; they contain no secret that grants access. */
export function ownFiles(db: Db, userId: string): readonly ExportFile[] {
  return [
    listFile('account.json', () => db.select().from(user).where(eq(user.id, userId))),
    listFile('settings.json', () => db.select().from(userSettings).where(eq(userSettings.userId, userId))),
    listFile('inquiries.json', () => inquiriesOf(db, userId)),
    ...waysIn(db, userId),
    pagedFile<Event>('security-activity.json', (last, limit) =>
      db
        .select()
        .from(securityEvent)
        .where(and(eq(securityEvent.userId, userId), last && gt(securityEvent.id, last.id)))
        .orderBy(asc(securityEvent.id))
        .limit(limit),
    ),
  ]
}

function waysIn(db: Db, userId: string): readonly ExportFile[] {
  const { providerId: method, accountId: subject } = account
  const { ipAddress, userAgent, updatedAt: lastUsedAt, expiresAt } = session
  const { platform } = shellSession
  const { email, expiresAt: linkExpiresAt } = mailLink
  return [
    listFile('sign-in-methods.json', () =>
      db.select({ method, subject, createdAt: account.createdAt }).from(account).where(eq(account.userId, userId)),
    ),
    listFile('two-step-sign-in.json', async () => [await readSecondFactor(db, userId)]),
    listFile('sessions.json', () =>
      db
        .select({ ipAddress, userAgent, platform, createdAt: session.createdAt, lastUsedAt, expiresAt })
        .from(session)
        .leftJoin(shellSession, eq(shellSession.sessionId, session.id))
        .where(eq(session.userId, userId))
        .orderBy(asc(session.createdAt)),
    ),
    listFile('api-keys.json', () => {
      const { name, masked, scopes, createdAt } = apiKey
      const columns = { name, masked, scopes, createdAt, lastUsedAt: apiKey.lastUsedAt }
      return db.select(columns).from(apiKey).where(eq(apiKey.userId, userId)).orderBy(asc(createdAt))
    }),
    listFile('passkeys.json', () => {
      const { name, transports, createdAt } = passkey
      const columns = { name, transports, createdAt, lastUsedAt: passkey.lastUsedAt }
      return db.select(columns).from(passkey).where(eq(passkey.userId, userId)).orderBy(asc(createdAt))
    }),
    listFile('address-changes-under-way.json', () =>
      db
        .select({ email, createdAt: mailLink.createdAt, expiresAt: linkExpiresAt })
        .from(mailLink)
        .where(eq(mailLink.userId, userId)),
    ),
  ]
}

/** Inquiries with the person's address. A visitor can type any address, so some may be from somebody else. */
async function inquiriesOf(db: Db, userId: string): Promise<readonly unknown[]> {
  const { email } = await findPerson(db, userId)
  return db.select().from(inquiry).where(eq(inquiry.email, email)).orderBy(asc(inquiry.createdAt))
}
