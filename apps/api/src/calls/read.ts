import { type Call, type CallDetails, type Outcome, PHASES, type Turn } from '@parley/contract'
import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import type { Reader, Tx } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { metered } from './legs.ts'
import { judgedByEarlierRule } from './placing/earlier-rule.ts'
import { call, callEvent, type CallRow, callSummary, callTurn } from './schema.ts'

/** A call in the contract's shape, without dispatch and fact columns. */
export function toCall(row: CallRow): Call {
  const { createdAt, connectedAt, completedAt, ...rest } = row
  return {
    ...pick(rest, SHOWN),
    from: row.callerNumber,
    offers: row.outcomes.filter(({ status }) => status === 'offered').length,
    createdAt: createdAt.toISOString(),
    connectedAt: connectedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  }
}

const SHOWN = [
  ...([
    'id',
    'userId',
    'batchId',
    'callee',
    'purpose',
    'objectives',
    'mandates',
    'vault',
    'tone',
    'maxDurationMinutes',
    'context',
    'language',
  ] as const),
  ...(['status', 'phase', 'transcript', 'summary', 'durationSeconds', 'creditsHeld', 'creditsCharged'] as const),
  ...(['endReason', 'endMessage', 'notes', 'tags', 'hasRecording', 'clockSpeed', 'isTest'] as const),
] as const

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  // Cast: exactly these keys, with the values of `from`.
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>
}

/** Outcomes of each objective; one judged by an earlier rule is marked and stored unchanged. */
export function outcomesOf({ outcomes, purpose }: Pick<CallRow, 'outcomes' | 'purpose'>): Outcome[] {
  return outcomes.map((outcome) =>
    judgedByEarlierRule(outcome, purpose) ? { ...outcome, earlierRule: true } : outcome,
  )
}

export async function turnsOf(reader: Reader, callId: string): Promise<Turn[]> {
  const { index, speaker, text, startMs, endMs, heard, estimated } = callTurn
  const rows = await reader
    .select({ index, speaker, text, startMs, endMs, heard, estimated })
    .from(callTurn)
    .where(eq(callTurn.callId, callId))
    .orderBy(asc(index))
  return rows.map(({ estimated, ...turn }) => (estimated ? { ...turn, estimated } : turn))
}

/** One text line per turn; the callee is 'User'. */
export function transcriptOf(turns: readonly Turn[]): string {
  const spoken = turns.filter(({ text }) => text.trim() !== '')
  return spoken.map(({ speaker, text }) => `${speaker === 'agent' ? 'Agent' : 'User'}: ${text.trim()}`).join('\n')
}

/** The call's user; undefined if the call was deleted. */
export async function ownerOfCall(reader: Reader, callId: string): Promise<string | undefined> {
  const [row] = await reader.select({ userId: call.userId }).from(call).where(eq(call.id, callId))
  return row?.userId
}

export async function readCall(reader: Reader, userId: string, callId: string): Promise<CallDetails> {
  const [row] = await reader.select().from(call).where(ownCall(userId, callId))
  if (!row) throw notFound('The call')
  const [turns, events, [advice]] = await Promise.all([
    turnsOf(reader, callId),
    reader.select().from(callEvent).where(eq(callEvent.callId, callId)).orderBy(asc(callEvent.id)),
    reader.select({ nextSteps: callSummary.nextSteps }).from(callSummary).where(eq(callSummary.callId, callId)),
  ])
  return {
    ...toCall(row),
    turns,
    events: events.map(({ status, phase, at, question }) => ({
      status,
      phase,
      at: at.toISOString(),
      ...(question !== null && { question }),
    })),
    wordsKeptUntil: events.find(({ phase }) => phase === PHASES.notRecorded)?.at.toISOString() ?? null,
    outcomes: outcomesOf(row),
    told: row.told,
    legs: row.legs.length > 0 ? metered(row) : [],
    nextSteps: advice?.nextSteps ?? [],
  }
}

/** Live calls, newest first. */
export async function readActiveCalls(reader: Reader, userId: string): Promise<Call[]> {
  const live = and(eq(call.userId, userId), isNull(call.completedAt))
  const rows = await reader.select().from(call).where(live).orderBy(desc(call.createdAt), desc(call.id))
  return rows.map(toCall)
}

/** The call, locked until the transaction ends. */
export async function lockCall(tx: Tx, callId: string, userId?: string): Promise<CallRow> {
  const wanted = userId === undefined ? eq(call.id, callId) : ownCall(userId, callId)
  const [row] = await tx.select().from(call).where(wanted).for('update')
  if (!row) throw notFound('The call')
  return row
}

function ownCall(userId: string, callId: string) {
  return and(eq(call.id, callId), eq(call.userId, userId))
}
