import { randomUUID } from 'node:crypto'
import { EMAIL_CODE_MINUTES, EMAIL_CODE_TRIES } from '@parley/contract'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { idForDigits } from '../../platform/keys.ts'
import { enqueueMail } from '../jobs.ts'
import { isEmailCode } from './links.ts'
import type { DbAndConfig, Mailing } from '../room.ts'
import { emailCode, type EmailCodeUse, user } from '../schema.ts'

/** A repeated request within this time sends no second code. */
const MAILED_AGAIN_AFTER_MS = 30_000
const DAY_MS = 24 * 3_600_000
/** Mailed codes per day; with the tries of each this bounds guessing. A password reset remains available. */
const CODES_PER_DAY = 5

export async function mailCode({ config, db, jobs }: Mailing, userId: string, use: EmailCodeUse): Promise<void> {
  await withTx(db, async (tx) => {
    await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update')
    const [last] = await tx
      .select()
      .from(emailCode)
      .where(and(eq(emailCode.userId, userId), eq(emailCode.use, use)))
    const now = new Date()
    if (last && isOnItsWay(last, now)) return
    const isToday = last !== undefined && now.getTime() - last.firstMailedAt.getTime() < DAY_MS
    if (isToday && last.mails >= CODES_PER_DAY) {
      const retryAfterSeconds = Math.ceil((last.firstMailedAt.getTime() + DAY_MS - now.getTime()) / 1000)
      const message = 'Too many codes were mailed today. Please choose a new password by mail, or try again tomorrow.'
      throw new AppError('rate_limited', message, { retryAfterSeconds })
    }
    const id = idForDigits(config.authKeys, randomUUID())
    const day = isToday
      ? { mails: last.mails + 1, firstMailedAt: last.firstMailedAt }
      : { mails: 1, firstMailedAt: now }
    const next = {
      id,
      tries: 0,
      mailedAt: now,
      expiresAt: new Date(now.getTime() + EMAIL_CODE_MINUTES * 60_000),
      ...day,
    }
    await tx
      .insert(emailCode)
      .values({ userId, use, ...next })
      .onConflictDoUpdate({ target: [emailCode.userId, emailCode.use], set: next })
    await enqueueMail(jobs, tx, { mail: 'code', codeId: id })
  })
}

function isOnItsWay({ tries, mailedAt, expiresAt }: typeof emailCode.$inferSelect, now: Date): boolean {
  return expiresAt > now && tries < EMAIL_CODE_TRIES && now.getTime() - mailedAt.getTime() < MAILED_AGAIN_AFTER_MS
}

/** The result of a typed code; `none`: no code is live. A try is counted before it is checked. */
export async function takeEmailCode(
  { db, config }: DbAndConfig,
  { userId, use, code }: { userId: string; use: EmailCodeUse; code: string },
): Promise<'right' | 'wrong' | 'none'> {
  const live = and(eq(emailCode.userId, userId), eq(emailCode.use, use), gt(emailCode.expiresAt, new Date()))
  const [tried] = await db
    .update(emailCode)
    .set({ tries: sql`${emailCode.tries} + 1` })
    .where(and(live, lt(emailCode.tries, EMAIL_CODE_TRIES)))
    .returning({ id: emailCode.id })
  if (!tried) return 'none'
  if (!isEmailCode(config.authKeys, tried.id, code.replaceAll(/\s/g, ''))) return 'wrong'
  const used = await db
    .update(emailCode)
    .set({ expiresAt: new Date(0) })
    .where(and(live, eq(emailCode.id, tried.id)))
    .returning({ id: emailCode.id })
  return used.length > 0 ? 'right' : 'none'
}
