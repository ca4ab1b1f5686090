import {
  type BatchChange,
  type BatchOverview,
  type BatchPlan,
  fitObjectives,
  MANDATES_UNFIT,
  type NewConsentEvidence,
} from '@parley/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { findPerson, type Person } from '../accounts/index.ts'
import { callsOfBatch, changeCall } from '../calls/index.ts'
import { audit, checkEvidence, isDialingOn, refuseSecrets } from '../consent/index.ts'
import { balance } from '../credits/index.ts'
import { type Db, type Tx, withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { finish } from './results/ended.ts'
import { findBatch, lockBatch, readOverview } from './read.ts'
import type { BatchesRoom, Beginning } from './room.ts'
import { batch, batchContact, type BatchRecord } from './schema.ts'
import { dropIncomplete, missingVariables, variablesMissing } from './intake/variables.ts'

/** Starts, schedules, pauses, resumes or stops a batch, retries its failed contacts, or changes a draft. */
export async function changeBatch(
  room: Pick<BatchesRoom, 'calls' | 'db' | 'hooks' | 'log' | 'nudge' | 'tell'>,
  userId: string,
  batchId: string,
  change: BatchChange,
): Promise<BatchOverview> {
  const overview = await withTx(room.db, async (tx) => {
    if (change.action === 'stop') await lockContacts(tx, await findBatch(tx, userId, batchId), 'waiting')
    if (change.action === 'retry-failed') await lockContacts(tx, await findBatch(tx, userId, batchId), 'failed')
    await apply(room, tx, await lockBatch(tx, batchId, userId), change)
    return readOverview(tx, await lockBatch(tx, batchId, userId))
  })
  room.tell(batchId)
  room.nudge()
  if (change.action === 'stop') await hangUp(room, userId, batchId)
  return overview
}

/** Lock order: contacts before the batch, as dialing and the end of a call take them. */
async function lockContacts(tx: Tx, { id }: BatchRecord, status: 'waiting' | 'failed'): Promise<void> {
  const wanted = and(eq(batchContact.batchId, id), eq(batchContact.status, status))
  await tx.execute(
    sql`select count(*) from (select from ${batchContact} where ${wanted} order by ${batchContact.row} for update) as locked`,
  )
}

async function apply(room: Beginning, tx: Tx, row: BatchRecord, change: BatchChange): Promise<void> {
  switch (change.action) {
    case 'start':
    case 'schedule':
      return startDraft(room, tx, row, change)
    case 'pause':
      return pause(tx, row)
    case 'resume':
      return resume(room, tx, row)
    case 'stop':
      return stop(tx, row)
    case 'retry-failed':
      return retryFailed(room, tx, row)
    case undefined:
      return changeDraft(tx, row, change)
  }
}

async function startDraft(
  room: Beginning,
  tx: Tx,
  row: BatchRecord,
  change: Extract<BatchChange, { action: 'start' | 'schedule' }>,
) {
  if (row.status !== 'draft' && row.status !== 'scheduled')
    throw new AppError('conflict', 'This batch was started before.')
  if (row.plan.purpose === '' || row.waiting === 0) {
    throw new AppError('invalid_input', 'Please fill in all required fields and upload contact data.', {
      field: 'plan.purpose',
    })
  }
  // A batch created through the API may lack consent evidence; an uploaded file may not.
  if (row.permission === null && row.status === 'draft') {
    throw new AppError('consent_required', 'Say what permission the contacts of this list gave to be called.', {
      field: 'consent',
    })
  }
  const missing = await missingVariables(tx, row)
  if (missing.length > 0 && !change.dropIncomplete) throw variablesMissing(missing)
  const dropped = missing.length > 0 ? await dropIncomplete(tx, row) : 0
  const left = { ...row, waiting: row.waiting - dropped, dropped: row.dropped + dropped }
  if (left.waiting === 0) {
    const variables = missing.map(({ variable }) => `{{${variable}}}`).join(', ')
    throw new AppError(
      'nobody_left',
      `Nobody is left to call: every row lacks ${variables}. Change the purpose or the objectives.`,
      {
        field: 'purpose',
      },
    )
  }
  await tx.update(batch).set({ waiting: left.waiting, dropped: left.dropped }).where(eq(batch.id, row.id))
  if (row.status === 'draft' && row.permission !== null) {
    const { permission, marketing, permissionDetails } = row
    await auditEvidence(tx, row, { permission, marketing: marketing ?? false, details: permissionDetails ?? '' })
  }
  await begin(room, tx, left, change.action === 'schedule' ? new Date(change.at) : null)
}

/** Runs a batch now or from a time on. Requires some credits, not all: the estimate tells the shortfall. */
export async function begin(room: Beginning, tx: Tx, row: BatchRecord, at: Date | null): Promise<void> {
  const now = new Date()
  if (row.waiting === 0 && row.calling === 0) {
    return finish(room.hooks, tx, row)
  }
  await mayBegin(tx, row)
  const later = at !== null && at > now
  const times = later ? { scheduledFor: at, lookAt: at } : { scheduledFor: at, startedAt: now, lookAt: null }
  await tx
    .update(batch)
    .set({ status: later ? 'scheduled' : 'running', pausedBy: null, statusMessage: null, ...times })
    .where(eq(batch.id, row.id))
  room.log.info({ batchId: row.id, contacts: row.waiting, scheduled: later }, 'batch begins')
}

async function mayBegin(tx: Tx, { userId }: BatchRecord): Promise<void> {
  const { available, debt } = await balance(tx, userId)
  if (debt > 0)
    throw new AppError(
      'debt_outstanding',
      `Credits owed after a refund: ${debt}. Please purchase credits to start a call.`,
    )
  if (available <= 0)
    throw new AppError('insufficient_credits', 'You have 0 credits. Please purchase credits to start a call.')
  if (!(await isDialingOn(tx)))
    throw new AppError('dialing_off', 'New calls are paused for the moment. Please try again later.')
}

async function pause(tx: Tx, row: BatchRecord): Promise<void> {
  if (row.status !== 'running' && row.status !== 'scheduled' && row.status !== 'paused')
    throw new AppError('conflict', 'This batch is not under way.')
  const statusMessage = 'You paused this batch. Calls that run go on.'
  await tx.update(batch).set({ status: 'paused', pausedBy: 'person', statusMessage }).where(eq(batch.id, row.id))
}

async function resume(room: Beginning, tx: Tx, row: BatchRecord): Promise<void> {
  if (row.status !== 'paused') throw new AppError('conflict', 'This batch is not paused.')
  await begin(room, tx, row, row.startedAt === null ? row.scheduledFor : null)
  await tx
    .update(batch)
    .set({ carrierFailures: 0, startedAt: row.startedAt ?? new Date() })
    .where(and(eq(batch.id, row.id), eq(batch.status, 'running')))
}

async function stop(tx: Tx, row: BatchRecord): Promise<void> {
  if (row.status === 'done' || row.status === 'stopped') throw new AppError('conflict', 'This batch has ended.')
  await tx
    .update(batchContact)
    .set({ status: 'cancelled', nextAttemptAt: null })
    .where(and(eq(batchContact.batchId, row.id), eq(batchContact.status, 'waiting')))
  const counts = { waiting: 0, cancelled: row.cancelled + row.waiting }
  const ending = {
    status: 'stopped' as const,
    pausedBy: null,
    statusMessage: 'You stopped this batch.',
    endedAt: new Date(),
  }
  await tx
    .update(batch)
    .set({ ...counts, ...ending })
    .where(eq(batch.id, row.id))
}

/** Stops every batch of a user who closes the account. */
export async function stopBatches(tx: Tx, userId: string): Promise<void> {
  const underWay = and(eq(batch.userId, userId), inArray(batch.status, ['scheduled', 'running', 'paused']))
  for (const row of await tx.select().from(batch).where(underWay).orderBy(batch.id)) {
    await lockContacts(tx, row, 'waiting')
    const now = await lockBatch(tx, row.id)
    if (now.status !== 'done' && now.status !== 'stopped') await stop(tx, now)
  }
}

/** Hangs up the batch's live calls concurrently: each may wait for the voice service, and a batch has few. */
async function hangUp(room: Pick<BatchesRoom, 'calls' | 'db' | 'log'>, userId: string, batchId: string): Promise<void> {
  const hangUpOne = async (callId: string) => {
    await changeCall(room.calls, userId, callId, { action: 'stop' }).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'call_ended'))
        room.log.warn({ err: error, callId }, 'call of a stopped batch')
    })
  }
  await Promise.all((await callsOfBatch.liveIds(room.db, batchId)).map(hangUpOne))
}

