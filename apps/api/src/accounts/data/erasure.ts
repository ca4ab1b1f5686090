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
  dataExport,
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
const PEOPLE_AT_ONCE = 500

export function addErasureJob(room: AccountsRoom): void {
  room.jobs.work(eraseJob, ({ userId }) => erase(room, userId))
}

/**
 * Closes an account: deletes sessions and personal data at once, and the rest by a job after the last live call is
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
      dataExport,
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

/** Runs again until no call is live: deleting a live call would leave its hold unsettled. */
async function erase(room: Pick<AccountsRoom, 'db' | 'hooks' | 'jobs' | 'needs'>, userId: string): Promise<void> {
  const { db, jobs } = room
  const live = await room.needs.endCalls(userId)
  await withTx(db, async (tx) => {
    if (live === 0) {
      await room.hooks.run('erased', tx, userId)
      await tx.delete(user).where(and(eq(user.id, userId), isNotNull(user.closedAt)))
    } else {
      await jobs.enqueue(
        tx,
        eraseJob,
        { userId },
        { key: userId, startAfter: new Date(Date.now() + CALLS_END_WITHIN_MS) },
      )
    }
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
