import { type CallOrder, SECONDS_PER_CREDIT } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { audit, dialRulesOf, mayDial, mustAskToRecord } from '../../consent/index.ts'
import { type Tx, withTx } from '../../platform/db.ts'
import { defineJob } from '../../platform/jobs.ts'
import { isOver } from '../lifecycle.ts'
import { ANSWER_TIMEOUT_SECONDS, DIAL_BUDGET_MS } from './limits.ts'
import { lockCall, toCall } from '../read.ts'
import { conclude, type Kept } from '../facts.ts'
import { announce, type CallHooks, type CallsRoom } from '../room.ts'
import { call, type CallRow } from '../schema.ts'
import { FIRST_FENCE, orderToken, tokenExpiry } from '../tokens.ts'
import { mayHaveArrived, VoiceRefusal } from '../voice.ts'

/** Exponential back-off: about 0, 1, 3, 7 and 15 seconds after placing. */
export const dialJob = defineJob<{ callId: string }>('calls.dial', {
  retryLimit: 6,
  retryDelaySeconds: 1,
  expireSeconds: 30,
})

/** Sends a queued call's order to the voice service. Throws for a retry. */
export async function dialCall(
  room: Pick<CallsRoom, 'bus' | 'config' | 'db' | 'disk' | 'hooks' | 'log' | 'voice'>,
  callId: string,
): Promise<void> {
  // The disk may have filled since the call was placed.
  const isFull = (await room.disk.state()) === 'full'
  const handover = await withTx(room.db, async (tx) => handOver(room, tx, { callId, isFull }))
  if (!handover) return
  if ('kept' in handover) return announce(room.bus, handover.kept.row.userId, handover.kept.messages)
  try {
    const { clockSpeed } = await room.voice.order(handover.order)
    await taken(room, callId, clockSpeed)
  } catch (error) {
    if (mayHaveArrived(error)) return perhapsTaken(room, callId, error)
    // Retrying helps if voice is full or away, not if it rejects the order.
    if (!(error instanceof VoiceRefusal) || error.status >= 500 || error.status === 429) throw error
    room.log.error({ err: error, callId }, 'order refused')
    const kept = await withTx(room.db, async (tx) => fail(room.hooks, tx, await lockCall(tx, callId)))
    announce(room.bus, handover.order.userId, kept.messages)
  }
}

const NO_ROOM = 'There was no room to keep this call: nobody was dialed. Nothing was charged; please try again later.'

/** Marks the call as dispatched; from then on, stopping it takes a command to voice. */
async function handOver(
  room: Pick<CallsRoom, 'config' | 'hooks'>,
  tx: Tx,
  { callId, isFull }: { readonly callId: string; readonly isFull: boolean },
): Promise<{ order: CallOrder } | { kept: Kept } | undefined> {
  const row = await lockCall(tx, callId)
  const now = new Date()
  // The job is retried after a crash; a call that voice has accepted belongs to reconcile.ts.
  if (isOver(row) || row.takenAt !== null) return undefined
  if (now.getTime() - row.createdAt.getTime() > DIAL_BUDGET_MS) {
    return { kept: await (row.dispatchedAt === null ? neverDialed : fail)(room.hooks, tx, row) }
  }
  if (isFull) {
    // Already dispatched once, so it may have been dialed: wait within the dial budget instead of ending it.
    if (row.dispatchedAt !== null) throw new Error('There is no room to keep the call.')
    return { kept: await conclude(room.hooks, tx, row, { reason: 'interrupted', message: NO_ROOM, at: now }) }
  }
  // Calling hours were checked, or confirmed, when the call was placed.
  const order = { userId: row.userId, callee: row.callee, confirmOutsideHours: true }
  const verdict = await mayDial(tx, dialRulesOf(room.config), order, now)
  if (verdict.answer !== 'yes') {
    await audit(tx, {
      userId: row.userId,
      kind: 'refused',
      phone: row.callee,
      callId,
      batchId: row.batchId,
      detail: verdict.code,
    })
    return { kept: await conclude(room.hooks, tx, row, { reason: 'not_allowed', message: verdict.message, at: now }) }
  }
  await tx.update(call).set({ dispatchedAt: now, heardAt: now }).where(eq(call.id, callId))
  return { order: { ...orderOf(row), ...orderToken(room.config, callId, FIRST_FENCE, tokenExpiry(row.createdAt)) } }
}

function orderOf(row: CallRow): CallOrder {
  const { id: callId, userId, callee, language, purpose, objectives, tone, voiceId, context, onBehalfOf, record } = row
  const limitSeconds = row.creditsHeld * SECONDS_PER_CREDIT
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
