import {
  type AiSummary,
  asksToRing,
  type CallSummary,
  endedPhase,
  namesDearNumber,
  numbersNamedIn,
  type Outcome,
} from '@parley/contract'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import { call, type CallRow, callSummary, callTurn } from '../calls/schema.ts'
import { type CallsRoom, summarise } from '../calls/index.ts'
import { type Tx, withTx } from '../platform/db.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { toSummary } from './history.ts'

const DAY_MS = 24 * 3_600_000
const MISSING_SINCE_MS = 30 * DAY_MS
const CALLS_AT_ONCE = 200

/** The input of a summary. */
export interface EndedCall {
  readonly objectives: readonly string[]
  readonly outcomes: readonly Outcome[]
  readonly status: CallRow['status']
  readonly endReason: CallRow['endReason']
  readonly endMessage: string | null
  /** The callee's last turn, if any. */
  readonly lastWords: string | null
}

/** The summary derived from a call: each objective's outcome with its quote, and how the call ended. */
export function summaryOf({
  objectives,
  outcomes: kept,
  status,
  endReason,
  endMessage,
  lastWords: said,
}: EndedCall): CallSummary {
  const outcomes = kept.map(withoutDearNumber)
  const lastWords = said !== null && bringsNumber(said) ? null : said
  const of = (wanted: Outcome['status']) => outcomes.filter((outcome) => outcome.status === wanted)
  const [met, within, offered, refused] = [of('met'), of('met_within_limits'), of('offered'), of('refused')]
  const open = objectives.filter(
    (objective) => !outcomes.some((outcome) => outcome.objective === objective && outcome.status !== 'open'),
  )
  const counts: Counts = {
    all: objectives.length,
    met: met.length + within.length,
    offered: offered.length,
    open: open.length,
  }
  const type = typeOf(status === 'completed' && endReason !== 'voicemail', counts)
  const decisions = offered.map((outcome) => `Decide on their offer: ${insteadOf(outcome)}`)
  const nextSteps = [...decisions, ...open.map((objective) => `Still open: ${objective}`)]
  const actionRequired = type === 'pending' || (type === 'failed' && endReason !== 'opted_out')
  const ended = endReason === null ? 'it failed' : endedPhase(endReason)
  const sentences = [
    countOf('was met', met),
    listOf('Agreed within your limits', within),
    listOf('They offer something else', offered),
    countOf('was refused', refused),
    countOf('is open', open),
  ]
  return {
    type,
    title: titleOf(type, counts),
    description: [endMessage, ...sentences].filter(Boolean).join(' '),
    insights: [...met, ...within, ...offered, ...refused].map(insightOf),
    nextSteps: lastWords === null || open.length === 0 ? nextSteps : [...nextSteps, `Their last words: "${lastWords}"`],
    actionRequired,
    actionText: actionRequired
      ? type === 'pending' || offered.length > 0
        ? toSettle(decisions, open.length)
        : `Try again: ${ended}.`
      : null,
  }
}

/** Removes premium-rate numbers from quote and offer (fraud). */
function withoutDearNumber(outcome: Outcome): Outcome {
  const clean = (text: string | null | undefined) => (typeof text === 'string' && namesDearNumber(text) ? null : text)
  return {
    ...outcome,
    quote: clean(outcome.quote) ?? null,
    ...(outcome.offer === undefined ? {} : { offer: clean(outcome.offer) ?? null }),
  }
}

/** Whether the text names a premium-rate number or asks to be called back at a number. */
function bringsNumber(text: string): boolean {
  return namesDearNumber(text) || (asksToRing(text) && numbersNamedIn(text).length > 0)
}

interface Counts {
  readonly all: number
  /** Met as asked or within the limits. */
  readonly met: number
  readonly offered: number
  readonly open: number
}

function typeOf(spoke: boolean, { all, met, offered, open }: Counts): CallSummary['type'] {
  if (!spoke) return 'failed'
  if (all === 0) return 'other'
  if (met === all) return 'success'
  if (open > 0 || offered > 0) return 'pending'
  return met === 0 ? 'failed' : 'other'
}

function titleOf(type: CallSummary['type'], { all, met, offered }: Counts): string {
  if (all === 0 || type === 'other') return type === 'failed' ? 'Nobody was reached' : 'The call has ended'
  if (type === 'failed' && met === 0) return 'Nothing was achieved'
  if (met === all) return 'Everything was achieved'
  const toDecide = `${offered} ${offered === 1 ? 'offer' : 'offers'} to decide`
  if (met === 0 && offered > 0) return toDecide
  return `${met} of ${all} objectives were met${offered > 0 ? `, ${toDecide}` : ''}`
}

function toSettle(decisions: readonly string[], open: number): string {
  return [...decisions.map((decision) => `${decision}.`), ...(open > 0 ? ['Settle what is still open.'] : [])].join(' ')
}

/** An offer instead of what was asked. */
function insteadOf({ objective, offer, quote }: Outcome): string {
  const told = offer ?? (quote === null ? null : `"${quote}"`)
  return told === null ? objective : `${told} (asked: ${objective})`
}

const OFFER_VERBS: Partial<Record<Outcome['status'], string>> = { met_within_limits: 'agreed', offered: 'they offer' }

function insightOf({ objective, status, offer, quote }: Outcome): string {
  const verb = OFFER_VERBS[status]
  const instead = verb !== undefined && offer ? `: ${verb} ${offer}` : ''
  return `${objective}${instead}${quote === null ? '' : `: "${quote}"`}`
}

function listOf(what: string, list: readonly Outcome[]): string {
  return list.length === 0 ? '' : `${what}: ${list.map(insteadOf).join('; ')}.`
}

function countOf(what: string, list: readonly (Outcome | string)[]): string {
  if (list.length === 0) return ''
  const names = list.map((each) => (typeof each === 'string' ? each : each.objective)).join('; ')
  return list.length === 1
    ? `One objective ${what}: ${names}.`
    : `${list.length} objectives ${what.replace('was', 'were').replace('is', 'are')}: ${names}.`
}

/**
 * Makes the summary of one call anew by the mind, or the missing ones of the last 30 days by what is kept of them, as
 * where no mind can be asked.
 */
export async function makeSummaries(
  calls: Pick<CallsRoom, 'db' | 'log' | 'voice'>,
  userId: string,
  callId: string | undefined,
): Promise<AiSummary[]> {
  const told = callId === undefined ? undefined : await summaryByMind(calls, userId, callId)
  return withTx(calls.db, async (tx) => {
    const rows = callId === undefined ? await withoutSummary(tx, userId) : [await endedCall(tx, userId, callId)]
    const words = await lastWordsOf(tx, rows)
    const made: AiSummary[] = []
    for (const row of rows) {
      const lastWords = words.get(row.id) ?? null
      const derived = summaryOf({ ...row, lastWords })
      // Words that were erased meanwhile must not come back.
      const summary = told && lastWords !== null ? rejoined(told, derived) : derived
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

async function summaryByMind(
  calls: Pick<CallsRoom, 'db' | 'log' | 'voice'>,
  userId: string,
  callId: string,
): Promise<CallSummary | undefined> {
  return summarise(calls, await withTx(calls.db, (tx) => endedCall(tx, userId, callId)))
}

/** The mind's words, with the verdict that the outcomes give. */
function rejoined(told: CallSummary, derived: CallSummary): CallSummary {
  if (bringsNumber(JSON.stringify(told))) return derived
  const { type, actionRequired } = derived
  return { ...told, type, actionRequired, actionText: actionRequired ? (told.actionText ?? derived.actionText) : null }
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
