import { type Call, type CallChange, type CallCommand, ERROR_STATUS } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { refuseSecretText } from '../consent/index.ts'
import { type Db, type Tx, withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { isOver } from './lifecycle.ts'
import { lockCall, toCall } from './read.ts'
import { conclude, type Kept } from './facts.ts'
import { announce, type CallHooks, type CallsRoom, type Concluding } from './room.ts'
import { call, type CallRow } from './schema.ts'
import { VoiceRefusal } from './nodes/wire.ts'

type Steering = Exclude<CallCommand, { type: 'stop' }>

/** Stops or steers a call, or changes the user's notes and tags. */
export async function changeCall(room: Concluding, userId: string, callId: string, change: CallChange): Promise<Call> {
  switch (change.action) {
    case 'stop':
      return stopCall(room, userId, callId)
    case 'say':
      refuseSecretText(change.text, 'text')
      return steerCall(room, userId, callId, { type: 'say', text: change.text })
    case 'press':
      return steerCall(room, userId, callId, { type: 'press', digits: change.digits })
    case 'take_over':
    case 'hand_back':
      return steerCall(room, userId, callId, { type: change.action })
    case undefined:
      return annotate(room.db, userId, callId, change)
  }
}

type Annotation = Extract<CallChange, { action?: undefined }>

async function annotate(db: Db, userId: string, callId: string, { notes, tags }: Annotation): Promise<Call> {
  return withTx(db, async (tx) => {
    const row = await lockCall(tx, callId, userId)
    if (notes === undefined && tags === undefined) return toCall(row)
    const changes = {
      ...(notes === undefined ? {} : { notes }),
      ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
    }
    const [changed] = await tx.update(call).set(changes).where(eq(call.id, callId)).returning()
    return toCall(changed ?? row)
  })
}

async function stopCall(room: Concluding, userId: string, callId: string): Promise<Call> {
  const { row, messages } = await withTx(room.db, async (tx) =>
    requestStop(room.hooks, tx, await lockLive(tx, callId, userId)),
  )
  announce(room.bus, userId, messages)
  if (!isOver(row)) {
    // If this is not delivered, dial.ts checks the stop before ordering, or reconcile.ts ends a lost call.
    await room.voice
      .command(callId, { type: 'stop' })
      .catch((error: unknown) => room.log.warn({ err: error, callId }, 'stop not delivered'))
  }
  return toCall(row)
}

/** Ends a call that was never sent to the voice service; any other is asked to hang up. */
async function requestStop(hooks: CallHooks, tx: Tx, row: CallRow): Promise<Kept> {
  const now = new Date()
  if (row.dispatchedAt === null) {
    return conclude(hooks, tx, row, {
      reason: 'canceled',
      message: 'You stopped the call before it was dialed.',
      at: now,
    })
  }
  const stopRequestedAt = row.stopRequestedAt ?? now
  const [changed] = await tx.update(call).set({ stopRequestedAt }).where(eq(call.id, row.id)).returning()
  return { row: changed ?? row, messages: [] }
}

const NOT_ON_THE_PHONE = 'The agent is not on the phone yet.'

async function steerCall(
  room: Pick<CallsRoom, 'db' | 'voice'>,
  userId: string,
  callId: string,
  command: Steering,
): Promise<Call> {
  const row = await withTx(room.db, (tx) => lockLive(tx, callId, userId))
  if (row.waitingSince !== null) throw new AppError('conflict', NOT_ON_THE_PHONE)
  const heard = await room.voice.command(callId, command).catch((cause: unknown) => {
    if (cause instanceof VoiceRefusal && cause.status === ERROR_STATUS.conflict) return false
    throw new AppError('unavailable', 'The agent could not be reached. Please try again.', { cause })
  })
  if (!heard) throw new AppError('conflict', NOT_ON_THE_PHONE)
  return toCall(row)
}

async function lockLive(tx: Tx, callId: string, userId: string): Promise<CallRow> {
  const row = await lockCall(tx, callId, userId)
  if (isOver(row)) throw new AppError('call_ended', 'This call has ended.')
  return row
}
