import { CALLER_NUMBERS_MAX, type CallerNumber } from '@parley/contract'
import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import { verifiedAmong, verifiedPhones } from '../../consent/index.ts'
import { e164Of } from '../../contacts/index.ts'
import { type Reader, type Tx, withTx } from '../../platform/db.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { CallsRoom } from '../room.ts'
import { callerNumber } from '../schema.ts'

type Network = Pick<Config, 'numbers'>

/** A number that was verified on the simulated network alone proves nothing on a real one. */
function usable({ numbers }: Network, userId: string) {
  const sameNetwork = eq(callerNumber.simulated, numbers === 'simulated')
  return and(eq(callerNumber.userId, userId), or(eq(callerNumber.kind, 'owned'), sameNetwork))
}

export async function listNumbers(reader: Reader, network: Network, userId: string): Promise<CallerNumber[]> {
  const rows = await reader
    .select()
    .from(callerNumber)
    .where(usable(network, userId))
    .orderBy(asc(callerNumber.createdAt), asc(callerNumber.phone))
    .limit(2 * CALLER_NUMBERS_MAX)
  return rows.map(toNumber)
}

function toNumber({ phone, kind, isDefault, createdAt }: typeof callerNumber.$inferSelect): CallerNumber {
  return { phone, kind, isDefault, createdAt: createdAt.toISOString() }
}

/**
 * The number that a call of the account comes from: the one asked for, its default, or null for the carrier's own.
 * @throws AppError unless the account may call from it
 */
export async function numberToCallFrom(
  reader: Reader,
  network: Network,
  userId: string,
  asked: string | null | undefined,
): Promise<string | null> {
  if (asked === null) return null
  const phone = asked === undefined ? undefined : e164Of(asked)
  const wanted = asked === undefined ? eq(callerNumber.isDefault, true) : eq(callerNumber.phone, phone ?? '')
  const [row] = await reader
    .select({ phone: callerNumber.phone })
    .from(callerNumber)
    .where(and(usable(network, userId), wanted))
  if (row) return row.phone
  if (asked === undefined) return null
  const message = 'This is no number of yours to call from. Verify it in Settings, or choose another.'
  throw new AppError('caller_number_refused', message, { field: 'from' })
}

/** Whether a call may still come from the number that it was placed with. */
export async function mayCallFrom(reader: Reader, network: Network, userId: string, phone: string): Promise<boolean> {
  return (await reader.$count(callerNumber, and(usable(network, userId), eq(callerNumber.phone, phone)))) > 0
}

/** Whether a phone (E.164) is the user's own: verified by a told code here, or by the operator. */
export async function isOwnPhone(reader: Reader, network: Network, userId: string, phone: string): Promise<boolean> {
  const own = and(usable(network, userId), eq(callerNumber.kind, 'verified'), eq(callerNumber.phone, phone))
  return (await reader.$count(callerNumber, own)) > 0 || (await verifiedAmong(reader, userId, [phone])).has(phone)
}

/** The user's only own phone; null: there is none, or several. */
export async function onlyOwnPhone(reader: Reader, network: Network, userId: string): Promise<string | null> {
  const told = await reader
    .select({ phone: callerNumber.phone })
    .from(callerNumber)
    .where(and(usable(network, userId), eq(callerNumber.kind, 'verified')))
    .limit(2)
  const phones = new Set([...told.map(({ phone }) => phone), ...(await verifiedPhones(reader, userId, 2))])
  const [only] = phones
  return phones.size === 1 && only !== undefined ? only : null
}

export async function changeNumber(
  { config, db }: Pick<CallsRoom, 'config' | 'db'>,
  userId: string,
  typed: string,
  { isDefault }: { readonly isDefault: boolean },
): Promise<CallerNumber> {
  return withTx(db, async (tx) => {
    await lockNumbers(tx, userId)
    const own = and(usable(config, userId), eq(callerNumber.phone, e164Of(typed) ?? ''))
    const [found] = await tx.select().from(callerNumber).where(own)
    if (!found) throw notFound('The number')
    if (isDefault) await tx.update(callerNumber).set({ isDefault: false }).where(eq(callerNumber.userId, userId))
    const [row] = await tx.update(callerNumber).set({ isDefault }).where(own).returning()
    return toNumber(row ?? found)
  })
}

export async function removeNumber({ db }: Pick<CallsRoom, 'db'>, userId: string, typed: string): Promise<void> {
  await withTx(db, async (tx) => {
    const own = and(eq(callerNumber.userId, userId), eq(callerNumber.phone, e164Of(typed) ?? ''))
    const [found] = await tx.select({ kind: callerNumber.kind }).from(callerNumber).where(own).for('update')
    if (!found) throw notFound('The number')
    if (found.kind === 'owned')
      throw new AppError('conflict', 'This number was assigned to you; whoever runs this service can remove it.')
    await tx.delete(callerNumber).where(own)
  })
}

export async function addVerified(tx: Tx, network: Network, userId: string, phone: string): Promise<CallerNumber> {
  await lockNumbers(tx, userId)
  const simulated = network.numbers === 'simulated'
  const [row] = await tx
    .insert(callerNumber)
    .values({ userId, phone, kind: 'verified', simulated })
    .onConflictDoUpdate({ target: [callerNumber.userId, callerNumber.phone], set: { simulated } })
    .returning()
  if (!row) throw new Error('The number was not written')
  return toNumber(row)
}

/** One change of an account's numbers at a time: there is at most one default, and a bound on how many. */
export async function lockNumbers(tx: Tx, userId: string): Promise<void> {
  await waitForTurn(tx, `caller numbers of ${userId}`)
}

/** Until the end of the transaction, others that name the same wait. */
export async function waitForTurn(tx: Tx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

// For the operator.

/** Assigns a number of the carrier, or takes it back. @throws where it is somebody else's */
export async function changeOwned(tx: Tx, userId: string, phone: string, change: 'add' | 'remove'): Promise<void> {
  const own = and(eq(callerNumber.userId, userId), eq(callerNumber.phone, phone), eq(callerNumber.kind, 'owned'))
  if (change === 'remove') {
    const removed = await tx.delete(callerNumber).where(own).returning({ phone: callerNumber.phone })
    if (removed.length === 0) throw new Error(`${phone} is not assigned to this account.`)
    return
  }
  await waitForTurn(tx, `owner of ${phone}`)
  const [other] = await tx
    .select({ userId: callerNumber.userId })
    .from(callerNumber)
    .where(and(eq(callerNumber.phone, phone), eq(callerNumber.kind, 'owned')))
  if (other && other.userId !== userId) throw new Error(`${phone} is assigned to another account.`)
  await tx
    .insert(callerNumber)
    .values({ userId, phone, kind: 'owned', simulated: false })
    .onConflictDoUpdate({
      target: [callerNumber.userId, callerNumber.phone],
      set: { kind: 'owned', simulated: false },
    })
}

/** Every number of the account, whatever network it was verified on. */
export async function allNumbers(reader: Reader, userId: string): Promise<CallerNumber[]> {
  const rows = await reader
    .select()
    .from(callerNumber)
    .where(eq(callerNumber.userId, userId))
    .orderBy(asc(callerNumber.createdAt), asc(callerNumber.phone))
  return rows.map(toNumber)
}