/** Gives failed contacts the plan's attempts again; contacts refused by a rule stay as they are. */
async function retryFailed(room: Beginning, tx: Tx, row: BatchRecord): Promise<void> {
  if (row.status === 'draft' || row.status === 'scheduled')
    throw new AppError('conflict', 'This batch was not started yet.')
  if (row.failed === 0) throw new AppError('conflict', 'No contact of this batch has failed.')
  const { rowCount } = await tx
    .update(batchContact)
    .set({
      status: 'waiting',
      code: null,
      nextAttemptAt: null,
      attemptsMax: sql`${batchContact.attempts} + ${row.plan.retries.attempts}`,
    })
    .where(and(eq(batchContact.batchId, row.id), eq(batchContact.status, 'failed')))
  const again = rowCount ?? 0
  const left = { ...row, waiting: row.waiting + again, failed: row.failed - again }
  const moved = { waiting: left.waiting, failed: left.failed, carrierFailures: 0, endedAt: null, lookAt: null }
  await tx.update(batch).set(moved).where(eq(batch.id, row.id))
  // A paused batch stays paused and calls these contacts when it is resumed.
  if (row.status === 'running' || row.status === 'paused') return
  await begin(room, tx, left, null)
  await tx
    .update(batch)
    .set({ startedAt: row.startedAt ?? new Date() })
    .where(eq(batch.id, row.id))
}

