import { randomInt } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'
import { constantTimeEqual, generateRandomString } from 'better-auth/crypto'
import { BRAND, RECOVERY_CODES, type SecondFactor } from '@parley/contract'
import type { Key } from '@parley/contract/keys'
import { and, eq, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import { type Reader, type Tx, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import { macOf } from '../../platform/keys.ts'
import { beginAttempt } from '../sign-in/attempts.ts'
import type { Asking } from '../sign-in/auth.ts'
import { recordEvent } from '../events.ts'
import { hashKeys } from '../past-keys.ts'
import { holdAccount } from '../sign-in/pending.ts'
import type { DbAndConfig } from '../room.ts'
import { recoveryCode, secondFactor } from '../schema.ts'
import { isFactorOfFirst, openFactor, sealFactor } from './factor-secrets.ts'

const SECRET_CHARACTERS = 32
const STEP_SECONDS = 30
/** Tolerated clock skew of a phone, in steps of 30 s, either way. */
const STEPS_OFF = 1

export async function readSecondFactor(reader: Reader, userId: string): Promise<SecondFactor> {
  const [factor, recoveryCodesLeft] = await Promise.all([
    findFactor(reader, userId),
    reader.$count(recoveryCode, eq(recoveryCode.userId, userId)),
  ])
  return { enabled: factor?.confirmedAt != null, recoveryCodesLeft }
}

async function findFactor(reader: Reader, userId: string) {
  const [factor] = await reader.select().from(secondFactor).where(eq(secondFactor.userId, userId))
  return factor
}

/** Creates an authenticator secret, replacing an unconfirmed one. */
export async function setUpSecondFactor(
  { db, config }: DbAndConfig,
  actor: Actor,
): Promise<{ uri: string; secret: string }> {
  const plain = generateRandomString(SECRET_CHARACTERS)
  const secret = await sealFactor(config.authKeys, plain)
  const email = await withTx(db, async (tx) => {
    const { id: userId, email } = await holdAccount(tx, actor)
    const kept = await tx
      .insert(secondFactor)
      .values({ userId, secret })
      .onConflictDoUpdate({
        target: secondFactor.userId,
        set: { secret, lastStep: null },
        setWhere: isNull(secondFactor.confirmedAt),
      })
      .returning({ userId: secondFactor.userId })
    if (kept.length === 0)
      throw new AppError('conflict', 'An authenticator app is already set up. Switch it off first.')
    return email
  })
  const uri = createOTP(plain).url(BRAND.product, email)
  return { uri, secret: new URL(uri).searchParams.get('secret') ?? '' }
}

/** Enables the second factor with a first code. Returns the recovery codes. */
export async function confirmSecondFactor(
  room: DbAndConfig,
  actor: Actor,
  code: string,
  request: Asking,
): Promise<string[]> {
  const { userId } = actor
  const factor = await findFactor(room.db, userId)
  if (!factor || factor.confirmedAt) throw new AppError('conflict', 'There is no authenticator app to confirm.')
  const attempt = await beginAttempt(room, `second-factor:${userId}`, request.ip)
  if (!(await takeCode(room, userId, code))) throw wrongCode()
  await attempt.right()
  return withTx(room.db, async (tx) => {
    await holdAccount(tx, actor)
    const confirmed = await tx
      .update(secondFactor)
      .set({ confirmedAt: new Date() })
      .where(eq(secondFactor.userId, userId))
      .returning()
    if (confirmed.length === 0) throw new AppError('conflict', 'There is no authenticator app to confirm.')
    await recordEvent(tx, { userId, kind: 'second_factor_on' }, request)
    return makeRecoveryCodes(room.config, tx, userId)
  })
}

export async function renewRecoveryCodes(
  room: DbAndConfig,
  userId: string,
  code: string,
  request: Asking,
): Promise<string[]> {
  await proveSecondFactor(room, userId, code, request)
  return withTx(room.db, async (tx) => {
    await recordEvent(tx, { userId, kind: 'recovery_codes_made' }, request)
    return makeRecoveryCodes(room.config, tx, userId)
  })
}

export async function disableSecondFactor(
  room: DbAndConfig,
  userId: string,
  code: string,
  request: Asking,
): Promise<SecondFactor> {
  await proveSecondFactor(room, userId, code, request)
  await withTx(room.db, async (tx) => {
    await tx.delete(secondFactor).where(eq(secondFactor.userId, userId))
    await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
    await recordEvent(tx, { userId, kind: 'second_factor_off' }, request)
  })
  return { enabled: false, recoveryCodesLeft: 0 }
}

/** Checks the second factor of a signed-in user. */
export async function proveSecondFactor(
  room: DbAndConfig,
  userId: string,
  code: string,
  request: Asking,
): Promise<void> {
  const factor = await findFactor(room.db, userId)
  if (!factor?.confirmedAt) throw new AppError('conflict', 'No authenticator app is set up.')
  const attempt = await beginAttempt(room, `second-factor:${userId}`, request.ip)
  await checkSecondFactor(room, userId, code, request)
  await attempt.right()
}

/** Requires a code if the account has a second factor. The caller counts the attempts. */
export async function checkSecondFactor(
  room: DbAndConfig,
  userId: string,
  code: string | undefined,
  request: Asking,
): Promise<void> {
  const factor = await findFactor(room.db, userId)
  if (!factor?.confirmedAt) return
  if (code === undefined)
    throw new AppError('second_factor_required', 'Please enter the code of your authenticator app.')
  if (await takeCode(room, userId, code)) return
  if (!(await takeRecoveryCode(room, userId, code))) throw wrongCode()
  await recordEvent(room.db, { userId, kind: 'recovery_code_used' }, request)
}

export function wrongCode(field = 'code'): AppError {
  return new AppError('wrong_code', 'The code is wrong or was already used.', { field })
}

/** True once per code, within the tolerated skew. */
async function takeCode({ db, config }: DbAndConfig, userId: string, text: string): Promise<boolean> {
  const code = text.replaceAll(/\s/g, '')
  const factor = await findFactor(db, userId)
  if (!factor || !/^\d{6}$/.test(code)) return false
  const keys = config.authKeys
  const plain = await openFactor(keys, factor.secret)
  const anew = isFactorOfFirst(keys, factor.secret) ? {} : { secret: await sealFactor(keys, plain) }
  const otp = createOTP(plain)
  const now = Math.floor(Date.now() / 1000 / STEP_SECONDS)
  for (let step = now - STEPS_OFF; step <= now + STEPS_OFF; step++) {
    if (!constantTimeEqual(await otp.hotp(step), code)) continue
    const unused = or(isNull(secondFactor.lastStep), lt(secondFactor.lastStep, step))
    const taken = await db
      .update(secondFactor)
      .set({ lastStep: step, ...anew })
      .where(and(eq(secondFactor.userId, userId), unused))
      .returning({ userId: secondFactor.userId })
    return taken.length > 0
  }
  return false
}

/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const RECOVERY_LETTERS = 10

async function makeRecoveryCodes({ authKeys }: Pick<Config, 'authKeys'>, tx: Tx, userId: string): Promise<string[]> {
  const letter = () => LETTERS.charAt(randomInt(LETTERS.length))
  const codes = Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: RECOVERY_LETTERS }, letter).join(''))
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.insert(recoveryCode).values(codes.map((code) => ({ userId, hash: hashOf(authKeys[0], userId, code) })))
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

async function takeRecoveryCode({ config, db }: DbAndConfig, userId: string, text: string): Promise<boolean> {
  const code = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const hashes = (await hashKeys(db, config.authKeys)).map((key) => hashOf(key, userId, code))
  const taken = await db
    .delete(recoveryCode)
    .where(and(eq(recoveryCode.userId, userId), inArray(recoveryCode.hash, hashes)))
    .returning({ hash: recoveryCode.hash })
  return taken.length > 0
}

function hashOf(key: Key, userId: string, code: string): string {
  return macOf(key, `recovery:${userId}:${code}`)
}
