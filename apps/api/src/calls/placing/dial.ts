import type { CallOrder } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { audit, dialRulesOf, mayDial, mustAskToRecord } from '../../consent/index.ts'
import { type Tx, withTx } from '../../platform/db.ts'
import { isOver } from '../lifecycle.ts'
import { type Lease, leaseOf, release, reserve } from '../nodes/leases.ts'
import { enterLine, isInTurn, leaveLine, wakeNext } from '../nodes/line.ts'
import { ANSWER_TIMEOUT_SECONDS, DIAL_BUDGET_MS, LINE_WAIT_MAX_MS, limitSecondsOf } from './limits.ts'
import { lockCall, toCall } from '../read.ts'
import { conclude, type Kept } from '../facts.ts'
import { announce, type CallHooks, type CallsRoom } from '../room.ts'
import { call, type CallRow } from '../schema.ts'
import { FIRST_FENCE, orderToken, tokenExpiry } from '../tokens.ts'
import { mayHaveArrived, NodeGone, VoiceRefusal } from '../nodes/wire.ts'

/** When a node refuses an order another one is asked, up to so many in one run of the job. */
const NODES_TRIED = 3
/** A node that another transaction has locked is not a full one: a call waits in line only after so many looks. */
const LOCKED_LOOKS = 20
/** Some reservations of others fit into it. */
const LOCKED_PAUSE_MS = 10

type Dialing = Pick<CallsRoom, 'bus' | 'config' | 'db' | 'disk' | 'hooks' | 'jobs' | 'log' | 'voice'>

/** Sends a queued call's order to a voice node. Throws for a retry. */
export async function dialCall(room: Dialing, callId: string): Promise<void> {
  const refusals = new Map<string, unknown>()
  for (;;) {
    const handover = await handOverUnlocked(room, callId, refusals)
    if (!handover) return
    announce(room.bus, handover.kept.row.userId, handover.kept.messages)
    if (!handover.order) return
    const { order, lease } = handover
    try {
      const { clockSpeed } = await room.voice.order(order, lease?.node)
      return await taken(room, callId, clockSpeed)
    } catch (error) {
      if (mayHaveArrived(error)) return perhapsTaken(room, callId, error)
      if (!isPassing(error)) return refuse(room, callId, error)
      if (!lease) throw error
      // The process before may have dialed it; nodes/deaths.ts settles that when its successor joins.
      if (error instanceof NodeGone && handover.isRepeated) throw error
      const { nodeId } = lease.node
      room.log.warn({ err: error, callId, nodeId }, 'order refused by a node')
      if (!(await giveBack(room, callId))) return
      refusals.set(nodeId, error)
      if (refusals.size >= NODES_TRIED) throw error
    }
  }
}

/** Retrying helps if voice is full or away, not if it rejects the order. */
function isPassing(error: unknown): boolean {
  return !(error instanceof VoiceRefusal) || error.status >= 500 || error.status === 429
}

async function refuse(room: Dialing, callId: string, error: unknown): Promise<void> {
  room.log.error({ err: error, callId }, 'order refused')
  const { row, messages } = await withTx(room.db, async (tx) => fail(room.hooks, tx, await lockCall(tx, callId)))
  announce(room.bus, row.userId, messages)
}

/** The node certainly has no such call: its place is free again. False when the user has stopped the call meanwhile. */
async function giveBack(room: Dialing, callId: string): Promise<boolean> {
  const kept = await withTx(room.db, async (tx): Promise<Kept | undefined> => {
    const row = await lockCall(tx, callId)
    await release(tx, callId)
    if (isOver(row)) return { row, messages: [] }
    await tx.update(call).set({ dispatchedAt: null }).where(eq(call.id, callId))
    if (row.stopRequestedAt === null) return undefined
    const message = 'You stopped the call before it was dialed.'
    return conclude(room.hooks, tx, row, { reason: 'canceled', message, at: new Date() })
  })
  if (kept) announce(room.bus, kept.row.userId, kept.messages)
  return kept === undefined
}

const NO_ROOM = 'There was no room to keep this call: nobody was dialed. Nothing was charged; please try again later.'
const HOURS_OVER =
  'The calling hours there ended while the call waited for a free line: nobody was dialed. Nothing was charged.'