async function changeDraft(
  tx: Tx,
  row: BatchRecord,
  change: Extract<BatchChange, { action?: undefined }>,
): Promise<void> {
  const { name, description, plan, consent } = change
  if (plan) refuseSecrets(plan, 'plan.')
  if (
    (plan ?? consent) !== undefined &&
    row.status !== 'draft' &&
    row.status !== 'scheduled' &&
    row.status !== 'paused'
  ) {
    throw new AppError('conflict', 'Pause the batch to change what is said in its calls.')
  }
  const evidence = consent === undefined ? {} : evidenceFields(consent, await findPerson(tx, row.userId))
  const fields = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) }
  const said = Object.entries(plan ?? {}).filter(([, value]) => value !== undefined)
  const changed = { ...row, plan: withMandates(row.plan, { ...row.plan, ...Object.fromEntries(said) }) }
  if (plan !== undefined && row.status !== 'draft') {
    if (changed.plan.purpose === '')
      throw new AppError('invalid_input', 'Say what the calls are for.', { field: 'plan.purpose' })
    const missing = await missingVariables(tx, changed)
    if (missing.length > 0) throw variablesMissing(missing)
  }
  await tx
    .update(batch)
    .set({ ...fields, ...evidence, plan: changed.plan })
    .where(eq(batch.id, row.id))
  // A draft's evidence is audited when the batch starts.
  if (consent !== undefined && row.status !== 'draft') await auditEvidence(tx, row, consent)
}

/** A mandate stays with the words of its objective. */
function withMandates(before: BatchPlan, plan: BatchPlan): BatchPlan {
  const { objectives, mandates = [] } = plan
  if (plan.mandates !== before.mandates) {
    if (fitObjectives({ objectives, mandates })) return plan
    throw new AppError('invalid_input', MANDATES_UNFIT.error, { field: 'plan.mandates' })
  }
  if (mandates.length === 0) return plan
  return { ...plan, mandates: objectives.map((text) => mandates[before.objectives.indexOf(text)] ?? null) }
}

/** The audit keeps the consent evidence longer than the batch. */
export async function auditEvidence(
  tx: Tx,
  { id, userId }: Pick<BatchRecord, 'id' | 'userId'>,
  evidence: NewConsentEvidence,
) {
  const { marketing, permission, details } = evidence
  await audit(tx, {
    userId,
    kind: 'evidence',
    batchId: id,
    detail: `${marketing ? 'marketing, ' : ''}${permission}: ${details}`,
  })
}

/** Consent evidence with the name of its author and the time. Throws for marketing without permission. */
export function evidenceFields(evidence: NewConsentEvidence, { name }: Person) {
  checkEvidence(evidence)
  const { marketing, permission, details: permissionDetails } = evidence
  return { marketing, permission, permissionDetails, permissionBy: name, permissionAt: new Date() }
}

/** Deletes a batch that is a draft, done or stopped. Its calls stay in the history. */
export async function deleteBatch(db: Db, userId: string, batchId: string): Promise<void> {
  await withTx(db, async (tx) => {
    const row = await lockBatch(tx, batchId, userId)
    if (row.calling > 0 || !['draft', 'done', 'stopped'].includes(row.status)) {
      throw new AppError('conflict', 'Stop the batch before you delete it.')
    }
    await tx.delete(batch).where(inArray(batch.id, [row.id]))
  })
}
