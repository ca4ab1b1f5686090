import { and, eq, gt, lt, ne, sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Db, Reader, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { macOf } from '../../platform/keys.ts'
import { networkOf } from '../../platform/pages/protection.ts'
import { securityEvent, signInAttempt, user } from '../schema.ts'
import type { DbAndConfig } from '../room.ts'

/** Mistakes without a wait; each further one doubles the wait. */
const FREE_MISTAKES = 5
const WAIT_MAX_SECONDS = 900
/** After so many hours without a mistake the count of an account and address starts again. */
const FORGIVEN_AFTER_HOURS = 24
/** Mistakes in an hour, from all addresses together, after which an account accepts only addresses it knows. */
const ACCOUNT_MISTAKES_PER_HOUR = 100
const KNOWN_ADDRESS_DAYS = 90
/** Mails per hour to one mailbox at the request of one address. The owner can still ask from another address. */
const MAILS_PER_HOUR = 5
const HOUR_MS = 3_600_000

/** One attempt to authenticate. It counts as a mistake until `right()` is called. */
export interface Attempt {
  /** True for the attempt whose failure starts the first wait. */
  readonly blocked: boolean
  right(): Promise<void>
}

/**
 * Begins an attempt, or refuses it and says how long to wait. Counts per account and address, so that an attacker waits
 * and the owner elsewhere does not. `what` is any typed text: unknown accounts behave the same.
 */
export async function beginAttempt({ db, config }: DbAndConfig, what: string, ip: string): Promise<Attempt> {
  const account = hashOf(config, `attempt:${what}`)
  const address = networkOf(ip)
  const pair = and(eq(signInAttempt.account, account), eq(signInAttempt.address, address))
  const failures = sql<number>`case when ${signInAttempt.lastAt} < now() - make_interval(hours => ${FORGIVEN_AFTER_HOURS}) then 1 else ${signInAttempt.failures} + 1 end`
  const wait = sql`make_interval(secs => case when ${failures} < ${FREE_MISTAKES} then 0 else least(power(2, least(${failures} - ${FREE_MISTAKES}, 20)), ${WAIT_MAX_SECONDS}) end)`
  // One statement, so that concurrent attempts are counted one after the other.
  const [counted] = await db
    .insert(signInAttempt)
    .values({ account, address, failures: 1, blockedUntil: sql`now()`, lastAt: sql`now()` })
    .onConflictDoUpdate({
      target: [signInAttempt.account, signInAttempt.address],
      set: { failures, blockedUntil: sql`clock_timestamp() + ${wait}`, lastAt: sql`now()` },
      // clock_timestamp(), not now(): a transaction that waited for the row lock began before the row was written.
      setWhere: sql`${signInAttempt.blockedUntil} <= clock_timestamp()`,
    })
    .returning({ failures: signInAttempt.failures })
  if (!counted) throw tooMany(await secondsLeft(db, pair))
  if (await isUnderAttack(db, account, address)) {
    if (!(await isKnownAddress(db, what, ip))) throw tooMany(WAIT_MAX_SECONDS)
  }
  const right = async () => void (await db.delete(signInAttempt).where(pair))
  return { blocked: counted.failures === FREE_MISTAKES, right }
}

/**
 * Whether a mail that any visitor can request may be sent. Beyond the limit the response is the same and no mail is
 * sent, so that it does not reveal which addresses have accounts.
 */
export async function mayMail(config: Pick<Config, 'authKeys'>, tx: Tx, email: string, ip: string): Promise<boolean> {
  const account = hashOf(config, `mail:${Math.floor(Date.now() / HOUR_MS)}:${email}`)
  const now = sql`now()`
  const [counted] = await tx
    .insert(signInAttempt)
    .values({ account, address: networkOf(ip), failures: 1, blockedUntil: now, lastAt: now })
    .onConflictDoUpdate({
      target: [signInAttempt.account, signInAttempt.address],
      set: { failures: sql`${signInAttempt.failures} + 1`, lastAt: now },
    })
    .returning({ mails: signInAttempt.failures })
  return counted !== undefined && counted.mails <= MAILS_PER_HOUR
}

/** Under the first key alone: counting begins again when that changes. */
function hashOf({ authKeys }: Pick<Config, 'authKeys'>, text: string): string {
  return macOf(authKeys[0], text)
}

function tooMany(retryAfterSeconds: number): AppError {
  const message = 'Too many wrong attempts. Please wait a moment and try again, or choose a new password by mail.'
  return new AppError('rate_limited', message, { retryAfterSeconds })
}

async function secondsLeft(db: Db, pair: ReturnType<typeof and>): Promise<number> {
  const seconds = sql<number>`ceil(extract(epoch from ${signInAttempt.blockedUntil} - now()))::int`
  const [row] = await db.select({ seconds }).from(signInAttempt).where(pair)
  return Math.max(1, row?.seconds ?? 1)
}

async function isUnderAttack(db: Db, account: string, address: string): Promise<boolean> {
  const [row] = await db
    .select({ mistakes: sql<number>`coalesce(sum(${signInAttempt.failures}), 0)::int` })
    .from(signInAttempt)
    .where(
      and(
        eq(signInAttempt.account, account),
        ne(signInAttempt.address, address),
        gt(signInAttempt.lastAt, sql`now() - interval '1 hour'`),
      ),
    )
  return (row?.mistakes ?? 0) >= ACCOUNT_MISTAKES_PER_HOUR
}

/** Whether the owner has signed in from this address before. */
async function isKnownAddress(db: Db, email: string, ip: string): Promise<boolean> {
  const since = sql`now() - make_interval(days => ${KNOWN_ADDRESS_DAYS})`
  const [row] = await db
    .select({ id: securityEvent.id })
    .from(securityEvent)
    .innerJoin(user, eq(user.id, securityEvent.userId))
    .where(
      and(
        eq(user.email, email),
        eq(securityEvent.kind, 'signed_in'),
        eq(securityEvent.ipAddress, ip),
        gt(securityEvent.at, since),
      ),
    )
    .limit(1)
  return row !== undefined
}

export async function forgetOldAttempts(reader: Reader): Promise<void> {
  await reader
    .delete(signInAttempt)
    .where(lt(signInAttempt.lastAt, sql`now() - make_interval(hours => ${FORGIVEN_AFTER_HOURS})`))
}
