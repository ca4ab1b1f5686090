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

/** Somebody as another service knows them, its proof already checked. */
export interface Identity {
  readonly provider: 'google' | 'apple'
  /** The service's own id of the person; unlike the address, it never changes hands. */
  readonly subject: string
  readonly email: string | undefined
  /** The service vouches that the person reads this address's mail. */
  readonly emailVerified: boolean
  readonly fullName: string | undefined
}

const NAMES = { google: 'Google', apple: 'Apple' } as const

/**
 * Whose account an identity opens. One seen before opens the account it was linked to. A new one opens the account of
 * its address, or makes it, only where the address is verified: an account never exists before its address was proven
 * as well.
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
