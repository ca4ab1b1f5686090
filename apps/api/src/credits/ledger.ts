import { createHash } from 'node:crypto'
import { creditsForSeconds, FREE_CREDITS, LIST_LIMIT_DEFAULT, type LiveMessage, type Movement } from '@parley/contract'
import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { hashOf } from '../platform/idempotency.ts'
import { type AccountKind, hold as holds, ledgerAccount, ledgerEntry, ledgerTx } from './schema.ts'

// Prepaid credits in double entry. Every operation locks the wallet first and has one effect per key, however often it is asked for.

export interface Balance {
  readonly posted: number
  readonly held: number
  /** What can be spent now. */
  readonly available: number
  /** Owed after a refund of credits that were already spent; blocks calling. */
  readonly debt: number
}

export interface Posting {
  /** Whether an earlier request with this key had the effect already. */
  readonly repeated: boolean
  /** What can be spent now, for the live channel. */
  readonly available: number
}

export interface Grant {
  readonly userId: string
  /** Free credits are the house's gift; purchased ones come from sales. */
  readonly kind: 'grant' | 'purchase'
  readonly key: `signup:${string}` | `pi:${string}`
  readonly credits: number
  /** On top of `credits`, as a gift. */
  readonly bonusCredits?: number
  /** A sentence for the person's statement. */
  readonly cause: string
}

export interface ClawBack {
  readonly userId: string
  readonly key: `re:${string}` | `dp:${string}`
  readonly credits: number
  /** Gifts to take back on top of `credits`. */
  readonly bonusCredits?: number
  readonly cause: string
}

export interface HoldRequest {
  readonly userId: string
  readonly callId: string
  readonly wantedCredits: number
  readonly expiresAt: Date
}

/** Opens a person's wallet, with the free credits of a new account in it unless the person had them before. Opening it again changes nothing. */
export async function openWallet(tx: Tx, userId: string, { freeCredits = true } = {}): Promise<Posting> {
  const accounts = (['wallet', 'debt'] as const).map((kind) => ({ id: accountId(kind, userId), kind, userId }))
  await tx.insert(ledgerAccount).values(accounts).onConflictDoNothing()
  if (!freeCredits) return { repeated: false, available: (await lockWallet(tx, userId)).available }
  const cause = 'Free credits for a new account'
  return grant(tx, { userId, kind: 'grant', key: `signup:${userId}`, credits: FREE_CREDITS, cause })
}

/** Adds credits. What is owed is repaid first. */
export async function grant(tx: Tx, { userId, kind, key, credits, bonusCredits = 0, cause }: Grant): Promise<Posting> {
  assertWhole(credits, 1)
  assertWhole(bonusCredits, 0)
  const wallet = await lockWallet(tx, userId)
  const added = credits + bonusCredits
  const sold = kind === 'purchase' ? credits : 0
  const first = await post(tx, {
    kind,
    key,
    cause,
    body: [userId, credits, bonusCredits],
    legs: [
      { accountId: accountId('wallet', userId), credits: added },
      { accountId: accountId('sales', userId), credits: -sold },
      { accountId: accountId('promo', userId), credits: sold - added },
    ],
  })
  if (!first) return { repeated: true, available: wallet.available }
  return { repeated: false, available: await repayDebt(tx, key, userId, wallet.debt, wallet.available + added) }
}

/** Takes credits back after a refund or a dispute: those available first, the rest is owed. */
export async function clawBack(tx: Tx, { userId, key, credits, bonusCredits = 0, cause }: ClawBack): Promise<Posting> {
  assertWhole(credits, 1)
  assertWhole(bonusCredits, 0)
  const wallet = await lockWallet(tx, userId)
  const wanted = credits + bonusCredits
  const taken = Math.min(wallet.available, wanted)
  const owed = wanted - taken
  const first = await post(tx, {
    kind: 'clawback',
    key,
    cause: owed > 0 ? `${cause} (${owed} owed)` : cause,
    body: [userId, credits, bonusCredits],
    legs: [
      { accountId: accountId('wallet', userId), credits: -taken },
      { accountId: accountId('debt', userId), credits: -owed },
      { accountId: accountId('sales', userId), credits },
      { accountId: accountId('promo', userId), credits: bonusCredits },
    ],
  })
  return { repeated: !first, available: first ? wallet.available - taken : wallet.available }
}

