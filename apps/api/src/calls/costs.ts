import { type CallFigures, type CarrierFacts, STAGES } from '@parley/contract'
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { creditPriceCents } from '../credits/index.ts'
import type { Reader, Tx } from '../platform/db.ts'
import { eachAlone, isNotPassedOver } from '../platform/rounds/each-alone.ts'
import type { Run } from '../platform/rounds/rounds.ts'
import type { CallsRoom } from './room.ts'
import { metered } from './legs.ts'
import { call, callCost, type CallLeg, type CallRow } from './schema.ts'

// What calls cost at their carriers, for the operator alone: ops.ts tells it.

export const COSTS_EVERY_MS = 30_000
/** Some carriers have a price only some time after the end: asked after each of these, then given up. */
const ASKED_AFTER_MINUTES = [1, 4, 16, 64, 256, 1024]
const ASKED_PER_ROUND = 50
const ASKED_AT_ONCE = 5
const TASK = 'calls.costs'
const subject = sql`${callCost.callId} || ' ' || ${callCost.leg}`
const MINUTE_MS = 60_000

const askAgainAt = (times: number, now: Date): Date | null => {
  const minutes = ASKED_AFTER_MINUTES[times]
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE_MS)
}

interface Ended extends Pick<CallRow, 'id' | 'carrierCallId' | 'durationSeconds' | 'creditsCharged'> {
  readonly at: Date
  /** Absent: the call ended without a word of its carrier. */
  readonly carrier: CarrierFacts | undefined
  /** Beside the first. */
  readonly legs: readonly CallLeg[]
}

/** Keeps the carrier's side of each leg of a call that has ended. */
export async function keepCosts(tx: Tx, { id: callId, at, carrier, carrierCallId, ...ended }: Ended): Promise<void> {
  const [first, ...others] = metered(ended)
  await keepCost(tx, { callId, at, leg: 1, carrier, askedAs: carrierCallId, credits: first?.credits ?? null })
  for (const { leg, seconds, credits } of others) {
    const told = ended.legs.find((each) => each.leg === leg)
    const id = told?.carrierCallId ?? null
    await keepCost(tx, { callId, at, leg, carrier: told?.carrier, askedAs: id, carrierCallId: id, seconds, credits })
  }
}

/** What carriers said stands with the costs from then on. */
export function withoutCarriers(legs: readonly CallLeg[]): CallLeg[] {
  return legs.map(({ leg, carrierCallId, connectedSeconds, end }) => {
    return { leg, carrierCallId, connectedSeconds, ...(end && { end }) }
  })
}

interface LegCost extends Pick<
  typeof callCost.$inferInsert,
  'callId' | 'leg' | 'carrierCallId' | 'seconds' | 'credits'
> {
  readonly at: Date
  readonly carrier: CarrierFacts | undefined
  /** The carrier's own id; null: no carrier had it. */
  readonly askedAs: string | null
}

async function keepCost(tx: Tx, { at, carrier, askedAs, ...leg }: LegCost): Promise<void> {
  if (!carrier && askedAs === null) return
  const isDue = askedAs !== null && (carrier ? carrier.cost === null && carrier.costFollows : true)
  const cost = {
    costMicros: carrier?.cost ? Math.round(carrier.cost.amountMicros) : null,
    currency: carrier?.cost?.currency ?? null,
  }
  await tx
    .insert(callCost)
    .values({
      ...leg,
      endedAt: at,
      carrier: carrier?.name ?? null,
      code: carrier?.code ?? null,
      ...cost,
      askAt: isDue ? askAgainAt(0, new Date()) : null,
    })
    .onConflictDoNothing()
}

/** Keeps what a call took of its vendors besides the carrier; it comes after the end. */
export async function keepFigures(tx: Tx, { id: callId }: Pick<CallRow, 'id'>, figures: CallFigures): Promise<void> {
  await tx
    .insert(callCost)
    .values({ callId, endedAt: new Date(), figures })
    .onConflictDoUpdate({ target: [callCost.callId, callCost.leg], set: { figures } })
}

type Asking = Pick<CallsRoom, 'db' | 'log' | 'voice'>

