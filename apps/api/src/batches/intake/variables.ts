import { fillVariables, type Mandate, type MissingVariable, valueOf, variablesOf } from '@parley/contract'
import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { batchContact, type BatchRecord, type RowOrder } from '../schema.ts'

interface Texts {
  readonly purpose: string
  readonly objectives: string[]
  readonly mandates: (Mandate | null)[]
}

/** The texts of a plan with the row's values filled in; of objectives that become the same, the first stays. */
export function fillOrder<T extends Texts>(order: T, row: Readonly<Record<string, unknown>>): T {
  const filled = order.objectives.map((objective) => fillVariables(objective, row))
  const isFirst = (_: unknown, place: number) => filled.indexOf(filled[place] ?? '') === place
  const [objectives, mandates] = [filled.filter(isFirst), order.mandates.filter(isFirst)]
  return { ...order, purpose: fillVariables(order.purpose, row), objectives, mandates }
}

/** Variables of the texts for which a row has no value. */
export function missingIn(
  order: Pick<Required<RowOrder>, 'purpose' | 'objectives'>,
  row: Readonly<Record<string, unknown>>,
): string[] {
  return variablesOf(order.purpose, ...order.objectives).filter((variable) => valueOf(row, variable) === undefined)
}

/** Available in every row, since a column is always mapped to it. */
const MAPPED: Readonly<Partial<Record<string, typeof batchContact.name | typeof batchContact.phone>>> = {
  name: batchContact.name,
  phone: batchContact.phone,
}

/** The values of a row's variables: its columns, and mapped fields for which no column has a value. */
export function withMapped(
  context: Readonly<Record<string, unknown>>,
  mapped: { readonly name: string | null; readonly phone: string },
): Record<string, unknown> {
  const said = Object.entries(context).filter(([, value]) => value !== '')
  const added = Object.entries(mapped).filter(([variable]) => valueOf(context, variable) === undefined)
  return Object.fromEntries([...said, ...added])
}

/** Columns with the variable's name, ignoring case and surrounding spaces. */
function columnsOf({ columns }: BatchRecord, variable: string): string[] {
  const wanted = variable.toLowerCase()
  return columns.filter((column) => column.trim().toLowerCase() === wanted)
}

/** SQL for a column's text; null if the value is marked private. */
function sayable(column: string): SQL {
  const given = sql`${batchContact.context} -> ${column}`
  const isSaid = sql`coalesce(lower(trim(${given} ->> 'private')), 'false') in ('false', 'no', '0', '') or not (${given}) ? 'value'`
  return sql`case when ${isSaid} then ${batchContact.context} ->> ${column} end`
}

function lacks(row: BatchRecord, variable: string): SQL {
  const values = columnsOf(row, variable).map((column) => sql`nullif(${sayable(column)}, '')`)
  const mapped = MAPPED[variable.toLowerCase()]
  if (mapped) values.push(sql`nullif(${mapped}, '')`)
  return values.length === 0 ? sql`true` : sql`coalesce(${sql.join(values, sql`, `)}) is null`
}

/** SQL: the row uses the plan's text. A row's own texts were filled when it was read. */
function saidToRow({ plan }: BatchRecord, variable: string): SQL {
  const said = [
    ...(variablesOf(plan.purpose).includes(variable) ? [sql`${batchContact.order} -> 'purpose' is null`] : []),
    ...(variablesOf(...plan.objectives).includes(variable) ? [sql`${batchContact.order} -> 'objectives' is null`] : []),
  ]
  return sql`(${sql.join(said, sql` or `)})`
}

const waitingIn = (batchId: string) => and(eq(batchContact.batchId, batchId), eq(batchContact.status, 'waiting'))

/** Variables of the plan without a value in waiting rows, with the number of such rows. */
export async function missingVariables(reader: Reader, row: BatchRecord): Promise<MissingVariable[]> {
  const missing: MissingVariable[] = []
  for (const variable of variablesOf(row.plan.purpose, ...row.plan.objectives)) {
    const [found] = await reader
      .select({ rows: count() })
      .from(batchContact)
      .where(and(waitingIn(row.id), lacks(row, variable), saidToRow(row, variable)))
    if (found && found.rows > 0) missing.push({ variable, rows: found.rows })
  }
  return missing
}

/** Drops the waiting rows that lack a value. Returns how many. */
export async function dropIncomplete(tx: Reader, row: BatchRecord): Promise<number> {
  const variables = variablesOf(row.plan.purpose, ...row.plan.objectives)
  if (variables.length === 0) return 0
  const any = sql.join(
    variables.map((variable) => and(lacks(row, variable), saidToRow(row, variable))),
    sql` or `,
  )
  const { rowCount } = await tx
    .update(batchContact)
    .set({ status: 'dropped', code: 'variables_missing' })
    .where(and(waitingIn(row.id), sql`(${any})`))
  return rowCount ?? 0
}

export function variablesMissing(missing: readonly MissingVariable[]): AppError {
  const named = missing
    .map(({ variable, rows }) => `{{${variable}}} in ${rows} ${rows === 1 ? 'row' : 'rows'}`)
    .join(', ')
  return new AppError('variables_missing', `There is no value for ${named}.`, { field: 'purpose' })
}
