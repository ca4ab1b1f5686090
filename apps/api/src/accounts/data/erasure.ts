import { BRAND, SETTINGS_DEFAULTS } from '@parley/contract'
import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { defineJob } from '../../platform/jobs.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import { enqueueMail } from '../jobs.ts'
import { findPerson } from '../profile.ts'
import { identityKeyOf } from '../sign-in/registration.ts'
import { type AccountsRoom, sessionsTopic } from '../room.ts'
import {
  account,
  apiKey,
  emailCode,
  inquiry,
  mailLink,
  nativeCode,
  passkey,
  recoveryCode,
  secondFactor,
  session,
  user,
  userSettings,
} from '../schema.ts'

const eraseJob = defineJob<{ userId: string }>('accounts.erase', { retryLimit: 20, retryDelaySeconds: 5 })
const CALLS_END_WITHIN_MS = 3000
/** Less than the job's time. */
const PIECES_FOR_MS = 20_000
const GIVEN_UP_AFTER_MS = 3_600_000
const ERASURES_AT_ONCE = 100
const PEOPLE_AT_ONCE = 500

export function addErasureJob(room: AccountsRoom): void {
  room.jobs.work(eraseJob, ({ userId }) => erase(room, userId))
}

/**
 * Closes an account: deletes sessions and names at once, and the rest by a job, in pieces, after the last live call is
 * settled. Ledger rows stay, under an id without a name.
 */
export async function closeAccount(
  room: Pick<AccountsRoom, 'bus' | 'config' | 'db' | 'hooks' | 'jobs'>,
  userId: string,
): Promise<void> {
  const { db, config, jobs, bus } = room
  if (!config.accountDeletion) {
    throw new AppError(
      'switched_off',
      `Accounts cannot be deleted here by oneself. Please write to ${BRAND.supportEmail}.`,
    )
  }
  await withTx(db, async (tx) => {
    const { email, name } = await findPerson(tx, userId)
    for (const table of [
      session,
      account,
      apiKey,
      passkey,
      secondFactor,
      recoveryCode,
      nativeCode,
      emailCode,
      userSettings,
    ]) {
      await tx.delete(table).where(eq(table.userId, userId))
    }
    await tx.delete(mailLink).where(sql`${mailLink.userId} = ${userId} or ${mailLink.email} = ${email}`)
    await tx.delete(inquiry).where(eq(inquiry.email, email))
    const nobody = {
      name: '',
      email: `${userId}@deleted.invalid`,
      phone: null,
      companyName: null,
      image: null,
      closedAt: new Date(),
    }
    await tx.update(user).set(nobody).where(eq(user.id, userId))
    await room.hooks.run('closed', tx, { userId, identityKey: identityKeyOf(config.authKeys[0], email) })
    await enqueueMail(jobs, tx, { mail: 'account_deleted', to: email, name })
    await jobs.enqueue(tx, eraseJob, { userId }, { key: userId })
  })
  bus.publish(sessionsTopic(userId), {})
}

/**
 * One job: pieces for a while, and then another job, so that a crash costs what one has done at most. While a call is
 * live it waits: deleting that would leave its hold unsettled.
 */
async function erase(room: Pick<AccountsRoom, 'db' | 'hooks' | 'jobs' | 'needs'>, userId: string): Promise<void> {
  const { db, jobs, needs, hooks } = room
  const [closed] = await db.select({ id: user.id }).from(user).where(isClosed(userId))
  if (!closed) return
  const again = (waitMs: number) =>
    withTx(db, (tx) =>
      jobs.enqueue(tx, eraseJob, { userId }, { key: userId, startAfter: new Date(Date.now() + waitMs) }),
    )
  if ((await needs.endCalls(userId)) > 0) return again(CALLS_END_WITHIN_MS)
  const until = performance.now() + PIECES_FOR_MS
  if (await needs.eraseInPieces(userId, () => performance.now() > until)) return again(0)
  await withTx(db, async (tx) => {
    await hooks.run('erased', tx, userId)
    await tx.delete(user).where(isClosed(userId))
  })
}

const isClosed = (userId: string) => and(eq(user.id, userId), isNotNull(user.closedAt))

/** Continues erasures whose job was given up. */
export async function continueErasures(room: Pick<AccountsRoom, 'db' | 'jobs'>): Promise<void> {
  const left = await room.db
    .select({ userId: user.id })
    .from(user)
    .where(sql`${user.closedAt} < now() - make_interval(secs => ${GIVEN_UP_AFTER_MS / 1000})`)
    .orderBy(asc(user.closedAt))
    .limit(ERASURES_AT_ONCE)
  await withTx(room.db, async (tx) => {
    // A job that waits has the same key, and drops this one.
    for (const { userId } of left) await room.jobs.enqueue(tx, eraseJob, { userId }, { key: userId })
  })
}

/** Erases transcripts and recordings of calls older than the retention setting of their account. */
export async function keepRetention(room: Pick<AccountsRoom, 'db' | 'needs'>, run?: Run): Promise<void> {
  const { db } = room
  for (let after = ''; ;) {
    const people = await db
      .select({
        userId: user.id,
        days: sql<number>`coalesce(${userSettings.retentionDays}, ${SETTINGS_DEFAULTS.retentionDays})::int`,
      })
      .from(user)
      .leftJoin(userSettings, eq(userSettings.userId, user.id))
      .where(and(isNull(user.closedAt), gt(user.id, after)))
      .orderBy(asc(user.id))
      .limit(PEOPLE_AT_ONCE)
    const byDays = Map.groupBy(people, ({ days }) => days)
    for (const [days, group] of byDays) {
      await room.needs.eraseCalls(
        group.map(({ userId }) => userId),
        days,
        run,
      )
    }
    const last = people.at(-1)
    if (!last || people.length < PEOPLE_AT_ONCE) return
    after = last.userId
  }
}
