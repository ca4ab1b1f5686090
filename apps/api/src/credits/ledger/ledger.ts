import {
  creditsForSeconds,
  FREE_CREDITS,
  LIST_LIMIT_DEFAULT,
  type LiveMessage,
  type Movement,
  SECONDS_PER_CREDIT,
} from '@parley/contract'
import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { hashOf } from '../../platform/requests/idempotency.ts'
import { isNotPassedOver } from '../../platform/rounds/each-alone.ts'
import { hold as holds, ledgerAccount } from '../schema.ts'

// Prepaid credits in double entry. Every operation is one database call, idempotent by key. It locks the wallet first,
// except settling, which starts with the hold (docs/decisions/0063).

export interface Balance {
  readonly posted: number
  readonly held: number
  /** Credits available now. */
  readonly available: number
  /** Owed after a refund of credits that were already spent; blocks calling. */
  readonly debt: number
}

export interface Posting {
  /** An earlier request with this key had the effect already. */
  readonly repeated: boolean
  /** Credits available now, for the live channel. */
  readonly available: number
}

export interface Grant {
  readonly userId: string
  /** grant: free credits; purchase: sold credits. */
  readonly kind: 'grant' | 'purchase'
  readonly key: `signup:${string}` | `pi:${string}` | `${ClawBack['key']}:returned`
  readonly credits: number
  /** Free credits on top. */
  readonly bonusCredits?: number
  /** A sentence for the user's statement. */
  readonly cause: string
}

export interface ClawBack {
  readonly userId: string
  readonly key: `re:${string}` | `dp:${string}`
  readonly credits: number
  /** Free credits to take back as well. */
  readonly bonusCredits?: number
  readonly cause: string
}

export interface Adjustment {
  readonly userId: string
  readonly key: `adjust:${string}`
  readonly credits: number
  readonly reason: string
}

export interface HoldRequest {
  readonly userId: string
  readonly callId: string
  readonly wantedCredits: number
  readonly expiresAt: Date
}

/** Opens a user's wallet, with the free credits unless the mailbox had them before. Idempotent. */
export async function openWallet(tx: Tx, userId: string, { freeCredits = true } = {}): Promise<Posting> {
  const accounts = (['wallet', 'debt'] as const).map((kind) => ({ id: `${kind}:${userId}`, kind, userId }))
  await tx.insert(ledgerAccount).values(accounts).onConflictDoNothing()
  if (!freeCredits) return { repeated: false, available: (await balance(tx, userId)).available }
  const cause = 'Free credits for a new account'
  return grant(tx, { userId, kind: 'grant', key: `signup:${userId}`, credits: FREE_CREDITS, cause })
}

/** Adds credits; debt is repaid first. */
export async function grant(
  tx: Reader,
  { userId, kind, key, credits, bonusCredits = 0, cause }: Grant,
): Promise<Posting> {
  for (const each of [credits, bonusCredits]) assertWhole(each, 0)
  const bought = kind === 'purchase' ? credits : 0
  const given = credits + bonusCredits - bought
  return move(tx, { userId, kind, key, cause, body: [userId, credits, bonusCredits], bought, given })
}

/** Takes credits back after a refund or a dispute: available ones first, the rest becomes debt. */
export async function clawBack(
  tx: Reader,
  { userId, key, credits, bonusCredits = 0, cause }: ClawBack,
): Promise<Posting> {
  for (const each of [credits, bonusCredits]) assertWhole(each, 0)
  const body = [userId, credits, bonusCredits]
  return move(tx, { userId, kind: 'clawback', key, cause, body, bought: -credits, given: -bonusCredits, mayOwe: true })
}

/** The operator's correction with a reason; negative credits are removed, at most those available. */
export async function adjust(tx: Reader, { userId, key, credits, reason }: Adjustment): Promise<Posting> {
  return move(tx, { userId, kind: 'adjust', key, cause: reason, body: [userId, credits, reason], written: credits })
}

