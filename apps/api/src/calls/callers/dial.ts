import { BROWSER_PHONE_ENDS, BRAND, type EndReason, type LiveMessage, type ReportedFact } from '@parley/contract'
import { and, eq } from 'drizzle-orm'
import { settingsOf } from '../../accounts/index.ts'
import { addDoNotCall, mayDial } from '../../consent/index.ts'
import { type Reader, type Tx, withTx } from '../../platform/db.ts'
import { notFound } from '../../platform/errors.ts'
import { mayHaveArrived } from '../nodes/wire.ts'
import { ANSWER_TIMEOUT_SECONDS } from '../placing/limits.ts'
import { announce, type CallsRoom } from '../room.ts'
import { callerVerification, type VerificationRow } from '../schema.ts'
import { callToken, FIRST_FENCE, tokenExpiry } from '../tokens.ts'
import { codeOf, verificationRules } from './verification.ts'

/** A call that waited for longer in the queue is not wanted any more. */
const DIAL_WITHIN_MS = 60_000
const NO_LINE = 'The call could not be started: no line was free in time. Please try again.'

type Dialing = Pick<CallsRoom, 'config' | 'db' | 'log' | 'voice'>

/** Has a voice node call the number. Once: where it is not known whether one took the order, its facts will tell. */
export async function dialVerification(room: Dialing, id: string): Promise<void> {
  const ready = await withTx(room.db, (tx) => release(room, tx, id))
  if (!ready) return
  const { userId, phone: callee, createdAt } = ready.row
  const claims = { callId: id, fence: FIRST_FENCE, expiresAt: tokenExpiry(createdAt) }
  const token = callToken(room.config.voice.keys, claims)
  const answerTimeoutSeconds = ANSWER_TIMEOUT_SECONDS
  const code = codeOf(room.config, id)
  try {
    const node = await room.voice.announce({
      callId: id,
      userId,
      callee,
      code,
      language: ready.language,
      answerTimeoutSeconds,
      token,
    })
    const { nodeId = null, bootId = null } = node ?? {}
    await room.db.update(callerVerification).set({ nodeId, bootId }).where(eq(callerVerification.id, id))
  } catch (error) {
    room.log.warn({ err: error, callId: id }, 'call with a code not taken')
    if (!mayHaveArrived(error)) await withTx(room.db, (tx) => end(tx, id, 'carrier_failure', NO_LINE))
  }
}

/** Lets it be dialed, if it still may. */
async function release(
  { config }: Dialing,
  tx: Tx,
  id: string,
): Promise<{ readonly row: VerificationRow; readonly language: string } | undefined> {
  const row = await lock(tx, id)
  // Dispatched: an earlier run of the job may have had it dialed.
  if (!row || row.status === 'over' || row.dispatchedAt !== null) return undefined
  const now = new Date()
  if (now.getTime() - row.createdAt.getTime() > DIAL_WITHIN_MS) {
    await end(tx, id, 'carrier_failure', NO_LINE)
    return undefined
  }
  const { userId, phone: callee } = row
  const verdict = await mayDial(tx, verificationRules(config), { userId, callee, confirmOutsideHours: true }, now)
  if (verdict.answer !== 'yes') {
    await end(tx, id, 'not_allowed', verdict.message)
    return undefined
  }
  await tx.update(callerVerification).set({ dispatchedAt: now }).where(eq(callerVerification.id, id))
  const { defaultLanguage } = await settingsOf(tx, userId)
  return { row, language: defaultLanguage }
}

/** Takes the facts of a call that tells a code, each once and in order. Returns the number of the last one. */
export async function recordVerification(
  room: Pick<CallsRoom, 'bus' | 'db' | 'log'>,
  id: string,
  facts: readonly ReportedFact[],
): Promise<{ taken: number }> {
  const { before, row } = await withTx(room.db, async (tx) => {
    const before = await lock(tx, id)
    if (!before) throw notFound('The call')
    const inOrder = facts.toSorted((one, other) => one.seq - other.seq)
    const row = inOrder.reduce((so, fact) => (fact.seq === so.factsTaken + 1 ? after(so, fact) : so), before)
    const { status, factsTaken, heard, endReason, endMessage } = row
    const changes = { status, factsTaken, heard, endReason, endMessage }
    await tx.update(callerVerification).set(changes).where(eq(callerVerification.id, id))
    if (inOrder.some(({ type, seq }) => type === 'opted_out' && seq > before.factsTaken))
      await addDoNotCall(tx, { userId: before.userId, phone: before.phone, source: 'callee', callId: id })
    return { before, row }
  })
  if (before.status !== row.status) announce(room.bus, row.userId, incoming(row))
  for (const fact of facts)
    if (fact.type === 'ended') room.log.info({ callId: id, reason: fact.reason, carrier: fact.carrier }, 'code told')
  return { taken: row.factsTaken }
}

function after(row: VerificationRow, fact: ReportedFact): VerificationRow {
  const next = { ...row, factsTaken: fact.seq }
  if (row.status === 'over') return next
  switch (fact.type) {
    case 'ringing':
      return { ...next, status: 'ringing' }
    case 'answered':
      return { ...next, status: 'answered' }
    case 'turn':
      // What a real phone heard is nobody's business but its owner's.
      return row.simulated ? { ...next, heard: fact.turn.text } : next
    case 'ended':
      return { ...next, status: 'over', endReason: fact.reason, endMessage: fact.message }
    default:
      return next
  }
}

async function lock(tx: Tx, id: string): Promise<VerificationRow | undefined> {
  const [row] = await tx.select().from(callerVerification).where(eq(callerVerification.id, id)).for('update')
  return row
}

async function end(tx: Tx, id: string, endReason: EndReason, endMessage: string): Promise<void> {
  const ended = { status: 'over', endReason, endMessage } as const
  await tx.update(callerVerification).set(ended).where(eq(callerVerification.id, id))
}

/** To the user's pages when the call begins to ring in the browser. */
function incoming({ id, phone, simulated, status }: VerificationRow): LiveMessage[] {
  const rings = simulated && status === 'ringing' && phone.endsWith(BROWSER_PHONE_ENDS)
  return rings ? [{ type: 'incoming_call', callId: id, callee: phone, onBehalfOf: BRAND.product }] : []
}

/** For a page opened while such a call rings. */
export async function ringingVerifications(reader: Reader, userId: string): Promise<LiveMessage[]> {
  const ringing = and(eq(callerVerification.userId, userId), eq(callerVerification.status, 'ringing'))
  return (await reader.select().from(callerVerification).where(ringing)).flatMap(incoming)
}

/** Whether the user's phone may be answered: the call is live. */
export async function isLiveVerification(reader: Reader, userId: string, id: string): Promise<boolean> {
  const own = and(eq(callerVerification.id, id), eq(callerVerification.userId, userId))
  const [row] = await reader.select({ status: callerVerification.status }).from(callerVerification).where(own)
  return row !== undefined && row.status !== 'over'
}