/** Asks carriers for the prices that they did not have at the end. */
export async function askCosts(room: Asking, now = new Date(), run?: Run): Promise<void> {
  const items = await room.db
    .select({
      callId: callCost.callId,
      leg: callCost.leg,
      asked: callCost.asked,
      carrierCallId: sql<string | null>`coalesce(${callCost.carrierCallId}, ${call.carrierCallId})`,
    })
    .from(callCost)
    .innerJoin(call, eq(call.id, callCost.callId))
    .where(and(lte(callCost.askAt, now), isNotPassedOver(TASK, subject)))
    .orderBy(asc(callCost.askAt))
    .limit(ASKED_PER_ROUND)
  const subjectOf = ({ callId, leg }: (typeof items)[number]) => `${callId} ${leg}`
  const work = (item: (typeof items)[number]) => askCost(room, item, now)
  await eachAlone({ room, task: TASK, items, subjectOf, work, atOnce: ASKED_AT_ONCE, run })
}

interface Due extends Pick<typeof callCost.$inferSelect, 'callId' | 'leg' | 'asked'> {
  readonly carrierCallId: string | null
}

async function askCost(room: Asking, { callId, leg, asked, carrierCallId }: Due, now: Date): Promise<void> {
  const standing = await room.voice.askCarrier(carrierCallId ?? '').catch((error: unknown) => {
    room.log.warn({ err: error, callId, leg }, 'carrier not asked for the cost of a leg')
    return undefined
  })
  const ended = standing?.state === 'ended' ? standing : undefined
  const again = askAgainAt(asked + 1, now)
  // null: the carrier does not know the call, and never will.
  const isOver = standing === null || (ended !== undefined && ended.cost !== null)
  const code = ended && { code: sql`coalesce(${callCost.code}, ${ended.code})` }
  const cost = ended?.cost && { costMicros: Math.round(ended.cost.amountMicros), currency: ended.cost.currency }
  await room.db
    .update(callCost)
    .set({ asked: asked + 1, askAt: isOver ? null : again, ...code, ...cost })
    .where(and(eq(callCost.callId, callId), eq(callCost.leg, leg)))
}

interface CarrierCosts {
  readonly carrier: string
  readonly calls: number
  /** Phones connected: the callees', and the owners' that were rung in. */
  readonly legs: number
  readonly seconds: number
  readonly creditsCharged: number
  /** Of models, mouths and ears, in millionths of a US dollar. */
  readonly vendorMicros: number
  /** Legs whose cost is not known: not told, or not yet. */
  readonly unknown: number
  /** By currency, in millionths of it. */
  readonly costs: readonly { readonly currency: string; readonly micros: number }[]
}

/** What the calls that ended since then cost and earned, by carrier. */
async function costsSince(reader: Reader, since: Date): Promise<CarrierCosts[]> {
  const rows = await reader
    .select({
      carrier: sql<string>`coalesce(${callCost.carrier}, 'unknown')`,
      currency: callCost.currency,
      calls: sql`count(*) filter (where ${callCost.leg} = 1)`.mapWith(Number),
      legs: sql`count(*)`.mapWith(Number),
      seconds: sql`coalesce(sum(coalesce(${callCost.seconds}, ${call.durationSeconds})), 0)`.mapWith(Number),
      creditsCharged: sql`coalesce(sum(coalesce(${callCost.credits}, ${call.creditsCharged})), 0)`.mapWith(Number),
      micros: sql`coalesce(sum(${callCost.costMicros}), 0)`.mapWith(Number),
      vendorMicros: sql`coalesce(sum((${callCost.figures} ->> 'costMicros')::bigint), 0)`.mapWith(Number),
    })
    .from(callCost)
    .innerJoin(call, eq(call.id, callCost.callId))
    .where(gt(callCost.endedAt, since))
    .groupBy(sql`1`, callCost.currency)
    .orderBy(sql`1`, callCost.currency)
  const carriers = Map.groupBy(rows, ({ carrier }) => carrier)
  return [...carriers].map(([carrier, each]) => {
    const sum = (what: 'calls' | 'legs' | 'seconds' | 'creditsCharged' | 'vendorMicros') =>
      each.reduce((all, row) => all + row[what], 0)
    const costs = each.flatMap(({ currency, micros }) => (currency === null ? [] : [{ currency, micros }]))
    const unknown = each.filter(({ currency }) => currency === null).reduce((all, row) => all + row.legs, 0)
    return {
      carrier,
      calls: sum('calls'),
      legs: sum('legs'),
      seconds: sum('seconds'),
      creditsCharged: sum('creditsCharged'),
      vendorMicros: sum('vendorMicros'),
      unknown,
      costs,
    }
  })
}

