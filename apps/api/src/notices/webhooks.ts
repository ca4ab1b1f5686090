import {
  type CallNews,
  type PageQuery,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookEvent,
} from '@parley/contract'
import { and, eq, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import { Webhook as Signer } from 'standardwebhooks'
import { settingsOf } from '../accounts/index.ts'
import type { ErasedWords } from '../calls/index.ts'
import type { Db, Reader, Tx } from '../platform/db.ts'
import { withTx } from '../platform/db.ts'
import { newRowId } from '../platform/database/row-ids.ts'
import { notFound } from '../platform/errors.ts'
import type { Page } from '../platform/http.ts'
import { defineJob, type Jobs } from '../platform/jobs.ts'
import { newestFirst } from '../platform/pages.ts'
import type { Retention } from '../platform/database/partitions/retention.ts'
import type { Answer } from './outgoing.ts'
import type { NoticesRoom } from './room.ts'
import { webhookDelivery } from './schema.ts'
import { noAddress, secretsFor } from './webhook-secrets.ts'

/** One job per attempt; pg-boss retries it only after a crash. */
export const deliverJob = defineJob<{ deliveryId: string; attempt: number }>('notices.deliver', {
  retryLimit: 3,
  expireSeconds: 30,
})

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** Waits before the second and further attempts: three days in total. */
export const RETRY_WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const
/** Longer than an attempt takes; the attempt of a crashed process is repeated after it. */
const SENDING_SECONDS = 15

type Row = typeof webhookDelivery.$inferSelect

/** An archive says what was sent when and where, without the words of calls. */
export const DELIVERIES_KEPT: Retention = {
  table: 'webhook_delivery',
  days: 30,
  row: sql`to_jsonb(part) || jsonb_build_object('payload', jsonb_set(part.payload, '{data}', '{}'), 'response', null)`,
}

const notSending = sql`coalesce(${webhookDelivery.sendingUntil} <= clock_timestamp(), true)`

/** Enqueues a webhook event, if the user has an address, in the transaction of its fact. */
export async function notify(
  jobs: Jobs,
  tx: Tx,
  userId: string,
  event: WebhookEvent,
  { afterMs = 0 } = {},
): Promise<void> {
  const { webhookUrl } = await settingsOf(tx, userId)
  if (webhookUrl !== null) await enqueue(jobs, tx, { userId, url: webhookUrl, event, afterMs })
}

/** Adds outcomes and summary to the waiting call.completed event and sends it now. A sent event stays unchanged. */
export async function tellWrappedUp(jobs: Jobs, tx: Tx, call: CallNews): Promise<void> {
  const ofItsEnd = and(eq(webhookDelivery.callId, call.id), eq(webhookDelivery.type, 'call.completed'))
  const [row] = await tx
    .update(webhookDelivery)
    .set({ payload: sql`jsonb_set(payload, '{data}', ${JSON.stringify(call)}::jsonb)`, nextAttemptAt: new Date() })
    .where(and(ofItsEnd, notSending, eq(webhookDelivery.status, 'waiting'), eq(webhookDelivery.attempts, 0)))
    .returning({ id: webhookDelivery.id, userId: webhookDelivery.userId })
  if (!row) return
  const { id, userId } = row
  await jobs.enqueue(tx, deliverJob, { deliveryId: id, attempt: 1 }, { key: `${id}:1:whole`, userId })
}

async function enqueue(
  jobs: Jobs,
  tx: Tx,
  { userId, url, event, afterMs = 0 }: { userId: string; url: string; event: WebhookEvent; afterMs?: number },
): Promise<Row> {
  const id = `msg_${newRowId().replaceAll('-', '')}`
  const now = new Date()
  const startAfter = new Date(now.getTime() + afterMs)
  const [row] = await tx
    .insert(webhookDelivery)
    .values({
      id,
      userId,
      type: event.type,
      url,
      callId: callOf(event),
      payload: event,
      nextAttemptAt: startAfter,
      createdAt: now,
    })
    .returning()
  if (!row) throw new Error('The delivery was not written')
  await jobs.enqueue(
    tx,
    deliverJob,
    { deliveryId: id, attempt: 1 },
    { key: `${id}:1`, userId, ...(afterMs > 0 ? { startAfter } : {}) },
  )
  return row
}

function callOf(event: WebhookEvent): string | null {
  switch (event.type) {
    case 'call.started':
    case 'call.completed':
    case 'call.failed':
      return event.data.id
    case 'contact.opted_out':
      return event.data.callId
    case 'batch.completed':
    case 'credits.low':
    case 'test':
      return null
  }
}

/** Erases these calls' transcript, summary, outcomes, notes and quotes from stored events and responses. */
export async function eraseDeliveredWords(tx: Tx, callIds: readonly string[], left: ErasedWords): Promise<void> {
  const data = sql`case ${webhookDelivery.type} when 'contact.opted_out' then ${JSON.stringify({ quote: left.transcript })}::jsonb
    else ${JSON.stringify(left)}::jsonb end`
  await tx
    .update(webhookDelivery)
    .set({ payload: sql`jsonb_set(payload, '{data}', payload -> 'data' || ${data})`, response: null })
    .where(and(inArray(webhookDelivery.callId, [...callIds]), ne(webhookDelivery.type, 'call.started')))
}

/** Makes one attempt; a failed one is retried under the same id for about three days. */
export async function deliver(
  room: Pick<NoticesRoom, 'config' | 'db' | 'jobs' | 'outgoing'>,
  { deliveryId, attempt }: { deliveryId: string; attempt: number },
): Promise<void> {
  const { db } = room
  // A repeated job finds its attempt made already.
  const due = and(
    eq(webhookDelivery.id, deliveryId),
    eq(webhookDelivery.status, 'waiting'),
    lt(webhookDelivery.attempts, attempt),
  )
  const row = await begin(db, due)
  if (!row) return withTx(db, (tx) => lookAgain(room.jobs, tx, due, { deliveryId, attempt }))
  const { webhookUrl } = await settingsOf(db, row.userId)
  if (webhookUrl !== row.url) return giveUp(db, row)
  const answer = await send(room, row)
  await withTx(db, (tx) => keep(room.jobs, tx, row, attempt, answer))
}

/** Leases the delivery, so that an attempt is made once at a time. */
async function begin(db: Db, due: SQL | undefined): Promise<Row | undefined> {
  const sendingUntil = sql`clock_timestamp() + make_interval(secs => ${SENDING_SECONDS})`
  const [row] = await db.update(webhookDelivery).set({ sendingUntil }).where(and(due, notSending)).returning()
  return row
}

/** Another process holds the lease; check again when it expires, in case that process crashes. */
async function lookAgain(
  jobs: Jobs,
  tx: Tx,
  due: SQL | undefined,
  job: { deliveryId: string; attempt: number },
): Promise<void> {
  const { userId, sendingUntil: until } = webhookDelivery
  const [sending] = await tx.select({ until, userId }).from(webhookDelivery).where(due)
  if (!sending) return
  const startAfter = sending.until ?? new Date()
  await jobs.enqueue(tx, deliverJob, job, {
    key: `${job.deliveryId}:${job.attempt}:${startAfter.getTime()}`,
    startAfter,
    userId: sending.userId,
  })
}

/** Fails a delivery whose address was changed or whose account was closed. */
async function giveUp(db: Db, { id }: Row): Promise<void> {
  const error = 'The webhook address was changed before this was delivered.'
  await db
    .update(webhookDelivery)
    .set({ status: 'failed', nextAttemptAt: null, sendingUntil: null, error })
    .where(eq(webhookDelivery.id, id))
}

async function send(
  room: Pick<NoticesRoom, 'config' | 'db' | 'outgoing'>,
  { id, userId, url, payload }: Pick<Row, 'id' | 'userId' | 'url' | 'payload'>,
): Promise<Answer> {
  const secrets = await secretsFor(room, userId, url)
  const body = JSON.stringify(payload)
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, now, body)).join(' '),
  }
  return room.outgoing.post(url, headers, body)
}