interface Handover {
  readonly kept: Kept
  /** Absent: the call has ended or waits. */
  readonly order?: CallOrder
  /** Absent: to VOICE_URL. */
  readonly lease?: Lease | undefined
  /** An earlier run of the job may have sent the order. */
  readonly isRepeated?: boolean
}

interface Look {
  readonly callId: string
  readonly isFull: boolean
  readonly alone: Awaited<ReturnType<CallsRoom['voice']['alone']>>
  /** Nodes that have refused the call in this run, with why. */
  readonly refusals: ReadonlyMap<string, unknown>
  readonly isLast: boolean
}

async function handOverUnlocked(
  room: Dialing,
  callId: string,
  refusals: Look['refusals'],
): Promise<Handover | undefined> {
  // The disk may have filled since the call was placed.
  const isFull = (await room.disk.state()) === 'full'
  const alone = await room.voice.alone()
  for (let look = 1; ; look++) {
    const asked = { callId, isFull, alone, refusals, isLast: look === LOCKED_LOOKS }
    const handover = await withTx(room.db, (tx) => handOver(room, tx, asked))
    if (handover !== 'locked') return handover
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LOCKED_PAUSE_MS))
  }
}

/** Takes a place and marks the call as dispatched; from then on, stopping it takes a command to voice. */
async function handOver(room: Dialing, tx: Tx, look: Look): Promise<Handover | 'locked' | undefined> {
  const { callId } = look
  const row = await lockCall(tx, callId)
  const now = new Date()
  // The job is retried after a crash; a call that voice has accepted belongs to reconcile.ts.
  if (isOver(row) || row.takenAt !== null) return undefined
  const ended = await endUnwanted(room, tx, row, look.isFull, now)
  if (ended) return { kept: ended }
  const place = await placeFor(tx, row, look, now)
  switch (place) {
    case 'gone':
      return undefined
    case 'locked':
      return place
    case 'line':
      return { kept: await enterLine(room.hooks, tx, row, now) }
    default: {
      const lease = place === 'alone' ? undefined : place
      const kept = await leaveLine(room.hooks, tx, row, now)
      if (row.waitingSince !== null) await wakeNext(room.jobs, tx)
      await tx.update(call).set({ dispatchedAt: now, heardAt: now }).where(eq(call.id, callId))
      const token = orderToken(room.config, callId, lease?.fence ?? FIRST_FENCE, tokenExpiry(row.createdAt))
      return { kept, order: { ...orderOf(row), ...token }, lease, isRepeated: row.dispatchedAt !== null }
    }
  }
}

/** Ends a call that came too late or may not be dialed any more. */
async function endUnwanted(
  room: Pick<CallsRoom, 'config' | 'hooks'>,
  tx: Tx,
  row: CallRow,
  isFull: boolean,
  now: Date,
): Promise<Kept | undefined> {
  const { id: callId, userId, callee: phone, batchId } = row
  if (row.waitingSince !== null) {
    if (now.getTime() - row.waitingSince.getTime() > LINE_WAIT_MAX_MS) return fail(room.hooks, tx, row)
  } else if (now.getTime() - row.stageAt.getTime() > DIAL_BUDGET_MS) {
    return (row.dispatchedAt === null ? neverDialed : fail)(room.hooks, tx, row)
  }
  if (isFull) {
    // Already dispatched once, so it may have been dialed: wait within the dial budget instead of ending it.
    if (row.dispatchedAt !== null) throw new Error('There is no room to keep the call.')
    return conclude(room.hooks, tx, row, { reason: 'interrupted', message: NO_ROOM, at: now })
  }
  const rules = dialRulesOf(room.config)
  const isClosed = row.waitingSince !== null && (await haveHoursEnded(tx, rules, row, now))
  // Calling hours were checked, or confirmed, when the call was placed.
  const verdict = await mayDial(tx, rules, { userId, callee: phone, confirmOutsideHours: true }, now)
  if (verdict.answer === 'yes' && !isClosed) return undefined
  const [detail, message] =
    verdict.answer === 'yes' ? (['outside_calling_hours', HOURS_OVER] as const) : [verdict.code, verdict.message]
  await audit(tx, { userId, kind: 'refused', phone, callId, batchId, detail })
  return conclude(room.hooks, tx, row, { reason: 'not_allowed', message, at: now })
}

