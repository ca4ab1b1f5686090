import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { type Tx, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Asking } from '../sign-in/auth.ts'
import { recordEvent } from '../events.ts'
import { enqueueMail } from '../jobs.ts'
import { readEmail } from '../sign-in/passwords.ts'
import { voidUnconfirmed } from '../sign-in/pending.ts'
import { admit } from '../sign-in/registration.ts'
import type { AccountsRoom, Admitting } from '../room.ts'
import { account, user } from '../schema.ts'

/** A verified identity at another service (Google, Apple). */
export interface Identity {
  readonly provider: 'google' | 'apple'
  /** The service's id of the person. Unlike an address, it is never reassigned. */
  readonly subject: string
  readonly email: string | undefined
  /** The service has verified that the person reads this address's mail. */
  readonly emailVerified: boolean
  readonly fullName: string | undefined
}

const NAMES = { google: 'Google', apple: 'Apple' } as const

/**
 * The account of an identity. A linked identity opens its account. A new one opens or creates the account of its
 * address, but only if the address is verified: no account exists with an unproven address.
 */
export async function personOf(room: Admitting, identity: Identity, request: Asking): Promise<string> {
  return withTx(room.db, async (tx) => {
    const { provider, subject } = identity
    const [linked] = await tx
      .select({ userId: account.userId })
      .from(account)
      .where(and(eq(account.providerId, provider), eq(account.accountId, subject)))
    return linked?.userId ?? link(room, tx, identity, request)
  })
}

async function link(
  room: Pick<AccountsRoom, 'config' | 'hooks' | 'jobs'>,
  tx: Tx,
  identity: Identity,
  request: Asking,
): Promise<string> {
  const { provider, subject, emailVerified, fullName } = identity
  const name = NAMES[provider]
  if (identity.email === undefined || !emailVerified) {
    throw new AppError('email_not_verified', `${name} has not verified your email address.`)
  }
  const email = readEmail(identity.email)
  const [known] = await tx.select({ id: user.id }).from(user).where(eq(user.email, email)).for('update')
  if (known) await voidUnconfirmed(tx, known.id)
  const newcomer = { email, fullName: fullName ?? null, passwordHash: null, confirmed: true }
  const userId = known?.id ?? (await admit(room, tx, newcomer, request))
  await tx.insert(account).values({ id: randomUUID(), userId, providerId: provider, accountId: subject })
  await recordEvent(tx, { userId, kind: 'identity_linked', detail: name }, request)
  if (known) await enqueueMail(room.jobs, tx, { mail: 'identity_linked', userId, provider: name })
  return userId
}