/** Holds credits for a call: those wanted, or all available if fewer. The result's `credits` bounds the call's time. */
export async function hold(tx: Reader, request: HoldRequest): Promise<Posting & { readonly credits: number }> {
  const { userId, callId, wantedCredits, expiresAt } = request
  assertWhole(wantedCredits, 1)
  const [answer] = await ask(
    tx,
    'books_hold',
    { call: callId, person: userId, wanted: wantedCredits, expires: expiresAt.toISOString() },
    ['outcome', 'credits', 'available', 'debt'],
  )
  const { outcome, credits, available, debt } = answered(answer)
  if (outcome === 'mismatch') throw mismatch(`call:${callId}`)
  if (outcome === 'debt') {
    throw new AppError(
      'debt_outstanding',
      `Credits owed after a refund: ${debt}. Please purchase credits to start a call.`,
    )
  }
  if (outcome === 'insufficient') throw new AppError('insufficient_credits', lackOf(await balance(tx, userId)))
  return { repeated: outcome === 'repeated', credits: Number(credits), available: Number(available) }
}

export interface Settlement {
  readonly callId: string
  /** Of the first leg. */
  readonly connectedSeconds: number
  readonly otherLegsSeconds?: readonly number[]
}

export interface Settled extends Posting {
  readonly chargedCredits: number
}

/**
 * Charges a call once, one credit per started minute of each leg, at most its hold; releases the rest. 0 seconds
 * release all.
 */
export async function settle(tx: Reader, settlement: Settlement): Promise<Settled> {
  const { callId } = settlement
  const seconds = billedSeconds(settlement)
  const [answer] = await ask(tx, 'books_settle', { call: callId, seconds, cost: creditsForSeconds(seconds) }, [
    'outcome',
    'charged',
    'available',
  ])
  return settledOf(callId, answer)
}

/**
 * Settles calls that end together in one statement, each as `settle` does, and answers in their order. `available` is
 * what the call's user has after all of them. One that `settle` would refuse refuses all.
 */
export async function settleMany(tx: Reader, settlements: readonly Settlement[]): Promise<Settled[]> {
  const calls = settlements.map(({ callId }) => callId)
  if (new Set(calls).size < calls.length) throw new RangeError('A call is settled twice in one group')
  const durations = settlements.map(billedSeconds)
  const answers = await ask(tx, 'books_settle_many', { calls, durations, costs: durations.map(creditsForSeconds) }, [
    'call',
    'outcome',
    'charged',
    'available',
  ])
  const byCall = new Map(answers.map((answer) => [answer.call, answer]))
  return calls.map((callId) => settledOf(callId, byCall.get(callId)))
}

/** In the books a further leg lasts whole minutes, so that their sum costs what the legs cost one by one. */
function billedSeconds({ connectedSeconds: first, otherLegsSeconds = [] }: Settlement): number {
  for (const each of [first, ...otherLegsSeconds]) assertWhole(each, 0)
  return otherLegsSeconds.reduce((sum, seconds) => sum + creditsForSeconds(seconds) * SECONDS_PER_CREDIT, first)
}

type SettleAnswer = Readonly<Record<'outcome' | 'charged' | 'available', string | null>>

function settledOf(callId: string, answer: SettleAnswer | undefined): Settled {
  if (answer === undefined || answer.outcome === 'missing') throw new Error(`There is no such hold: ${callId}`)
  if (answer.outcome === 'mismatch') throw mismatch(`call:${callId}`)
  const { outcome, charged, available } = answer
  return { repeated: outcome === 'repeated', chargedCredits: Number(charged), available: Number(available) }
}

/** Expired holds, oldest first, without those that the task passes over. Find out how the call ended, then settle. */
export async function listExpiredHolds(
  reader: Reader,
  now: Date,
  { limit = LIST_LIMIT_DEFAULT, unless }: { readonly limit?: number; readonly unless?: string } = {},
): Promise<{ callId: string; userId: string; expiresAt: Date }[]> {
  return reader
    .select({ callId: holds.callId, userId: holds.userId, expiresAt: holds.expiresAt })
    .from(holds)
    .where(
      and(
        eq(holds.state, 'active'),
        lt(holds.expiresAt, now),
        unless === undefined ? undefined : isNotPassedOver(unless, holds.callId),
      ),
    )
    .orderBy(asc(holds.expiresAt), asc(holds.callId))
    .limit(limit)
}