/** Whether it was within calling hours when the call was placed, and is not any more. */
async function haveHoursEnded(tx: Tx, rules: ReturnType<typeof dialRulesOf>, row: CallRow, now: Date) {
  const order = { userId: row.userId, callee: row.callee, confirmOutsideHours: false }
  const isClosedAt = async (at: Date) => {
    const verdict = await mayDial(tx, rules, order, at)
    return verdict.answer === 'not_before' && verdict.code === 'outside_calling_hours'
  }
  return (await isClosedAt(now)) && !(await isClosedAt(row.createdAt))
}

/** alone: to VOICE_URL, while no node has joined. gone: its node has died, and nodes/deaths.ts settles the call. */
async function placeFor(
  tx: Tx,
  row: CallRow,
  { alone, refusals, isLast }: Look,
  now: Date,
): Promise<Lease | 'alone' | 'line' | 'locked' | 'gone'> {
  // Of an earlier run that crashed: the same node gets the same order again, and dials it once.
  const held = await leaseOf(tx, row.id)
  if (held !== undefined) return held ?? 'gone'
  // Ordered before a node joined: a repeated order goes to the same service.
  if (row.dispatchedAt !== null) return 'alone'
  if (alone) return alone.health?.status === 'full' ? 'line' : 'alone'
  if (!(await isInTurn(tx, row, now))) return 'line'
  const wish = { callId: row.id, isSingle: row.batchId === null, except: [...refusals.keys()] }
  const reserved = await reserve(tx, wish)
  if (reserved === 'locked') return isLast ? 'line' : 'locked'
  if (reserved !== 'full') return reserved
  // A node that could not be reached is no sign that every line is taken: the job is retried.
  for (const error of refusals.values()) if (!(error instanceof VoiceRefusal) || error.status === 500) throw error
  return 'line'
}

export function orderOf(row: CallRow): CallOrder {
  const { id: callId, userId, callee, language, purpose, objectives, tone, voiceId, context, onBehalfOf, record } = row
  const limitSeconds = limitSecondsOf(row)
  const limits = { limitSeconds, answerTimeoutSeconds: ANSWER_TIMEOUT_SECONDS }
  return {
    callId,
    userId,
    callee,
    language,
    purpose,
    objectives,
    tone,
    voiceId,
    context,
    onBehalfOf,
    record,
    askToRecord: record && mustAskToRecord(callee),
    ...limits,
  }
}

/** A second order could dial twice; reconcile.ts asks voice whether the first one arrived. */
async function perhapsTaken(room: Pick<CallsRoom, 'db' | 'log'>, callId: string, error: unknown): Promise<void> {
  room.log.warn({ err: error, callId }, 'no answer to an order')
  const now = new Date()
  await room.db.update(call).set({ takenAt: now, heardAt: now }).where(eq(call.id, callId))
}

async function taken(room: Pick<CallsRoom, 'bus' | 'db' | 'voice'>, callId: string, clockSpeed: number): Promise<void> {
  const now = new Date()
  const [row] = await room.db
    .update(call)
    .set({ clockSpeed, takenAt: now, heardAt: now })
    .where(eq(call.id, callId))
    .returning()
  if (!row) return
  if (row.stopRequestedAt !== null || isOver(row)) await room.voice.command(callId, { type: 'stop' })
  if (!isOver(row)) announce(room.bus, row.userId, [{ type: 'call_status', call: toCall(row) }])
}

export function fail(hooks: CallHooks, tx: Tx, row: CallRow): Promise<Kept> {
  const message = 'The call could not be started: no line was free in time. Nothing was charged.'
  return conclude(hooks, tx, row, { reason: 'carrier_failure', message, at: new Date() })
}

/**
 * Ends a call as interrupted: we were away, and nobody was dialed. Neither the carrier nor the batch's attempts are
 * charged with it.
 */
export async function neverDialed(hooks: CallHooks, tx: Tx, row: CallRow): Promise<Kept> {
  await tx.update(call).set({ dispatchedAt: null }).where(eq(call.id, row.id))
  const message = 'A technical problem on our side came before the call: nobody was dialed. Nothing was charged.'
  return conclude(hooks, tx, row, { reason: 'interrupted', message, at: new Date() })
}
