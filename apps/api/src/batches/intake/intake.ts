import { CONTEXT_MAX_BYTES, type DroppedRow, type ErrorCode, PHONE_COLUMNS } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import { dialRulesOf, isZone, judgeRow, whoIsRefused } from '../../consent/index.ts'
import type { Reader, Tx } from '../../platform/db.ts'
import type { BatchesRoom } from '../room.ts'
import { batch, batchContact, type RowOrder } from '../schema.ts'

/** A row as read, before validation. */
export interface RawRow {
  readonly row: number
  readonly phone: string
  readonly name: string | null
  readonly context: Readonly<Record<string, unknown>>
  readonly order?: RowOrder | null
}

interface JudgedRow extends RawRow {
  readonly callee: string | null
  readonly place: string | null
  readonly code: ErrorCode | null
}

const ROWS_AT_ONCE = 250
/**
 * Columns that may name a contact's time zone (IANA name). The zone narrows the calling hours of the number's own
 * region.
 */
const ZONE_COLUMNS = ['timezone', 'time_zone', 'time zone', 'zone', 'tz']
/** May also hold other kinds of zones, such as sales territories. */
const AMBIGUOUS_COLUMN = 'zone'

/** Validates, deduplicates and bulk-inserts rows as they arrive, some hundreds at a time. */
export class Intake {
  readonly #room: Pick<BatchesRoom, 'config' | 'db'>
  readonly #userId: string
  readonly #batchId: string
  readonly #callees = new Set<string>()
  readonly places = new Set<string>()
  readonly dropped: DroppedRow[] = []
  readonly #keepsDropped: boolean
  #rows: RawRow[] = []
  droppedCount = 0
  waitingCount = 0

  constructor(
    room: Pick<BatchesRoom, 'config' | 'db'>,
    userId: string,
    batchId: string,
    { keepsDropped }: { readonly keepsDropped: boolean },
  ) {
    this.#room = room
    this.#userId = userId
    this.#batchId = batchId
    this.#keepsDropped = keepsDropped
  }