/**
 * Sets credits aside for a call: those wanted, or all there are if that is less.
 * `credits` is what the call may use; its time limit follows from it.
 */
export async function hold(tx: Tx, request: HoldRequest): Promise<Posting & { readonly credits: number }> {
  const { userId, callId, wantedCredits, expiresAt } = request
  assertWhole(wantedCredits, 1)
  const wallet = await lockWallet(tx, userId)
  const [earlier] = await tx.select().from(holds).where(eq(holds.callId, callId))
  if (earlier) {
    if (earlier.userId !== userId || earlier.wantedCredits !== wantedCredits) throw mismatch(`call:${callId}`)
    return { repeated: true, credits: earlier.credits, available: wallet.available }
  }
  if (wallet.debt > 0) {
    throw new AppError('debt_outstanding', `Credits owed after a refund: ${wallet.debt}. Please purchase credits to start a call.`)
  }
  if (wallet.available < 1) {
    throw new AppError('insufficient_credits', 'You have 0 credits. Please purchase credits to start a call.')
  }
  const credits = Math.min(wantedCredits, wallet.available)
  await tx.insert(holds).values({ callId, userId, wantedCredits, credits, expiresAt })
  return { repeated: false, credits, available: wallet.available - credits }
}

/** Charges a call, once, for each connected minute begun, never more than it held; the rest is free again. 0 seconds release it all. */
export async function settle(
  tx: Tx,
  { callId, connectedSeconds }: { readonly callId: string; readonly connectedSeconds: number },
): Promise<Posting & { readonly chargedCredits: number }> {
  assertWhole(connectedSeconds, 0)
  const ownHold = eq(holds.callId, callId)
  const { userId, ...wallet } = await lockWallet(tx, tx.select({ userId: holds.userId }).from(holds).where(ownHold).getSQL())
  const [settled] = await tx
    .update(holds)
    .set({
      state: 'settled',
      connectedSeconds,
      chargedCredits: sql`least(${holds.credits}, ${creditsForSeconds(connectedSeconds)})`,
      settledAt: sql`clock_timestamp()`,
    })
    .where(and(ownHold, eq(holds.state, 'active')))
    .returning()
  if (!settled) {
    const [earlier] = await tx.select().from(holds).where(ownHold)
    if (earlier?.connectedSeconds !== connectedSeconds) throw mismatch(`call:${callId}`)
    return { repeated: true, chargedCredits: earlier.chargedCredits ?? 0, available: wallet.available }
  }
  const chargedCredits = settled.chargedCredits ?? 0
  if (chargedCredits > 0) {
    await post(tx, {
      kind: 'settle',
      key: `call:${callId}`,
      callId,
      cause: `Call of ${Math.floor(connectedSeconds / 60)}m ${connectedSeconds % 60}s`,
      body: [userId, connectedSeconds],
      legs: [
        { accountId: accountId('wallet', userId), credits: -chargedCredits },
        { accountId: accountId('usage', userId), credits: chargedCredits },
      ],
    })
  }
  const freed = wallet.available + settled.credits - chargedCredits
  return { repeated: false, chargedCredits, available: await repayDebt(tx, `call:${callId}`, userId, wallet.debt, freed) }
}

/** Holds whose call should have reported long ago, oldest first. Ask the carrier what happened, then settle. */
export async function listExpiredHolds(
  reader: Reader,
  now: Date,
  limit = LIST_LIMIT_DEFAULT,
): Promise<{ callId: string; userId: string; expiresAt: Date }[]> {
  return reader
    .select({ callId: holds.callId, userId: holds.userId, expiresAt: holds.expiresAt })
    .from(holds)
    .where(and(eq(holds.state, 'active'), lt(holds.expiresAt, now)))
    .orderBy(asc(holds.expiresAt), asc(holds.callId))
    .limit(limit)
}