async function keep(jobs: Jobs, tx: Tx, row: Row, attempt: number, answer: Answer): Promise<Row> {
  const now = new Date()
  const delivered = 'status' in answer && answer.status >= 200 && answer.status < 300
  const waitMs = RETRY_WAITS_MS[attempt - row.attemptsBefore - 1]
  // 410 Gone: the receiver unsubscribes.
  const again = !delivered && waitMs !== undefined && !('status' in answer && answer.status === 410)
  const nextAttemptAt = again ? new Date(now.getTime() + waitMs) : null
  const response = 'status' in answer ? answer.text : null
  // Drops the response if the payload was erased during sending, since it may repeat the transcript.
  const sentAsItStands = sql`${webhookDelivery.payload} = ${JSON.stringify(row.payload)}::jsonb`
  const [kept] = await tx
    .update(webhookDelivery)
    .set({
      attempts: attempt,
      status: delivered ? 'delivered' : again ? 'waiting' : 'failed',
      deliveredAt: delivered ? now : null,
      nextAttemptAt,
      sendingUntil: null,
      responseStatus: 'status' in answer ? answer.status : null,
      response: sql`case when ${sentAsItStands} then ${response}::text end`,
      error: delivered ? null : errorOf(answer),
    })
    .where(eq(webhookDelivery.id, row.id))
    .returning()
  if (nextAttemptAt) {
    const next = { deliveryId: row.id, attempt: attempt + 1 }
    await jobs.enqueue(tx, deliverJob, next, {
      key: `${row.id}:${attempt + 1}`,
      startAfter: nextAttemptAt,
      userId: row.userId,
    })
  }
  return kept ?? row
}