  async take(row: RawRow): Promise<void> {
    this.#rows.push(row)
    if (this.#rows.length >= ROWS_AT_ONCE) await this.flush()
  }

  /** Writes the buffered rows and updates the counts. */
  async flush(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    if (rows.length === 0) return
    const judged = await judgeRows(this.#room.config, this.#room.db, this.#userId, rows, this.#callees)
    for (const { row, phone, place, code } of judged) {
      if (place !== null) this.places.add(place)
      if (code === null) this.waitingCount++
      else {
        this.droppedCount++
        if (this.#keepsDropped) this.dropped.push({ row, phone, code })
      }
    }
    await insertRows(this.#room.db, this.#batchId, judged)
  }
}

/** Validates the numbers, against the do-not-call lists and against `callees`, to which valid ones are added. */
async function judgeRows(
  config: Config,
  reader: Reader,
  userId: string,
  rows: readonly RawRow[],
  callees: Set<string>,
): Promise<JudgedRow[]> {
  const rules = dialRulesOf(config)
  const now = new Date()
  const judged = rows.map((row): JudgedRow => {
    const no = (code: ErrorCode, callee: string | null = null): JudgedRow => ({ ...row, callee, place: null, code })
    if (row.phone === '') return no('number_missing')
    const verdict = judgeRow(rules, row.phone, zoneOf(row.context), now)
    if (verdict.answer === 'no') return no(verdict.code)
    const { callee, place } = verdict
    if (JSON.stringify(row.context).length > CONTEXT_MAX_BYTES) return no('too_large', callee)
    if (callees.has(callee)) return no('number_duplicate', callee)
    callees.add(callee)
    return { ...row, callee, place, code: null }
  })
  const good = judged.flatMap(({ code, callee }) => (code === null && callee !== null ? [callee] : []))
  const refused = await whoIsRefused(reader, rules, userId, good)
  if (refused.size === 0) return judged
  return judged.map((row) => {
    const code = row.code === null && row.callee !== null ? refused.get(row.callee) : undefined
    return code === undefined ? row : { ...row, place: null, code }
  })
}

function zoneOf(context: Readonly<Record<string, unknown>>): string | undefined {
  for (const [column, value] of Object.entries(context)) {
    const name = column.trim().toLowerCase()
    if (typeof value !== 'string' || value.trim() === '' || !ZONE_COLUMNS.includes(name)) continue
    if (name !== AMBIGUOUS_COLUMN || isZone(value.trim())) return value.trim()
  }
  return undefined
}

async function insertRows(reader: Reader, batchId: string, rows: readonly JudgedRow[]): Promise<void> {
  const column = <T>(of: (row: JudgedRow) => T) => sql.param(rows.map(of))
  const json = (value: unknown) => (value == null ? null : JSON.stringify(value))
  await reader.execute(sql`
    insert into ${batchContact} (batch_id, row, phone, name, context, "order", callee, place, code, status)
    select ${batchId}, r.row, r.phone, r.name, r.context::jsonb, r."order"::jsonb, r.callee, r.place, r.code,
      case when r.code is null then 'waiting' else 'dropped' end
    from unnest(${column((r) => r.row)}::int[], ${column((r) => r.phone)}::text[], ${column((r) => r.name)}::text[],
      ${column((r) => json(r.context))}::text[], ${column((r) => json(r.order))}::text[], ${column((r) => r.callee)}::text[],
      ${column((r) => r.place)}::text[], ${column((r) => r.code)}::text[])
      as r(row, phone, name, context, "order", callee, place, code)`)
}

/** Validates every row of a draft again after its column mapping has changed. */
export async function judgeAgain(
  config: Config,
  tx: Tx,
  { userId, batchId }: { readonly userId: string; readonly batchId: string },
  mapping: { readonly phone: string | null; readonly name: string | null },
): Promise<void> {
  const callees = new Set<string>()
  const places = new Set<string>()
  let droppedCount = 0
  let waitingCount = 0
  for (let after = -1; ;) {
    const found = await tx
      .select({ row: batchContact.row, context: batchContact.context })
      .from(batchContact)
      .where(sql`${batchContact.batchId} = ${batchId} and ${batchContact.row} > ${after}`)
      .orderBy(batchContact.row)
      .limit(ROWS_AT_ONCE)
    const last = found.at(-1)
    if (!last) break
    after = last.row
    const rows = found.map(({ row, context }) => ({ row, context, ...namesOf(context, mapping) }))
    const judged = await judgeRows(config, tx, userId, rows, callees)
    for (const { place, code } of judged) {
      if (place !== null) places.add(place)
      if (code === null) waitingCount++
      else droppedCount++
    }
    await updateRows(tx, batchId, judged)
  }
  await tx
    .update(batch)
    .set({
      phoneColumn: mapping.phone,
      nameColumn: mapping.name,
      places: [...places],
      dropped: droppedCount,
      waiting: waitingCount,
    })
    .where(eq(batch.id, batchId))
}

/** Number and name of a row, from the mapped columns. */
export function namesOf(
  context: Readonly<Record<string, unknown>>,
  mapping: { readonly phone: string | null; readonly name: string | null },
): { phone: string; name: string | null } {
  const cell = (column: string | null) => {
    const value = column === null || !Object.hasOwn(context, column) ? undefined : context[column]
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  // Rows of JSON may each use another key.
  const phones = PHONE_COLUMNS.filter((column) => Object.hasOwn(context, column))
  const isNamedSo = PHONE_COLUMNS.some((column) => column === mapping.phone)
  const phone = isNamedSo && !phones.some((column) => column === mapping.phone) ? (phones[0] ?? null) : mapping.phone
  const name = cell(mapping.name)
  return { phone: cell(phone), name: name === '' ? null : name }
}

async function updateRows(tx: Tx, batchId: string, rows: readonly JudgedRow[]): Promise<void> {
  const column = <T>(of: (row: JudgedRow) => T) => sql.param(rows.map(of))
  await tx.execute(sql`
    update ${batchContact} as c set phone = r.phone, name = r.name, callee = r.callee, place = r.place, code = r.code,
      status = case when r.code is null then 'waiting' else 'dropped' end
    from unnest(${column((r) => r.row)}::int[], ${column((r) => r.phone)}::text[], ${column((r) => r.name)}::text[],
      ${column((r) => r.callee)}::text[], ${column((r) => r.place)}::text[], ${column((r) => r.code)}::text[])
      as r(row, phone, name, callee, place, code)
    where c.batch_id = ${batchId} and c.row = r.row`)
}
