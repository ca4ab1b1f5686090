import type { WebhookEvent } from '@parley/contract'
import { noticesRoutes as routes, securityRoutes } from '@parley/contract'
import type { BatchesRoom } from '../batches/index.ts'
import type { CallsRoom } from '../calls/index.ts'
import type { CreditsRoom } from '../credits/index.ts'
import { isLoopback } from '../platform/requests/hosts.ts'
import type { Router } from '../platform/http.ts'
import { callMailJob, mailCallEnded, orderMailOfEnded, orderMailOfSummary } from './call-mail.ts'
import { callNews } from './call-news.ts'
import { batchMailJob, mailBatchDone } from './mails.ts'
import { createOutgoing } from './outgoing.ts'
import type { NoticesRoom } from './room.ts'
import {
  deliver,
  deliverJob,
  eraseDeliveredWords,
  forgetOldDeliveries,
  listDeliveries,
  notify,
  readDelivery,
  readWebhook,
  renewSecret,
  replay,
  tellWrappedUp,
  testWebhook,
} from './webhooks.ts'

export { registerLive } from './live.ts'
export { webhookFiles } from './personal.ts'
export type { NoticesRoom } from './room.ts'

const DELIVERED_AT_ONCE = 8
const SWEEP_EVERY_MS = 3_600_000
/** The webhook of a completed call waits so long for the summary. */
const WRAP_UP_MS = 30_000

interface Told {
  readonly calls: CallsRoom
  readonly batches: BatchesRoom
  readonly credits: CreditsRoom
}

/** The room with its jobs: webhooks and mails are enqueued in the transaction of the event they tell. */
export function createNotices(given: Omit<NoticesRoom, 'outgoing'>, { calls, batches, credits }: Told): NoticesRoom {
  const loopback = isLoopback(new URL(given.config.publicUrl).hostname)
  const room: NoticesRoom = { ...given, outgoing: createOutgoing({ loopback }) }
  room.jobs.work(deliverJob, (delivery) => deliver(room, delivery), { concurrency: DELIVERED_AT_ONCE })
  room.jobs.work(callMailJob, (order) => mailCallEnded(room, order))
  room.jobs.work(batchMailJob, (order) => mailBatchDone(room, order))
  room.jobs.every('notices.sweep', SWEEP_EVERY_MS, () => forgetOldDeliveries(room.db))
  const at = () => new Date().toISOString()
  const aboutCall = (
    type: 'call.started' | 'call.completed' | 'call.failed',
    row: Parameters<typeof callNews>[0],
  ): WebhookEvent => {
    return { type, timestamp: at(), data: callNews(row) }
  }
  calls.hooks.on({
    started: (tx, row) => notify(room.jobs, tx, row.userId, aboutCall('call.started', row)),
    async ended(tx, row) {
      await orderMailOfEnded(room.jobs, tx, row)
      if (row.status !== 'completed') return notify(room.jobs, tx, row.userId, aboutCall('call.failed', row))
      return notify(room.jobs, tx, row.userId, aboutCall('call.completed', row), { afterMs: WRAP_UP_MS })
    },
    async wrappedUp(tx, row) {
      await orderMailOfSummary(room.jobs, tx, row)
      await tellWrappedUp(room.jobs, tx, callNews(row))
    },
    optedOut: (tx, { userId, callee: phone, id: callId }, quote) =>
      notify(room.jobs, tx, userId, { type: 'contact.opted_out', timestamp: at(), data: { phone, callId, quote } }),
    erased: eraseDeliveredWords,
  })
  batches.hooks.on({
    async completed(tx, userId, batch) {
      await notify(room.jobs, tx, userId, { type: 'batch.completed', timestamp: at(), data: batch })
      const { id, name, contacts, creditsCharged } = batch
      await room.jobs.enqueue(
        tx,
        batchMailJob,
        { userId, batch: { id, name, contacts, creditsCharged } },
        { key: `${batch.id}:${batch.endedAt}` },
      )
    },
  })
  credits.hooks.on({
    low: (tx, userId, { available, held }) =>
      notify(room.jobs, tx, userId, {
        type: 'credits.low',
        timestamp: at(),
        data: { creditBalance: String(available), creditsHeld: held },
      }),
  })
  return room
}

export function registerNotices({ route }: Router, room: NoticesRoom): void {
  const { db } = room
  route(routes.webhook, ({ actor }) => readWebhook(room, actor.userId))
  route(routes.renewSecret, ({ actor }) => renewSecret(room, actor.userId))
  route(routes.deliveries, ({ actor, query }) => listDeliveries(db, actor.userId, query))
  route(routes.delivery, ({ actor, params }) => readDelivery(db, actor.userId, params.deliveryId))
  route(routes.replay, ({ actor, params }) => replay(room, actor.userId, params.deliveryId))
  route(securityRoutes.testWebhook, ({ actor }) => testWebhook(room, actor.userId))
}
