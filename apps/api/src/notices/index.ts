import type { WebhookEvent } from '@parley/contract'
import { devicesRoutes, noticesRoutes as routes, securityRoutes } from '@parley/contract'
import type { BatchesRoom } from '../batches/index.ts'
import type { CallRow, CallsRoom } from '../calls/index.ts'
import type { CreditsRoom } from '../credits/index.ts'
import { isLoopback } from '../platform/requests/hosts.ts'
import type { Router } from '../platform/http.ts'
import { callMailJob, isTold, mailCallEnded, orderMailOfEnded, orderMailOfSummary } from './call-mail.ts'
import { callNews } from './call-news.ts'
import { batchMailJob, mailBatchDone } from './mails.ts'
import { createOutgoing } from './outgoing.ts'
import { addDevice, removeDevice } from './push/devices.ts'
import { orderPush, pushJob, sendPush } from './push/push.ts'
import { createPushSenders } from './push/senders.ts'
import type { NoticesRoom } from './room.ts'
import { readWebhook, renewSecret } from './webhook-secrets.ts'
import {
  deliver,
  deliverJob,
  eraseDeliveredWords,
  listDeliveries,
  notify,
  readDelivery,
  replay,
  tellWrappedUp,
  testWebhook,
} from './webhooks.ts'

export { addWebhookFigures } from './figures.ts'
export { registerLive } from './live.ts'
export { noticeFiles } from './personal.ts'
export { createPushSenders } from './push/senders.ts'
export type { NoticesRoom } from './room.ts'
export { DELIVERIES_KEPT } from './webhooks.ts'

const DELIVERED_AT_ONCE = 8
/** A receiver that does not answer holds up its own account alone. */
const DELIVERED_AT_ONCE_PER_USER = 2
const PUSHED_AT_ONCE = 4
/** The webhook of a completed call waits so long for the summary. */
const WRAP_UP_MS = 30_000

interface Told {
  readonly calls: CallsRoom
  readonly batches: BatchesRoom
  readonly credits: CreditsRoom
}

/** The room with its jobs: webhooks and mails are enqueued in the transaction of the event they tell. */
export function createNotices(
  given: Omit<NoticesRoom, 'outgoing' | 'push'>,
  { calls, batches, credits }: Told,
): NoticesRoom {
  const loopback = isLoopback(new URL(given.config.publicUrl).hostname)
  const room: NoticesRoom = {
    ...given,
    outgoing: createOutgoing({ loopback }),
    push: createPushSenders(given.config.push),
  }
  room.jobs.work(deliverJob, (delivery) => deliver(room, delivery), {
    concurrency: DELIVERED_AT_ONCE,
    perUser: DELIVERED_AT_ONCE_PER_USER,
    // Nothing tells that one user's next delivery may begin.
    isUrgent: true,
  })
  room.jobs.work(callMailJob, (order) => mailCallEnded(room, order))
  room.jobs.work(batchMailJob, (order) => mailBatchDone(room, order))
  room.jobs.work(pushJob, (order) => sendPush(room, order), { concurrency: PUSHED_AT_ONCE })
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
      if (isTold(row)) await orderPush(room, tx, { ...aboutOf(row), about: endOf(row) })
      if (row.status !== 'completed') return notify(room.jobs, tx, row.userId, aboutCall('call.failed', row))
      return notify(room.jobs, tx, row.userId, aboutCall('call.completed', row), { afterMs: WRAP_UP_MS })
    },
    async wrappedUp(tx, row) {
      await orderMailOfSummary(room.jobs, tx, row)
      await tellWrappedUp(room.jobs, tx, callNews(row))
    },
    async asks(tx, row) {
      if (isTold(row)) await orderPush(room, tx, { ...aboutOf(row), about: 'call_asks' })
    },
    async asked(tx, row) {
      if (isTold(row)) await orderPush(room, tx, { ...aboutOf(row), about: 'call_question' })
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

function aboutOf({ id: callId, userId }: CallRow): { callId: string; userId: string } {
  return { callId, userId }
}

/** A call that was answered and cut off was a call: the app says what came of it. */
function endOf({ status, connectedAt }: CallRow): 'call_completed' | 'call_failed' {
  return status === 'completed' || connectedAt !== null ? 'call_completed' : 'call_failed'
}

export function registerNotices({ route }: Router, room: NoticesRoom): void {
  const { db } = room
  route(routes.webhook, ({ actor }) => readWebhook(room, actor.userId))
  route(routes.renewSecret, ({ actor }) => renewSecret(room, actor.userId))
  route(routes.deliveries, ({ actor, query }) => listDeliveries(db, actor.userId, query))
  route(routes.delivery, ({ actor, params }) => readDelivery(db, actor.userId, params.deliveryId))
  route(routes.replay, ({ actor, params }) => replay(room, actor.userId, params.deliveryId))
  route(devicesRoutes.add, ({ actor, body }) => addDevice(room, actor, body))
  route(devicesRoutes.remove, async ({ actor, params }) => {
    await removeDevice(db, actor.userId, params.id)
    return { message: 'This phone gets no more notifications.' }
  })
  route(securityRoutes.testWebhook, ({ actor }) => testWebhook(room, actor.userId))
}
