import {
  isVerificationId,
  type LiveMessage,
  PHASES,
  type ReportedFact,
  type Telling,
  type Turn,
} from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { countCall } from '../contacts/index.ts'
import { addDoNotCall } from '../consent/index.ts'
import { balance, balanceMessage, settle, type Settled, settleMany, type Settlement } from '../credits/index.ts'
import { type Tx, withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import {
  type Ending,
  type EndingUnheard,
  endUnheard,
  isCompleting,
  isOver,
  type Move,
  type Step,
  takeFact,
} from './lifecycle.ts'
import { keepCosts, keepFigures, withoutCarriers } from './costs.ts'
import { recordVerification } from './callers/dial.ts'
import { incomingMessages } from './sound.ts'
import { forgetLiveness, noteHeard } from './liveness.ts'
import { lockCall, toCall, transcriptOf, turnsOf } from './read.ts'
import { refuseStale } from './tokens.ts'
import { announce, type CallHooks, type CallsRoom, type FactsOfCall, type Taken } from './room.ts'
import { forgetVault } from './vault.ts'
import { call, callEvent, type CallLeg, type CallRow, callSummary, callTurn } from './schema.ts'

/** The stored row, and the messages to publish after the commit. */
export interface Kept {
  readonly row: CallRow
  readonly messages: readonly LiveMessage[]
}

type Recording = Pick<CallsRoom, 'bus' | 'config' | 'db' | 'hooks' | 'log' | 'voice'>

/**
 * Stores facts from the voice service, each once and in order; those that end calls together with others that come
 * meanwhile. Throws stale_fence when the fence is not the newest.
 */
export async function recordFacts(
  room: Recording & Pick<CallsRoom, 'endings'>,
  callId: string,
  facts: readonly ReportedFact[],
  fence?: number,
): Promise<Taken> {
  if (isVerificationId(callId)) return recordVerification(room, callId, facts)
  const report = { callId, facts, fence }
  return facts.some(({ type }) => type === 'ended') ? room.endings(report) : recordOne(room, report)
}

interface Opened {
  readonly before: CallRow
  readonly step: Step
}

interface Recorded {
  readonly before: CallRow
  readonly kept: Kept
}

async function recordOne(room: Recording, report: FactsOfCall): Promise<Taken> {
  const recorded = await withTx(room.db, async (tx) => {
    const { before, step } = await open(tx, report)
    return { before, kept: await keep(room.hooks, tx, before, step) }
  })
  return tell(room, report, recorded)
}

/** Records facts of several calls in one transaction, and where that fails each alone. */
export async function recordMany(
  room: Recording,
  reports: readonly FactsOfCall[],
): Promise<PromiseSettledResult<Taken>[]> {
  const alone = () => Promise.allSettled(reports.map((report) => recordOne(room, report)))
  if (reports.length < 2) return alone()
  try {
    const recorded = await withTx(room.db, (tx) => recordIn(room, tx, reports))
    return await Promise.allSettled(
      reports.map(async (report) => {
        const one = recorded.get(report.callId)
        if (one instanceof AppError) throw one
        // Cannot be: each report was recorded or refused.
        if (one === undefined) throw new Error(`The facts of ${report.callId} were left out`)
        return tell(room, report, one)
      }),
    )
  } catch (error) {
    room.log.warn({ err: error, calls: reports.length }, 'calls that ended together are recorded one by one')
    return alone()
  }
}

/** By call, in ascending order, so that no two groups wait for each other: what was recorded, or why it is refused. */
async function recordIn(
  { hooks }: Pick<Recording, 'hooks'>,
  tx: Tx,
  reports: readonly FactsOfCall[],
): Promise<Map<string, Recorded | AppError>> {
  const recorded = new Map<string, Recorded | AppError>()
  const opened: Opened[] = []
  for (const report of reports.toSorted((one, other) => (one.callId < other.callId ? -1 : 1))) {
    try {
      opened.push(await open(tx, report))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      recorded.set(report.callId, error)
    }
  }
  const settlements = opened.flatMap(({ before, step: { progress, moves } }) =>
    moves.flatMap((move) =>
      move.kind === 'ended' && !before.isTest ? [settlementOf(before.id, move.ending, progress.legs)] : [],
    ),
  )
  const settled = await settleMany(tx, settlements)
  const charges = new Map(settlements.map(({ callId }, index) => [callId, settled[index]]))
  for (const { before, step } of opened) {
    const kept = await keep(hooks, tx, before, step, (one) => charges.get(one.callId) ?? settle(tx, one))
    recorded.set(before.id, { before, kept })
  }
  return recorded
}

/** Locks the call. */
async function open(tx: Tx, { callId, facts, fence }: FactsOfCall): Promise<Opened> {
  const before = await lockCall(tx, callId)
  await refuseStale(tx, callId, fence)
  return { before, step: takeFacts(before, facts) }
}

/** After the commit. */
function tell(room: Recording, { callId, facts }: FactsOfCall, { before, kept }: Recorded): Taken {
  announce(room.bus, before.userId, kept.messages)
  if (before.status !== 'ringing') announce(room.bus, before.userId, incomingMessages(room, kept.row))
  if (isOver(before) && facts.some(({ type }) => type === 'dialing' || type === 'ringing' || type === 'turn'))
    hangUpStray(room, callId)
  return { taken: kept.row.factsTaken }
}

function takeFacts(row: CallRow, facts: readonly ReportedFact[]): Step {
  const inOrder = [...facts].sort((one, other) => one.seq - other.seq)
  return inOrder.reduce<Step>(
    ({ progress, moves }, fact) => {
      const step = takeFact(progress, fact)
      return { progress: step.progress, moves: [...moves, ...step.moves] }
    },
    { progress: row, moves: [] },
  )
}

/** Stops a call that we have ended but voice still runs: nobody would pay for it. */
function hangUpStray(room: Pick<CallsRoom, 'log' | 'voice'>, callId: string): void {
  room.voice
    .command(callId, { type: 'stop' })
    .catch((error: unknown) => room.log.warn({ err: error, callId }, 'stray call'))
}

/** Ends a call without an `ended` fact from the voice service. */
export function conclude(hooks: CallHooks, tx: Tx, row: CallRow, ending: EndingUnheard): Promise<Kept> {
  return keep(hooks, tx, row, endUnheard(row, ending))
}

const NO_WORDS = 'No words were kept of this call.'

/** Settles the hold of a call, or knows how it was settled with others. */
type Charge = (settlement: Settlement) => Settled | Promise<Settled>

/** Writes the changes of a step. The caller has locked the call. */
export async function keep(
  hooks: CallHooks,
  tx: Tx,
  before: CallRow,
  { progress, moves }: Step,
  charge: Charge = (settlement) => settle(tx, settlement),
): Promise<Kept> {
  const { status, phase, factsTaken, answeredCallMs, lastCallMs, stageAt, legs } = progress
  const now = new Date()
  const changes: Partial<CallRow> = { status, phase, factsTaken, answeredCallMs, lastCallMs, stageAt }
  if (legs !== before.legs) changes.legs = [...legs]
  if (factsTaken > 0) changes.takenAt = before.takenAt ?? now
  if (!isOver(progress)) await noteHeard(tx, before.id, now)
  await keepEvents(tx, before.id, moves)
  const turns = await keepTurns(tx, before.id, moves)
  const messages: LiveMessage[] = turns.map((turn) => ({ type: 'transcript', callId: before.id, turn }))
  const hasEnded = moves.some(({ kind }) => kind === 'ended')
  let available = 0
  for (const move of moves) {
    if (move.kind === 'placed') changes.carrierCallId = move.carrierCallId
    else if (move.kind === 'answered') changes.connectedAt = move.at
    else if (move.kind === 'outcomes')
      changes.outcomes = move.outcomes.map((outcome) => ({ ...outcome, offer: outcome.offer ?? null }))
    else if (move.kind === 'told') changes.told = withTelling(changes.told ?? before.told, move.telling)
    else if (move.kind === 'opted_out') await keepOptOut(tx, before, move.quote)
    else if (move.kind === 'figures') await keepFigures(tx, before, move.figures)
    else if (move.kind === 'summary') changes.summary = await keepSummary(tx, before.id, move)
    else if (move.kind === 'ended') {
      const settled = await keepEnding(tx, before, move.ending, legs, charge)
      Object.assign(changes, settled.changes)
      available = settled.available
      await forgetLiveness(tx, before.id)
      const { at, carrier } = move.ending
      const carrierCallId = changes.carrierCallId ?? before.carrierCallId
      await keepCosts(tx, { ...before, ...changes, carrierCallId, at, carrier, legs })
      changes.legs = withoutCarriers(legs)
      // Sent before the call's end, so that a page never shows its credits as neither held nor released.
      messages.push(balanceMessage(available))
    }
  }
  if (isOver(progress) && (turns.length > 0 || hasEnded)) {
    const transcript = transcriptOf(await turnsOf(tx, before.id))
    // Pages show a completed call with an empty transcript as still pending.
    changes.transcript = transcript === '' && status === 'completed' ? NO_WORDS : transcript
  }
  const rows = await tx.update(call).set(changes).where(eq(call.id, before.id)).returning()
  const row = rows[0] ?? before
  await callHooks(hooks, tx, row, moves, available)
  if (offersIn(row) > offersIn(before)) await hooks.run('asks', tx, row)
  if (moves.some(({ kind }) => kind !== 'turn')) messages.push({ type: 'call_status', call: toCall(row) })
  for (const move of moves)
    if (move.kind === 'question') messages.push({ type: 'call_question', callId: before.id, event: move.event })
  if (hasEnded) messages.push({ type: 'call_completed', callId: before.id })
  return { row, messages }
}

/** Offers that wait for the user's decision. */
function offersIn({ outcomes }: CallRow): number {
  return outcomes.filter(({ status }) => status === 'offered').length
}

/** Passes the updated row; listening rooms write in the same transaction. */
async function callHooks(
  hooks: CallHooks,
  tx: Tx,
  row: CallRow,
  moves: readonly Move[],
  available: number,
): Promise<void> {
  for (const move of moves) {
    if (move.kind === 'stage' && move.status === 'dialing' && move.phase === PHASES.dialing)
      await hooks.run('started', tx, row)
    else if (move.kind === 'ended') await hooks.run('ended', tx, row, available)
    else if (move.kind === 'summary') await hooks.run('wrappedUp', tx, row)
    else if (move.kind === 'opted_out') await hooks.run('optedOut', tx, row, move.quote)
    else if (move.kind === 'question') await hooks.run('asked', tx, row)
  }
}

async function keepEvents(tx: Tx, callId: string, moves: readonly Move[]): Promise<void> {
  const events = moves.flatMap((move) =>
    move.kind === 'stage'
      ? [{ callId, status: move.status, phase: move.phase, at: move.at }]
      : move.kind === 'question'
        ? [{ callId, ...move.event, at: new Date(move.event.at) }]
        : [],
  )
  if (events.length > 0) await tx.insert(callEvent).values(events)
}

/** Keeps the last version of each turn. */
async function keepTurns(tx: Tx, callId: string, moves: readonly Move[]): Promise<Turn[]> {
  const last = new Map(moves.flatMap((move) => (move.kind === 'turn' ? [[move.turn.index, move.turn] as const] : [])))
  const turns = [...last.values()]
  if (turns.length === 0) return []
  const { speaker, text, startMs, endMs, heard, estimated } = callTurn
  const columns = { speaker, text, startMs, endMs, heard, estimated }
  await tx
    .insert(callTurn)
    .values(turns.map((turn) => ({ callId, ...turn })))
    .onConflictDoUpdate({
      target: [callTurn.callId, callTurn.index],
      set: Object.fromEntries(
        Object.entries(columns).map(([key, { name }]) => [key, sql`excluded.${sql.identifier(name)}`]),
      ),
    })
  return turns
}

async function keepOptOut(tx: Tx, { id, userId, callee }: CallRow, quote: string): Promise<void> {
  await addDoNotCall(tx, { userId, phone: callee, source: 'callee', quote, callId: id })
}

async function keepSummary(tx: Tx, callId: string, { summary }: Extract<Move, { kind: 'summary' }>): Promise<string> {
  await tx
    .insert(callSummary)
    .values({ callId, ...summary })
    .onConflictDoUpdate({ target: callSummary.callId, set: summary })
  return summary.description
}

/** A value that is told again and again grows no row without end. */
const TELLINGS_MAX = 100

function withTelling(told: readonly Telling[], telling: Telling): Telling[] {
  return told.length < TELLINGS_MAX ? [...told, telling] : [...told]
}

/** A leg whose seconds nobody knows is our loss. */
function settlementOf(callId: string, { connectedSeconds }: Ending, legs: readonly CallLeg[]): Settlement {
  return { callId, connectedSeconds, otherLegsSeconds: legs.flatMap((leg) => leg.connectedSeconds ?? []) }
}

/** Settles the hold, where there is one, in the transaction that ends the call. */
async function keepEnding(
  tx: Tx,
  { id, userId, callee, isTest }: CallRow,
  ending: Ending,
  legs: readonly CallLeg[],
  charge: Charge,
) {
  const { reason, message, connectedSeconds, at } = ending
  const { chargedCredits, available } = isTest
    ? { chargedCredits: 0, available: (await balance(tx, userId)).available }
    : await charge(settlementOf(id, ending, legs))
  await countCall(tx, userId, callee, isCompleting(reason))
  await forgetVault(tx, id)
  const changes = {
    endReason: reason,
    endMessage: message,
    durationSeconds: connectedSeconds,
    creditsCharged: chargedCredits,
    completedAt: at,
  } satisfies Partial<CallRow>
  return { changes, available }
}
