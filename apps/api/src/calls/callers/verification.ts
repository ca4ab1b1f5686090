import { randomUUID } from 'node:crypto'
import {
  CALLER_CODE_DIGITS,
  CALLER_CODE_MINUTES,
  CALLER_CODE_TRIES,
  CALLER_NUMBERS_MAX,
  type CallerNumber,
  type CallerNumbers,
  type CallerVerification,
  newVerificationId,
  VERIFICATIONS_PER_ACCOUNT_PER_DAY,
  VERIFICATIONS_PER_NUMBER_PER_DAY,
} from '@parley/contract'
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { findPerson } from '../../accounts/index.ts'
import type { Config } from '../../config.ts'
import { audit, dialRulesOf, mayDial } from '../../consent/index.ts'
import { type Db, type Reader, type Tx, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { defineJob } from '../../platform/jobs.ts'
import { areDigitsOf, digitsOf, idForDigits } from '../../platform/keys.ts'
import type { CallsRoom } from '../room.ts'
import { callerNumber, callerVerification, type VerificationRow } from '../schema.ts'
import { addVerified, listNumbers, lockNumbers, waitForTurn } from './numbers.ts'

/** Not retried: nobody's phone rings twice for one wish. */
export const verifyJob = defineJob<{ id: string }>('calls.verify', { retryLimit: 0, expireSeconds: 60 })

const DAY_MS = 86_400_000
/** Longer than the longest call that tells a code: one that is still not over then never will be told so. */
const LOST_AFTER_MS = 180_000
/** Counted for a day, and then some. */
const VERIFICATIONS_KEPT_MS = 2 * DAY_MS

const AWAY = 'Calls cannot be started right now. Please try again in a few minutes.'
const RETRY_SECONDS = 30

/** Checks a typed number and queues the call that tells it a code. */
export async function startVerification(
  { config, db, jobs, voice }: Pick<CallsRoom, 'config' | 'db' | 'jobs' | 'voice'>,
  userId: string,
  typed: string,
  now = new Date(),
): Promise<CallerVerification> {
  const obstacle = await voice.obstacle()
  // Nothing needs to be understood in such a call.
  if (obstacle === 'away' || obstacle === 'broken')
    throw new AppError('unavailable', AWAY, { retryAfterSeconds: RETRY_SECONDS })
  return withTx(db, async (tx) => {
    const { closedAt } = await findPerson(tx, userId)
    if (closedAt !== null) throw new AppError('conflict', 'This account was closed.')
    await lockNumbers(tx, userId)
    const phone = await allowedPhone(tx, config, userId, typed, now)
    await waitForTurn(tx, `verification of ${phone}`)
    await refuseNeedless(tx, userId, phone, now)
    await refuseTooMany(tx, userId, phone, now)
    const id = newVerificationId(idForDigits(config.authKeys, randomUUID()))
    const simulated = config.numbers === 'simulated'
    const [row] = await tx
      .insert(callerVerification)
      .values({ id, userId, phone, simulated, createdAt: now })
      .returning()
    if (!row) throw new Error('The verification was not written')
    await audit(tx, { userId, kind: 'dialed', phone, callId: id, detail: 'caller_number', at: now })
    await jobs.enqueue(tx, verifyJob, { id }, { key: id, priority: 1 })
    return toVerification(row, now)
  })
}

/** The rules of any call, but calling hours and free credits: the person asks for it now, and it costs nothing. */
async function allowedPhone(tx: Tx, config: Config, userId: string, typed: string, now: Date): Promise<string> {
  const verdict = await mayDial(
    tx,
    verificationRules(config),
    { userId, callee: typed, confirmOutsideHours: true },
    now,
  )
  if (verdict.answer === 'yes') return verdict.callee
  throw new AppError(verdict.code, verdict.message, { field: 'phone' })
}

/** A test number beside a real carrier is nobody's phone. */
export function verificationRules(config: Config): ReturnType<typeof dialRulesOf> {
  const numbers = config.numbers === 'real_and_test' ? 'real' : config.numbers
  return { ...dialRulesOf(config), numbers, freeCallsVerifiedOnly: false }
}

async function refuseNeedless(tx: Tx, userId: string, phone: string, now: Date): Promise<void> {
  const own = await tx.select().from(callerNumber).where(eq(callerNumber.userId, userId))
  if (own.length >= CALLER_NUMBERS_MAX)
    throw new AppError('conflict', `An account has at most ${CALLER_NUMBERS_MAX} numbers. Remove one first.`)
  const newest = await newestOf(tx, userId)
  if (newest && !isOver(newest, now))
    throw new AppError('conflict', 'A call with a code is under way. Wait until it has ended.')
  if (own.some((each) => each.phone === phone && each.kind === 'owned'))
    throw new AppError('conflict', 'You can call from this number already.')
}

async function refuseTooMany(tx: Tx, userId: string, phone: string, now: Date): Promise<void> {
  const today = gt(callerVerification.createdAt, new Date(now.getTime() - DAY_MS))
  const ofAccount = await tx.$count(callerVerification, and(eq(callerVerification.userId, userId), today))
  const ofNumber = await tx.$count(callerVerification, and(eq(callerVerification.phone, phone), today))
  const most =
    ofAccount >= VERIFICATIONS_PER_ACCOUNT_PER_DAY
      ? `You have asked for ${VERIFICATIONS_PER_ACCOUNT_PER_DAY} calls with a code in the last 24 hours`
      : ofNumber >= VERIFICATIONS_PER_NUMBER_PER_DAY
        ? `This number was told ${VERIFICATIONS_PER_NUMBER_PER_DAY} codes in the last 24 hours`
        : null
  if (most !== null)
    throw new AppError('attempts_exceeded', `${most}, as many as may be. Please try again tomorrow.`, {
      field: 'phone',
    })
}

const digitsFor = (id: string) => ({ use: 'caller-code', id, count: CALLER_CODE_DIGITS })

export function codeOf({ authKeys }: Pick<Config, 'authKeys'>, id: string): string {
  return digitsOf(authKeys, digitsFor(id))
}

const NO_CODE = 'No code is awaited. Have your number called again.'
const WRONG_CODE = 'This is not the code that the call told. Please listen again.'
const NO_TRIES = 'The code was wrong too often. Have your number called again.'

/** Takes the typed code of the newest call. A try is counted before the code is looked at. */
export async function confirmCode(
  { config, db }: Pick<CallsRoom, 'config' | 'db'>,
  userId: string,
  code: string,
  now = new Date(),
): Promise<CallerNumber> {
  const newest = await newestOf(db, userId)
  if (!newest || newest.confirmedAt !== null || now >= expiryOf(newest)) throw new AppError('conflict', NO_CODE)
  const [tried] = await db
    .update(callerVerification)
    .set({ tries: sql`${callerVerification.tries} + 1` })
    .where(and(eq(callerVerification.id, newest.id), lt(callerVerification.tries, CALLER_CODE_TRIES)))
    .returning()
  if (!tried) throw new AppError('conflict', NO_TRIES)
  if (!areDigitsOf(config.authKeys, digitsFor(newest.id), code)) {
    if (tried.tries >= CALLER_CODE_TRIES) throw new AppError('conflict', NO_TRIES)
    throw new AppError('wrong_code', WRONG_CODE, { field: 'code' })
  }
  return withTx(db, async (tx) => {
    const unused = and(eq(callerVerification.id, newest.id), sql`${callerVerification.confirmedAt} is null`)
    const used = await tx.update(callerVerification).set({ confirmedAt: now }).where(unused).returning()
    if (used.length === 0) throw new AppError('conflict', NO_CODE)
    return addVerified(tx, config, userId, newest.phone)
  })
}

export async function readNumbers(
  { config, db }: { readonly config: Config; readonly db: Db },
  userId: string,
  now = new Date(),
): Promise<CallerNumbers> {
  const [numbers, newest] = await Promise.all([listNumbers(db, config, userId), newestOf(db, userId)])
  const isAwaited = newest !== undefined && newest.confirmedAt === null && now < expiryOf(newest)
  return { numbers, verification: isAwaited ? toVerification(newest, now) : null }
}

async function newestOf(reader: Reader, userId: string): Promise<VerificationRow | undefined> {
  const [newest] = await reader
    .select()
    .from(callerVerification)
    .where(eq(callerVerification.userId, userId))
    .orderBy(desc(callerVerification.createdAt), desc(callerVerification.id))
    .limit(1)
  return newest
}

const expiryOf = ({ createdAt }: Pick<VerificationRow, 'createdAt'>) =>
  new Date(createdAt.getTime() + CALLER_CODE_MINUTES * 60_000)

function isOver({ status, createdAt }: Pick<VerificationRow, 'status' | 'createdAt'>, now: Date): boolean {
  return status === 'over' || now.getTime() - createdAt.getTime() > LOST_AFTER_MS
}

const LOST = { endReason: 'interrupted', endMessage: 'A technical problem ended the call.' } as const

function toVerification(row: VerificationRow, now: Date): CallerVerification {
  const { id, phone, status, endReason, endMessage, heard, tries } = row
  const isLost = status !== 'over' && isOver(row, now)
  const end = isLost ? { status: 'over' as const, ...LOST } : { status, endReason, endMessage }
  const triesLeft = Math.max(0, CALLER_CODE_TRIES - tries)
  return { id, phone, ...end, heard, triesLeft, expiresAt: expiryOf(row).toISOString() }
}

export async function forgetVerifications(db: Db, now = new Date()): Promise<void> {
  await db
    .delete(callerVerification)
    .where(lt(callerVerification.createdAt, new Date(now.getTime() - VERIFICATIONS_KEPT_MS)))
}