/** How long each stage of a reply took: the median over calls of their own figures, and the worst twentieth. */
async function stageReport(reader: Reader, since: Date): Promise<string[]> {
  const stage = sql`jsonb_array_elements(${callCost.figures} -> 'stages')`
  const { rows } = await reader.execute<{ stage: string; calls: string; p50: number; p95: number }>(sql`
    select stage ->> 'stage' as stage, count(*) as calls,
      percentile_cont(0.5) within group (order by (stage ->> 'p50Ms')::int) as p50,
      percentile_cont(0.95) within group (order by (stage ->> 'p95Ms')::int) as p95
    from (select ${stage} as stage from ${callCost} where ${callCost.endedAt} > ${since}) as each
    group by 1`)
  const known = STAGES.flatMap((name) => rows.filter((row) => row.stage === name))
  if (known.length === 0) return []
  const lines = known.map(({ stage: name, calls, p50, p95 }) => [
    name,
    calls,
    `${Math.round(p50)} ms`,
    `${Math.round(p95)} ms`,
  ])
  return ['', table([['stage', 'calls', 'p50', 'p95'], ...lines.map((line) => line.map(String))])]
}

/** What models read and wrote: for speaking, and for judging beside it. */
async function tokenReport(reader: Reader, since: Date): Promise<string[]> {
  const { rows } = await reader.execute<Record<'model' | 'task' | 'calls' | 'read' | 'written' | 'micros', string>>(sql`
    select part ->> 'model' as model, coalesce(part ->> 'task', 'speaking') as task, count(distinct id) as calls,
      sum((part ->> 'inputTokens')::bigint) as read, sum((part ->> 'outputTokens')::bigint) as written,
      coalesce(sum((part ->> 'costMicros')::bigint), 0) as micros
    from (select ${callCost.callId} as id, jsonb_array_elements(${callCost.figures} -> 'tokens') as part
      from ${callCost} where ${callCost.endedAt} > ${since}) as each
    group by 1, 2 order by 1, 2 desc`)
  if (rows.length === 0) return []
  const head = ['model', 'for', 'calls', 'tokens read', 'tokens written', 'cost']
  const lines = rows.map(({ model, task, calls, read, written, micros }) =>
    [model, task, calls, read, written, `${amount(Number(micros))} USD`].map(String),
  )
  return ['', table([head, ...lines])]
}

/** The operator's table. A credit is worth what was paid for one on average; only US dollars are compared with it. */
export async function costReport(reader: Reader, days: number, now = new Date()): Promise<string> {
  const since = new Date(now.getTime() - days * 24 * 60 * MINUTE_MS)
  const carriers = await costsSince(reader, since)
  if (carriers.length === 0) return `No call of the last ${days} days went over a carrier.`
  const creditCents = await creditPriceCents(reader)
  const lines = carriers.map((row) => {
    const cost = row.costs.map(({ currency, micros }) => `${amount(micros)} ${currency}`).join(' + ') || '-'
    const { carrier, calls, legs, seconds, unknown, vendorMicros, creditsCharged } = row
    return [
      carrier,
      calls,
      legs,
      seconds,
      cost,
      unknown,
      `${amount(vendorMicros)} USD`,
      creditsCharged,
      marginOf(row, creditCents),
    ]
  })
  const worth =
    creditCents === null
      ? 'No credit was bought yet, so the margin is not known.'
      : `A credit counts ${amount(creditCents * 10_000)} USD, the average that was paid for one.`
  const stages = await stageReport(reader, since)
  const tokens = await tokenReport(reader, since)
  return [table([HEAD, ...lines.map((line) => line.map(String))]), worth, ...stages, ...tokens].join('\n')
}

const HEAD = [
  'carrier',
  'calls',
  'legs',
  'seconds',
  'cost',
  'cost not known',
  'other vendors',
  'credits charged',
  'margin',
]

function marginOf({ costs, creditsCharged, vendorMicros }: CarrierCosts, creditCents: number | null): string {
  const isComparable = costs.every(({ currency }) => currency === 'USD')
  if (creditCents === null || !isComparable) return '-'
  const costMicros = costs.reduce((all, { micros }) => all + micros, vendorMicros)
  return `${amount(creditsCharged * creditCents * 10_000 - costMicros)} USD`
}

function amount(micros: number): string {
  return (micros / 1_000_000).toFixed(4)
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
