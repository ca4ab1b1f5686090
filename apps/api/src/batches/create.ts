import type { Readable } from 'node:stream'
import {
  BATCH_ORDER_MAX_BYTES,
  BATCH_ROWS_MAX,
  type BatchAccepted,
  type BatchPlan,
  BatchRetries,
  batchesRoutes,
  NewBatch,
  NewCall,
} from '@parley/contract'
import { eq } from 'drizzle-orm'
import { findPerson } from '../accounts/index.ts'
import { refuseSecrets } from '../consent/index.ts'
import { withTx } from '../platform/db.ts'
import { newRowId } from '../platform/database/row-ids.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { hashOf, once } from '../platform/requests/idempotency.ts'
import { hashing, textOfBody } from '../platform/requests/lists.ts'
import { readAs } from '../platform/requests/sentences.ts'
import { splitJson } from '../platform/requests/split-json.ts'
import { COLUMNS_TOLD_MAX, defaultPlan } from './intake/import.ts'
import { Intake } from './intake/intake.ts'
import { auditEvidence, begin, evidenceFields } from './life.ts'
import { lockBatch } from './read.ts'
import type { BatchesRoom } from './room.ts'
import { batch, type RowOrder } from './schema.ts'
import { missingIn, variablesMissing, withMapped } from './intake/variables.ts'

/** The request body without its calls. */
const Cover = NewBatch.omit({ calls: true })

/**
 * Reads a request for many calls as a stream and starts the batch, in one transaction. Rows that may not be called are
 * returned as skipped, with the reason.
 */
export async function createBatch(
  room: Pick<BatchesRoom, 'config' | 'db' | 'hooks' | 'log' | 'nudge'>,
  userId: string,
  { stream, key }: { readonly stream: Readable; readonly key: string | undefined },
): Promise<BatchAccepted> {
  const { db } = room
  const id = newRowId()
  await db.insert(batch).values({ id, userId, name: '', plan: await defaultPlan(db, userId), createdAt: new Date() })
  let accepted: BatchAccepted
  try {
    const body = hashing(textOfBody(stream, BATCH_ORDER_MAX_BYTES))
    const taken = await takeCalls(room, userId, id, body.text)
    accepted = await withTx(db, (tx) =>
      once(tx, { userId, routeId: batchesRoutes.create.id, key, body: body.digest() }, async () => {
        const { places, waitingCount: waiting, droppedCount: dropped } = taken.intake
        const { name, description, consent, startAt, liveCalls, callsPerMinute, retries } = taken.cover
        const pacing = { liveCalls, callsPerMinute, retries: retries ?? BatchRetries.parse({}) }
        const plan = {
          ...taken.plan,
          ...Object.fromEntries(Object.entries(pacing).filter(([, value]) => value !== undefined)),
        }
        const evidence = consent === undefined ? {} : evidenceFields(consent, await findPerson(tx, userId))
        const found = { columns: taken.columns, places: [...places], waiting, dropped }
        await tx
          .update(batch)
          .set({ name, description, plan, ...found, incoming: false, ...evidence })
          .where(eq(batch.id, id))
        if (consent !== undefined) await auditEvidence(tx, { id, userId }, consent)
        await begin(room, tx, await lockBatch(tx, id, userId), startAt === undefined ? null : new Date(startAt))
        return { batchId: id, totalCalls: waiting, skipped: taken.intake.dropped }
      }),
    )
  } catch (error) {
    await db.delete(batch).where(eq(batch.id, id))
    throw error
  }
  // The idempotency key was used before: its first answer stands, and the rows just read are deleted.
  if (accepted.batchId !== id) await db.delete(batch).where(eq(batch.id, id))
  else room.nudge()
  return accepted
}

const NO_VAULT = 'Private values are for single calls: a batch takes none.'

interface Taken {
  readonly cover: ReturnType<typeof Cover.parse>
  readonly plan: BatchPlan
  readonly intake: Intake
  /** The keys of all calls' contexts, as the columns of a file. */
  readonly columns: readonly string[]
}

async function takeCalls(
  room: Pick<BatchesRoom, 'config' | 'db'>,
  userId: string,
  batchId: string,
  text: AsyncIterable<string>,
): Promise<Taken> {
  const intake = new Intake(room, userId, batchId, { keepsDropped: true })
  const incomplete = new Map<string, number>()
  const columns = new Set<string>()
  let plan: BatchPlan | undefined
  let rest: unknown
  let row = 0
  for await (const part of splitJson(text, 'calls')) {
    if (!('element' in part)) {
      rest = part.rest
      continue
    }
    if (row >= BATCH_ROWS_MAX)
      throw new AppError('too_large', `A list may have at most ${BATCH_ROWS_MAX.toLocaleString('en')} rows.`)
    const call = readAs(NewCall, part.element, `calls.${row}`)
    refuseSecrets(call, `calls.${row}.`)
    if (call.vault.length > 0) throw new AppError('invalid_input', NO_VAULT, { field: `calls.${row}.vault` })
    if (call.userId !== undefined && call.userId !== userId) throw notFound('The user')
    plan ??= planOf(call, await defaultPlan(room.db, userId))
    for (const variable of missingIn(
      call,
      withMapped(call.context, { name: nameIn(call.context), phone: call.callee }),
    ))
      incomplete.set(variable, (incomplete.get(variable) ?? 0) + 1)
    for (const column of Object.keys(call.context)) if (columns.size < COLUMNS_TOLD_MAX) columns.add(column)
    await intake.take({
      row: row++,
      phone: call.callee,
      name: nameIn(call.context),
      context: call.context,
      order: differences(plan, call),
    })
  }
  await intake.flush()
  // Each call has been checked against its own schema while it was read.
  const cover = readAs(Cover, rest)
  if (cover.userId !== undefined && cover.userId !== userId) throw notFound('The user')
  if (!plan) {
    throw new AppError('invalid_input', 'Please fill in all required fields and upload contact data.', {
      field: 'calls',
    })
  }
  if (incomplete.size > 0) throw variablesMissing([...incomplete].map(([variable, rows]) => ({ variable, rows })))
  return { cover, plan, intake, columns: [...columns] }
}

function planOf(call: NewCall, defaults: BatchPlan): BatchPlan {
  const { purpose, objectives, mandates, language } = call
  const { tone = defaults.tone, maxDurationMinutes = defaults.maxDurationMinutes } = call
  return { ...defaults, purpose, objectives, mandates, language, tone, maxDurationMinutes }
}

/** Fields in which a call differs from the plan; null if none. */
function differences(plan: BatchPlan, call: NewCall): RowOrder | null {
  const own = planOf(call, plan)
  const order: RowOrder = {}
  if (own.purpose !== plan.purpose) order.purpose = own.purpose
  const hasOwn = own.objectives.join('\n') !== plan.objectives.join('\n')
  if (hasOwn) order.objectives = own.objectives
  // They go by the places of the objectives.
  if (hasOwn || hashOf(own.mandates) !== hashOf(plan.mandates)) order.mandates = call.mandates
  if (own.tone !== plan.tone) order.tone = own.tone
  if (own.maxDurationMinutes !== plan.maxDurationMinutes) order.maxDurationMinutes = own.maxDurationMinutes
  if (own.language !== plan.language) order.language = own.language
  return Object.keys(order).length === 0 ? null : order
}

function nameIn(context: Readonly<Record<string, unknown>>): string | null {
  const { name } = context
  return typeof name === 'string' && name !== '' ? name : null
}