function errorOf(answer: Answer): string {
  if ('problem' in answer) return answer.problem
  const { status } = answer
  return status >= 300 && status < 400
    ? `It answered with a redirect (${status}), which is not followed.`
    : `It answered ${status}.`
}

/** Sends a test event now and returns the result. */
export async function testWebhook(
  room: Pick<NoticesRoom, 'config' | 'db' | 'outgoing'>,
  userId: string,
): Promise<{ delivered: boolean; status: number | null; message: string }> {
  const { webhookUrl: url } = await settingsOf(room.db, userId)
  if (url === null) throw noAddress()
  const now = new Date()
  const payload: WebhookEvent = { type: 'test', timestamp: now.toISOString(), data: { message: 'This is a test.' } }
  const id = `msg_${newRowId().replaceAll('-', '')}`
  const answer = await send(room, { id, userId, url, payload })
  const delivered = 'status' in answer && answer.status >= 200 && answer.status < 300
  const outcome = {
    attempts: 1,
    status: delivered ? ('delivered' as const) : ('failed' as const),
    deliveredAt: delivered ? now : null,
  }
  const said = {
    responseStatus: 'status' in answer ? answer.status : null,
    response: 'status' in answer ? answer.text : null,
  }
  const error = delivered ? null : errorOf(answer)
  await room.db
    .insert(webhookDelivery)
    .values({ id, userId, type: 'test', url, payload, createdAt: now, error, ...outcome, ...said })
  return { delivered, status: said.responseStatus, message: error ?? 'Your webhook took the test event.' }
}

/** Sends a delivery again, with its id, to the current address. */
export async function replay(
  room: Pick<NoticesRoom, 'db' | 'jobs'>,
  userId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const { webhookUrl: url } = await settingsOf(room.db, userId)
  if (url === null) throw noAddress()
  const row = await withTx(room.db, async (tx) => {
    const [found] = await tx.select().from(webhookDelivery).where(own(userId, deliveryId)).for('update')
    if (!found) throw notFound('The delivery')
    const attempt = found.attempts + 1
    const changes = {
      url,
      status: 'waiting' as const,
      attemptsBefore: found.attempts,
      nextAttemptAt: new Date(),
      deliveredAt: null,
    }
    const [waiting] = await tx
      .update(webhookDelivery)
      .set(changes)
      .where(eq(webhookDelivery.id, deliveryId))
      .returning()
    await room.jobs.enqueue(tx, deliverJob, { deliveryId, attempt }, { key: `${deliveryId}:${attempt}:replay`, userId })
    return waiting ?? found
  })
  return toDelivery(row)
}

const own = (userId: string, id: string) => and(eq(webhookDelivery.id, id), eq(webhookDelivery.userId, userId))

export async function listDeliveries(reader: Reader, userId: string, query: PageQuery): Promise<Page<WebhookDelivery>> {
  const wanted = eq(webhookDelivery.userId, userId)
  const columns = { at: webhookDelivery.createdAt, id: webhookDelivery.id }
  const { after, order, limit, page } = newestFirst(query, columns)
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(webhookDelivery)
      .where(and(wanted, after))
      .orderBy(...order)
      .limit(limit),
    reader.$count(webhookDelivery, wanted),
  ])
  return page(rows, total).map(toDelivery)
}

export async function readDelivery(
  reader: Reader,
  userId: string,
  deliveryId: string,
): Promise<WebhookDeliveryDetails> {
  const [row] = await reader.select().from(webhookDelivery).where(own(userId, deliveryId))
  if (!row) throw notFound('The delivery')
  return { ...toDelivery(row), payload: row.payload, response: row.response }
}

function toDelivery({
  id,
  type,
  url,
  status,
  attempts,
  responseStatus,
  error,
  nextAttemptAt,
  createdAt,
  deliveredAt,
}: Row): WebhookDelivery {
  const times = { nextAttemptAt: nextAttemptAt?.toISOString() ?? null, deliveredAt: deliveredAt?.toISOString() ?? null }
  return { id, type, url, status, attempts, responseStatus, error, createdAt: createdAt.toISOString(), ...times }
}