export async function balance(reader: Reader, userId: string): Promise<Balance> {
  const accounts = await reader.select().from(ledgerAccount).where(eq(ledgerAccount.userId, userId))
  const wallet = accounts.find(({ kind }) => kind === 'wallet')
  const debt = accounts.find(({ kind }) => kind === 'debt')
  if (!wallet || !debt) throw new Error(`User ${userId} has no wallet`)
  const { posted, held } = wallet
  return { posted, held, available: posted - held, debt: Math.abs(debt.posted) }
}

/** Why no credits are available: all are held, or all are spent. */
function lackOf({ held }: Pick<Balance, 'held'>): string {
  if (held === 0) return 'You have 0 credits. Please purchase credits to start a call.'
  const all = held === 1 ? 'Your 1 credit is' : `All your ${held} credits are`
  return `${all} reserved by calls in progress. What they do not use comes back when they end.`
}

/** The live message of a changed balance. */
export function balanceMessage(available: number): LiveMessage {
  return { type: 'credits', creditBalance: String(available) }
}

interface Move {
  readonly userId: string
  readonly kind: Movement['kind']
  readonly key: string
  /** Everything that determines the effect: another body under the same key is refused. */
  readonly body: readonly (string | number)[]
  readonly cause: string
  /** Credits into the wallet, negative out of it: sold, free, or corrected by the operator. */
  readonly bought?: number
  readonly given?: number
  readonly written?: number
  /** Whether a shortfall becomes debt. */
  readonly mayOwe?: boolean
}

async function move(tx: Reader, event: Move): Promise<Posting> {
  const { userId, kind, key, body, cause, bought = 0, given = 0, written = 0, mayOwe = false } = event
  assertWhole(Math.abs(bought + given + written), 1)
  const hash = hashOf([kind, ...body])
  const [answer] = await ask(
    tx,
    'books_move',
    { person: userId, kind, key, hash, cause, bought, given, written, may_owe: mayOwe },
    ['outcome', 'available'],
  )
  const { outcome, available } = answered(answer)
  if (outcome === 'mismatch') throw mismatch(key)
  if (outcome === 'insufficient')
    throw new AppError('insufficient_credits', `There are only ${available} credits to take.`)
  return { repeated: outcome === 'repeated', available: Number(available) }
}

type Value = string | number | boolean | readonly string[] | readonly number[]
type Answer<C extends string> = Readonly<Record<C, string | null>>

interface Query {
  execute(values: Readonly<Record<string, Value>>): Promise<readonly Answer<string>[]>
}

/** By reader and function, since composing a query takes longer than most of them run. */
const composed = new WeakMap<Reader, Map<string, Query>>()

/** Calls a ledger function by a named prepared statement. Integers arrive as text. */
async function ask<C extends string>(
  reader: Reader,
  name: string,
  values: Readonly<Record<string, Value>>,
  columns: readonly C[],
): Promise<readonly Answer<C>[]> {
  const known = composed.get(reader) ?? new Map<string, Query>()
  composed.set(reader, known)
  const query = known.get(name) ?? compose(reader, name, Object.keys(values), columns)
  known.set(name, query)
  return query.execute(values)
}

function compose(reader: Reader, name: string, parameters: readonly string[], columns: readonly string[]): Query {
  const given = parameters.map((parameter) => sql`${sql.identifier(parameter)} => ${sql.placeholder(parameter)}`)
  const asked = columns.map((column) => [column, sql<string | null>`${sql.identifier(column)}::text`] as const)
  return reader
    .select(Object.fromEntries(asked))
    .from(sql`${sql.identifier(name)}(${sql.join(given, sql`, `)})`)
    .prepare(name)
}

function answered<A>(answer: A | undefined): A {
  if (answer === undefined) throw new Error('The books did not answer')
  return answer
}

function mismatch(key: string): AppError {
  return new AppError('idempotency_mismatch', `Another request was made before under the key ${key}.`)
}

function assertWhole(value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new RangeError(`${value} is not a whole number of at least ${least}`)
}
