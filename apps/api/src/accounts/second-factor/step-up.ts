import { type StepUp, STEP_UP_MINUTES, type StepUpProof, type StepUpWay } from '@parley/contract'
import { verifyPassword } from 'better-auth/crypto'
import { and, eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Reader } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import { beginAttempt } from '../sign-in/attempts.ts'
import { mailCode, takeEmailCode } from '../sign-in/email-codes.ts'
import { checkPasskey } from './passkeys.ts'
import { findPerson } from '../profile.ts'
import type { AccountsRoom, DbAndConfig, Mailing } from '../room.ts'
import { account, passkey, session } from '../schema.ts'
import { proveSecondFactor, readSecondFactor, wrongCode } from './second-factor.ts'

export async function readStepUp(reader: Reader, { userId, steppedUpAt }: Actor): Promise<StepUp> {
  const until = (steppedUpAt?.getTime() ?? 0) + STEP_UP_MINUTES * 60_000
  return { ways: await waysOf(reader, userId), until: until > Date.now() ? new Date(until).toISOString() : null }
}

/** A mailed code is offered only to accounts without a password: next to a password it would be the weaker way. */
async function waysOf(reader: Reader, userId: string): Promise<StepUpWay[]> {
  const [hash, { enabled }, passkeys] = await Promise.all([
    passwordOf(reader, userId),
    readSecondFactor(reader, userId),
    reader.$count(passkey, eq(passkey.userId, userId)),
  ])
  const ways = { password: hash !== null, code: enabled, passkey: passkeys > 0, email: hash === null }
  return (['password', 'code', 'passkey', 'email'] as const).filter((way) => ways[way])
}

async function passwordOf(reader: Reader, userId: string): Promise<string | null> {
  const [credential] = await reader
    .select({ hash: account.password })
    .from(account)
    .where(and(eq(account.userId, userId), eq(account.providerId, 'credential')))
  return credential?.hash ?? null
}

type Proof = z.output<typeof StepUpProof>

/** Proves again that the user of this session is present (step-up). */
export async function stepUp(
  room: Pick<AccountsRoom, 'config' | 'db' | 'unmatchableHash'>,
  actor: Actor,
  proof: Proof,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StepUp> {
  await check(room, actor, proof, request, reply)
  const steppedUpAt = new Date()
  await room.db
    .update(session)
    .set({ steppedUpAt })
    .where(eq(session.id, actor.sessionId ?? ''))
  return readStepUp(room.db, { ...actor, steppedUpAt })
}

async function check(
  room: Pick<AccountsRoom, 'config' | 'db' | 'unmatchableHash'>,
  { userId }: Actor,
  { password, code, emailCode, passkey: response }: Proof,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (password !== undefined) return checkPassword(room, userId, password, request.ip)
  if (code !== undefined) return proveSecondFactor(room, userId, code, request)
  if (emailCode !== undefined) return checkEmailCode(room, userId, emailCode, request.ip)
  if ((await checkPasskey(room, response ?? {}, request, reply)) !== userId) {
    throw new AppError('invalid_token', 'This passkey belongs to another account.')
  }
}

async function checkPassword(
  room: Pick<AccountsRoom, 'config' | 'db' | 'unmatchableHash'>,
  userId: string,
  password: string,
  ip: string,
): Promise<void> {
  const { email } = await findPerson(room.db, userId)
  // Shares the attempt counter with sign-in.
  const attempt = await beginAttempt(room, email, ip)
  const hash = (await passwordOf(room.db, userId)) ?? (await room.unmatchableHash)
  if (!(await verifyPassword({ hash, password }))) {
    throw new AppError('wrong_credentials', 'The password is wrong.', { field: 'password' })
  }
  await attempt.right()
}

export async function mailStepUpCode(room: Mailing, { userId }: Actor): Promise<void> {
  if ((await passwordOf(room.db, userId)) !== null)
    throw new AppError('conflict', 'This account has a password. Please enter it.')
  await mailCode(room, userId, 'step_up')
}

async function checkEmailCode(room: DbAndConfig, userId: string, code: string, ip: string): Promise<void> {
  const attempt = await beginAttempt(room, `step-up:${userId}`, ip)
  const found = await takeEmailCode(room, { userId, use: 'step_up', code })
  if (found === 'wrong') throw wrongCode('emailCode')
  if (found === 'none')
    throw new AppError('expired_token', 'This code has expired. Please ask for another.', { field: 'emailCode' })
  await attempt.right()
}
