import { type AiSummary, type CallSummary, endedPhase, type Outcome } from '@parley/contract'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import { call, type CallRow, callSummary, callTurn } from '../calls/schema.ts'
import { type Db, type Tx, withTx } from '../platform/db.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { toSummary } from './history.ts'

const DAY_MS = 24 * 3_600_000
const MISSING_SINCE_MS = 30 * DAY_MS
const CALLS_AT_ONCE = 200

/** What is known of an ended call: enough to say what came of it. */
export interface EndedCall {
  readonly objectives: readonly string[]
  readonly outcomes: readonly Outcome[]
  readonly status: CallRow['status']
  readonly endReason: CallRow['endReason']
  readonly endMessage: string | null
  /** What the callee said last, if anything. */
  readonly lastWords: string | null
}

/** The summary that follows from what was kept of a call: every objective's outcome with its quote, and how it ended. */
export function summaryOf({ objectives, outcomes, status, endReason, endMessage, lastWords }: EndedCall): CallSummary {
  const of = (wanted: Outcome['status']) => outcomes.filter((outcome) => outcome.status === wanted)
  const [met, refused] = [of('met'), of('refused')]
  const open = objectives.filter((objective) => !outcomes.some((outcome) => outcome.objective === objective && outcome.status !== 'open'))
  const type = typeOf({
    spoke: status === 'completed' && endReason !== 'voicemail',
    all: objectives.length,
    met: met.length,
    open: open.length,
  })
  const nextSteps = open.map((objective) => `Still open: ${objective}`)
  const actionRequired = type === 'pending' || (type === 'failed' && endReason !== 'opted_out')
  return {
    type,
    title: titleOf(type, objectives.length, met.length),
    description: [endMessage, countOf('was met', met), countOf('was refused', refused), countOf('is open', open)].filter(Boolean).join(' '),
    insights: [...met, ...refused].map(({ objective, quote }) => (quote === null ? objective : `${objective}: "${quote}"`)),
    nextSteps: lastWords === null || nextSteps.length === 0 ? nextSteps : [...nextSteps, `Their last words: "${lastWords}"`],
    actionRequired,
    actionText: actionRequired
      ? type === 'pending'
        ? 'Settle what is still open.'
        : `Try again: ${endReason === null ? 'it failed' : endedPhase(endReason)}.`
      : null,
  }
}

function typeOf({ spoke, all, met, open }: { spoke: boolean; all: number; met: number; open: number }): CallSummary['type'] {
  if (!spoke) return 'failed'
  if (all === 0) return 'other'
  if (met === all) return 'success'
  if (open > 0) return 'pending'
  return met === 0 ? 'failed' : 'other'
}

function titleOf(type: CallSummary['type'], all: number, met: number): string {
  if (all === 0 || type === 'other') return type === 'failed' ? 'Nobody was reached' : 'The call has ended'
  if (type === 'failed' && met === 0) return 'Nothing was achieved'
  return met === all ? 'Everything was achieved' : `${met} of ${all} objectives were met`
}

function countOf(what: string, list: readonly (Outcome | string)[]): string {
  if (list.length === 0) return ''
  const names = list.map((each) => (typeof each === 'string' ? each : each.objective)).join('; ')
  return list.length === 1
    ? `One objective ${what}: ${names}.`
    : `${list.length} objectives ${what.replace('was', 'were').replace('is', 'are')}: ${names}.`
}

/** Makes or remakes the summary of one call, or makes those of the last 30 days that are missing. */
export async function makeSummaries(db: Db, userId: string, callId: string | undefined): Promise<AiSummary[]> {
  return withTx(db, async (tx) => {
    const rows = callId === undefined ? await withoutSummary(tx, userId) : [await endedCall(tx, userId, callId)]
    const words = await lastWordsOf(tx, rows)
    const made: AiSummary[] = []
    for (const row of rows) {
      const summary = summaryOf({ ...row, lastWords: words.get(row.id) ?? null })
      const [kept] = await tx
        .insert(callSummary)
        .values({ callId: row.id, ...summary })
        .onConflictDoUpdate({ target: callSummary.callId, set: summary })
        .returning()
      await tx.update(call).set({ summary: summary.description }).where(eq(call.id, row.id))
      if (kept) made.push(toSummary({ call: row, summary: kept }))
    }
    return made
  })
}

async function endedCall(tx: Tx, userId: string, callId: string): Promise<CallRow> {
  const [row] = await tx
    .select()
    .from(call)
    .where(and(eq(call.id, callId), eq(call.userId, userId)))
    .for('update')
  if (!row) throw notFound('The call')
  if (row.completedAt === null) throw new AppError('conflict', 'The call has not ended yet.')
  return row
}

async function withoutSummary(tx: Tx, userId: string): Promise<CallRow[]> {
  const rows = await tx
    .select({ call })
    .from(call)
    .leftJoin(callSummary, eq(callSummary.callId, call.id))
    .where(
      and(
        eq(call.userId, userId),
        isNotNull(call.completedAt),
        isNull(callSummary.callId),
        gt(call.createdAt, new Date(Date.now() - MISSING_SINCE_MS)),
      ),
    )
    .orderBy(desc(call.createdAt))
    .limit(CALLS_AT_ONCE)
  return rows.map((row) => row.call)
}

async function lastWordsOf(tx: Tx, rows: readonly CallRow[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const turns = await tx
    .select({ callId: callTurn.callId, text: callTurn.text })
    .from(callTurn)
    .where(
      and(
        inArray(
          callTurn.callId,
          rows.map(({ id }) => id),
        ),
        eq(callTurn.speaker, 'user'),
      ),
    )
    .orderBy(asc(callTurn.index))
  return new Map(turns.map(({ callId, text }) => [callId, text.trim()]))
}