export async function balance(reader: Reader, userId: string): Promise<Balance> {
  const { userId: _, ...amounts } = balanceOf(await reader.select().from(ledgerAccount).where(eq(ledgerAccount.userId, userId)))
  return amounts
}

/** What the live channel says when the balance has changed. */
export function balanceMessage(available: number): LiveMessage {
  return { type: 'credits', creditBalance: String(available) }
}

const HOUSE_STRIPES = 16

/** A person's own account, or the house's that serves this person. */
export function accountId(kind: AccountKind, userId: string): string {
  if (kind === 'wallet' || kind === 'debt') return `${kind}:${userId}`
  const stripe = createHash('sha256').update(userId).digest().readUInt8() % HOUSE_STRIPES
  return `${kind}:${String(stripe).padStart(2, '0')}`
}

function balanceOf(accounts: (typeof ledgerAccount.$inferSelect)[]): Balance & { readonly userId: string } {
  const wallet = accounts.find(({ kind }) => kind === 'wallet')
  const debt = accounts.find(({ kind }) => kind === 'debt')
  if (!wallet?.userId || !debt) throw new Error('There is no such wallet, or no such hold')
  const { userId, posted, held } = wallet
  return { userId, posted, held, available: posted - held, debt: Math.abs(debt.posted) }
}

/** The wallet is locked before anything else of a person is; 'wallet' sorts after 'debt'. */
async function lockWallet(tx: Tx, owner: string | SQL) {
  const accounts = await tx
    .select()
    .from(ledgerAccount)
    .where(eq(ledgerAccount.userId, typeof owner === 'string' ? owner : sql`(${owner})`))
    .orderBy(desc(ledgerAccount.kind))
    .for('no key update')
  return balanceOf(accounts)
}

interface Leg {
  readonly accountId: string
  readonly credits: number
}

interface Event {
  readonly kind: Movement['kind']
  readonly key: string
  /** All that decides the effect: another body under the same key is refused. */
  readonly body: readonly (string | number)[]
  readonly cause: string
  readonly callId?: string
  /** Those of 0 credits are left out. */
  readonly legs: readonly Leg[]
}

/** Writes an event into the books; false when an equal one stands there already under its key. The wallet is locked. */
async function post(tx: Tx, { kind, key, body, cause, callId, legs }: Event): Promise<boolean> {
  const bodyHash = hashOf([kind, ...body])
  const [written] = await tx
    .insert(ledgerTx)
    .values({ kind, idemKey: key, bodyHash, cause, callId: callId ?? null })
    .onConflictDoNothing()
    .returning({ id: ledgerTx.id })
  if (!written) {
    const [earlier] = await tx.select().from(ledgerTx).where(eq(ledgerTx.idemKey, key))
    if (earlier?.bodyHash !== bodyHash) throw mismatch(key)
    return false
  }
  const inOrder = legs.filter((leg) => leg.credits !== 0).sort(walletFirst)
  await tx.insert(ledgerEntry).values(inOrder.map((leg) => ({ ...leg, txId: written.id })))
  return true
}

/** The rows of the accounts are locked in this order, so that no two events wait for each other. */
function walletFirst(one: Leg, other: Leg): number {
  const rank = ({ accountId: id }: Leg) => (id.startsWith('wallet:') ? '' : id)
  return rank(one) < rank(other) ? -1 : 1
}

/** Credits that came free go to what is owed. Returns what remains available. */
async function repayDebt(tx: Tx, causeKey: string, userId: string, debt: number, available: number): Promise<number> {
  const repaid = Math.min(debt, available)
  if (repaid === 0) return available
  await post(tx, {
    kind: 'repay',
    key: `repay:${causeKey}`,
    cause: 'Credits owed after a refund',
    body: [userId, repaid],
    legs: [
      { accountId: accountId('wallet', userId), credits: -repaid },
      { accountId: accountId('debt', userId), credits: repaid },
    ],
  })
  return available - repaid
}

function mismatch(key: string): AppError {
  return new AppError('idempotency_mismatch', `Another request was made before under the key ${key}.`)
}

function assertWhole(value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${value} is not a whole number of at least ${least}`)
}
