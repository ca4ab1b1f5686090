import { type Call, type CallChange, type CallCommand, ERROR_STATUS, isTestNumber } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { audit, dialRulesOf, mayDial, refuseSecretText } from '../consent/index.ts'
import { isOwnPhone, onlyOwnPhone } from './callers/numbers.ts'
import { type Db, type Tx, withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { isOver } from './lifecycle.ts'
import { lockCall, toCall } from './read.ts'
import { conclude, type Kept } from './facts.ts'
import { announce, type CallHooks, type CallsRoom, type Concluding } from './room.ts'
import { call, type CallRow } from './schema.ts'
import { VoiceRefusal } from './nodes/wire.ts'

type Changing = Concluding & Pick<CallsRoom, 'config'>
type Steering = Exclude<CallCommand, { type: 'stop' }>

/** Stops or steers a call, or changes the user's notes and tags. */
export async function changeCall(room: Changing, userId: string, callId: string, change: CallChange): Promise<Call> {
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
    case 'ring_in':
      return ringIn(room, userId, callId, change)
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

export async function stopCall(room: Concluding, userId: string, callId: string): Promise<Call> {
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

type RingIn = Extract<CallChange, { action: 'ring_in' }>

/** Rings a phone of the user's own, never another one: what the call costs and who hears it is theirs to decide. */
async function ringIn(
  room: Changing,
  userId: string,
  callId: string,
  { to, after = 'hand_back' }: RingIn,
): Promise<Call> {
  if (to === 'browser') return steerCall(room, userId, callId, { type: 'take_over' })
  const phone = await withTx(room.db, async (tx) => {
    const row = await lockLive(tx, callId, userId)
    const own = to ?? (await onlyOwnPhone(tx, room.config, userId))
    if (own === null)
      throw new AppError('own_phone_needed', 'Say which phone to ring: there is no verified one, or more than one.')
    await refuseRingIn(room, tx, row, own)
    await audit(tx, { userId, kind: 'dialed', phone: own, callId, batchId: null, detail: 'ring_in' })
    return own
  })
  return steerCall(room, userId, callId, { type: 'ring_in', to: phone, after })
}

async function refuseRingIn({ config }: Changing, tx: Tx, row: CallRow, phone: string): Promise<void> {
  if (!(await isOwnPhone(tx, config, row.userId, phone)))
    throw new AppError('own_phone_needed', 'Only a phone that is verified as your own can be rung.')
  // Nothing is held for a test call: it rings no real phone.
  if (row.isTest && !isTestNumber(phone))
    throw new AppError('not_permitted', 'A call to a test number can ring test numbers only.')
  const order = { userId: row.userId, callee: phone, confirmOutsideHours: true }
  const verdict = await mayDial(tx, dialRulesOf(config), order, new Date())
  if (verdict.answer !== 'yes') throw new AppError(verdict.code, verdict.message)
}

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
    if (cause instanceof VoiceRefusal && cause.status === ERROR_STATUS.insufficient_credits)
      throw new AppError('insufficient_credits', 'What is held for this call does not pay for a second phone.')
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
