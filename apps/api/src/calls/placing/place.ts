import {
  type Call,
  CALL_LANGUAGES,
  type CallLanguage,
  callsRoutes,
  isTestNumber,
  minutesWithRoom,
  type NewCall,
  SECONDS_PER_CREDIT,
  type UserSettings,
} from '@parley/contract'
import { activeTraceparent } from '@parley/traces'
import { sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import { findPerson, type Person, settingsOf } from '../../accounts/index.ts'
import {
  type Activity,
  audit,
  dialRulesOf,
  judgeVelocity,
  limitsOf,
  mayDial,
  refuseSecrets,
} from '../../consent/index.ts'
import { balance, balanceMessage, hold, purchasedCredits } from '../../credits/index.ts'
import { type Reader, type Tx, withTx } from '../../platform/db.ts'
import { newRowId } from '../../platform/database/row-ids.ts'
import { AppError } from '../../platform/errors.ts'
import { once } from '../../platform/requests/idempotency.ts'
import { numberToCallFrom } from '../callers/numbers.ts'
import { dialJob } from './job.ts'
import { newProgress } from '../lifecycle.ts'
import { longestLifeMs } from './limits.ts'
import { toCall } from '../read.ts'
import { bodiesToHash, itemsOf, keepVault, refuseMissing } from '../vault.ts'
import { announce, type CallsRoom } from '../room.ts'
import { call, callEvent } from '../schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A hold expires this long after the longest call it pays for; then the reconciler releases it. */
const HOLD_MARGIN_MS = 5 * 60_000

const DISK_FULL =
  'Calls cannot be started right now: there is no room to keep them. Nothing was charged; please try again later.'
/** An operator has to free disk space first. */
const DISK_RETRY_SECONDS = 60
const VOICE_OBSTACLES = {
  away: 'Calls cannot be started right now. Nothing was charged; please try again in a moment.',
  deaf: 'Real numbers cannot be called here yet: nothing understands what the other side says. Nothing was charged.',
  broken: 'The phone network takes no calls right now. Nothing was charged; please try again in a few minutes.',
} as const
/** A crashed voice service restarts within seconds; an operator has to mend a carrier. */
const VOICE_RETRY_SECONDS = { away: 5, deaf: 3600, broken: 60 } as const

export interface Placed {
  readonly call: Call
  /** Credits available now. */
  readonly available: number
}

/** Refused by the gate, for good or for now. */
class Refusal extends AppError {}

interface Asking {
  /** The Idempotency-Key. */
  readonly key: string | undefined
  /** Of the page it is placed from; a program has none. */
  readonly pageLanguage: string | undefined
}

/** Checks, holds the credits and queues the call, in one transaction. */
export async function placeCall(
  room: Pick<CallsRoom, 'bus' | 'config' | 'db' | 'disk' | 'jobs' | 'traces' | 'voice'>,
  userId: string,
  body: NewCall,
  { key, pageLanguage }: Asking,
): Promise<Call> {
  refuseSecrets(body)
  let placed: Placed | undefined
  const obstacleFor = await obstacleTo(room)
  const answer = await withTx(room.db, async (tx) => {
    placed = undefined
    const [hashed, ...earlier] = bodiesToHash(room.config, body)
    return once(tx, { userId, routeId: callsRoutes.place.id, key, body: hashed, earlier }, async () => {
      placed = await place(room, tx, { userId, body, obstacleFor, pageLanguage })
      return placed.call
    })
  }).catch(async (error: unknown) => {
    // The refusal is audited although the transaction was rolled back.
    if (error instanceof Refusal)
      await audit(room.db, { userId, kind: 'refused', phone: body.callee, detail: error.code })
    throw error
  })
  if (placed) announce(room.bus, userId, [{ type: 'call_status', call: placed.call }, balanceMessage(placed.available)])
  return answer
}

/** The reason why no call is possible: no voice service or phone network, or no disk space for what is kept of it. */
async function obstacleTo({
  config,
  disk,
  voice,
}: Pick<CallsRoom, 'config' | 'disk' | 'voice'>): Promise<Wish['obstacleFor']> {
  if ((await disk.state()) === 'full')
    return () => new AppError('unavailable', DISK_FULL, { retryAfterSeconds: DISK_RETRY_SECONDS })
  const obstacle = await voice.obstacle()
  if (obstacle === null) return () => undefined
  const retryAfterSeconds = VOICE_RETRY_SECONDS[obstacle]
  return (callee) =>
    // Test numbers need no real line.
    obstacle !== 'away' && isFreeTest(config, callee)
      ? undefined
      : new AppError('unavailable', VOICE_OBSTACLES[obstacle], { retryAfterSeconds })
}

interface Wish {
  readonly userId: string
  readonly body: NewCall
  readonly pageLanguage: string | undefined
  /** Why a number cannot be called, whichever it is. */
  readonly obstacleFor: (callee: string) => AppError | undefined
}

async function place(
  room: Pick<CallsRoom, 'config' | 'jobs' | 'traces'>,
  tx: Tx,
  { userId, body, obstacleFor, pageLanguage }: Wish,
): Promise<Placed> {
  await refuseMissing(tx, userId, body)
  const callee = await calleeOf(room.config, tx, userId, body, new Date())
  const obstacle = obstacleFor(callee)
  if (obstacle) throw obstacle
  return queue(room, tx, { userId, body, callee, batchId: null, pageLanguage })
}

/** Places a batch's call to a number that the gate has just allowed. The batches room publishes to pages. */
export async function placeForBatch(
  room: Pick<CallsRoom, 'config' | 'jobs' | 'traces'>,
  tx: Tx,
  order: { readonly userId: string; readonly body: NewCall; readonly callee: string; readonly batchId: string },
): Promise<Placed> {
  return queue(room, tx, order)
}

interface Order {
  readonly userId: string
  readonly body: NewCall
  /** E.164, allowed by the gate. */
  readonly callee: string
  readonly batchId: string | null
  readonly pageLanguage?: string | undefined
}

/** In the trace of its request; a call of a list begins one. */
function queue(room: Pick<CallsRoom, 'config' | 'jobs' | 'traces'>, tx: Tx, order: Order): Promise<Placed> {
  const id = newRowId()
  const parent = order.batchId === null ? undefined : null
  const attributes = { 'parley.call_id': id }
  return room.traces.run('place call', { parent, attributes }, () => queueAs(room, tx, id, order))
}

async function queueAs(
  room: Pick<CallsRoom, 'config' | 'jobs'>,
  tx: Tx,
  id: string,
  { userId, body, callee, batchId, pageLanguage }: Order,
): Promise<Placed> {
  const now = new Date()
  const person = await findPerson(tx, userId)
  // A closed account places no calls.
  if (person.closedAt !== null) throw new AppError('conflict', 'This account was closed.')
  const settings = await settingsOf(tx, userId)
  const isTest = isFreeTest(room.config, callee)
  const maxDurationMinutes =
    body.maxDurationMinutes ?? (await usualMinutes(tx, userId, settings, { isAlone: batchId === null && !isTest }))
  const expiresAt = new Date(now.getTime() + longestLifeMs(maxDurationMinutes * SECONDS_PER_CREDIT) + HOLD_MARGIN_MS)
  const callerNumber = await numberToCallFrom(tx, room.config, userId, body.from)
  const held = isTest
    ? { credits: 0, available: await availableAlone(tx, userId) }
    : await hold(tx, { userId, callId: id, wantedCredits: maxDurationMinutes, expiresAt })
  // The hold has locked the wallet, or the test the account, so concurrent calls of one account are counted one after the other.
  const limits = limitsOf(room.config.limits, await purchasedCredits(tx, userId))
  const velocity = judgeVelocity(limits, await activityOf(tx, userId, now))
  if (velocity.answer === 'no') throw new AppError(velocity.code, velocity.message)

  const { status, phase, stageAt } = newProgress(now)
  const order = {
    id,
    userId,
    batchId,
    callee,
    callerNumber,
    maxDurationMinutes,
    purpose: body.purpose,
    objectives: body.objectives,
    mandates: body.mandates,
    vault: itemsOf(body.vault),
    context: body.context,
    tone: body.tone ?? settings.defaultTone,
    voiceId: settings.defaultVoiceId,
    language: languageOf(body.language, settings),
    onBehalfOf: nameOf(person),
    readerLanguage: pageLanguage ?? settings.defaultLanguage,
    record: settings.recordCalls,
    isTest,
    traceparent: activeTraceparent() ?? null,
  }
  const rows = await tx
    .insert(call)
    .values({ ...order, status, phase, stageAt, creditsHeld: held.credits, heardAt: now, createdAt: now })
    .returning()
  await tx.insert(callEvent).values({ callId: id, status, phase, at: stageAt })
  await keepVault(tx, room.config, id, body.vault)
  await audit(tx, { userId, kind: 'dialed', phone: callee, callId: id, batchId, at: now })
  // Single calls have priority over calls of a batch.
  await room.jobs.enqueue(tx, dialJob, { callId: id }, { key: id, priority: batchId === null ? 1 : 0 })
  const [row] = rows
  if (!row) throw new Error('The call was not written')
  return { call: toCall(row), available: held.available }
}

/** A test number beside a real carrier. With the simulated network alone, calls cost what they would elsewhere. */
function isFreeTest({ numbers }: Pick<Config, 'numbers'>, callee: string): boolean {
  return numbers === 'real_and_test' && isTestNumber(callee)
}

/** What can be spent; until the end of the transaction, other test calls of the account wait. */
async function availableAlone(tx: Tx, userId: string): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`test call of ${userId}`}, 0))`)
  return (await balance(tx, userId)).available
}

/**
 * The usual hold in minutes. A batch uses the setting as it is, since its calls are placed one by one, each with a
 * hold; so does a test call, which has none.
 */
async function usualMinutes(
  tx: Tx,
  userId: string,
  settings: UserSettings,
  { isAlone }: { readonly isAlone: boolean },
): Promise<number> {
  const usual = settings.defaultMaxDurationMinutes
  return isAlone ? minutesWithRoom(usual, (await balance(tx, userId)).available) : usual
}

async function calleeOf(config: Config, tx: Tx, userId: string, body: NewCall, now: Date): Promise<string> {
  const order = { userId, callee: body.callee, confirmOutsideHours: body.confirmOutsideHours ?? false }
  const verdict = await mayDial(tx, dialRulesOf(config), order, now)
  if (verdict.answer === 'yes') return verdict.callee
  const { code, message } = verdict
  throw new Refusal(code, message, { field: code === 'outside_calling_hours' ? 'confirmOutsideHours' : 'callee' })
}

async function activityOf(tx: Reader, userId: string, now: Date): Promise<Activity> {
  return (await activitiesOf(tx, [userId], now)).get(userId) ?? { liveCalls: 0, callsLastHour: 0, creditsLastDay: 0 }
}

/** The activity of each account, in one statement. */
export async function activitiesOf(
  tx: Reader,
  userIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Activity>> {
  const since = (ms: number) => sql.param(new Date(now.getTime() - ms), call.createdAt)
  // A live call counts with its hold, an ended one with its charge.
  const { rows } = await tx.execute<{ id: string; live: number; hour: number; credits: number }>(sql`
    select asked.id, activity.* from unnest(${sql.param([...userIds])}::text[]) as asked (id)
    cross join lateral (select coalesce(sum(coalesce(credits_charged, credits_held)), 0)::int as credits,
        count(*) filter (where completed_at is null)::int as live,
        count(*) filter (where created_at > ${since(HOUR_MS)}::timestamptz)::int as hour
      from call where user_id = asked.id and (created_at > ${since(DAY_MS)}::timestamptz or completed_at is null)
    ) as activity`)
  return new Map(
    rows.map(({ id, live, hour, credits }) => [id, { liveCalls: live, callsLastHour: hour, creditsLastDay: credits }]),
  )
}

/** Without detection, `auto` means the account's language, if calls support it. */
function languageOf(asked: CallLanguage, { autoDetectLanguage, defaultLanguage }: UserSettings): CallLanguage {
  if (asked !== 'auto' || autoDetectLanguage) return asked
  return CALL_LANGUAGES.find((language) => language === defaultLanguage) ?? asked
}

/** The name told to the callee. */
function nameOf({ name, companyName }: Person): string {
  return companyName === null || companyName === '' ? name : `${name}, ${companyName}`
}
