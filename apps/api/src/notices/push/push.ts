import type { Language } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { settingsOf } from '../../accounts/index.ts'
import { type Db, type Tx, withTx } from '../../platform/db.ts'
import { defineJob, type Jobs } from '../../platform/jobs.ts'
import type { NoticesRoom } from '../room.ts'
import { device } from '../schema.ts'
import type { PushMessage } from './port.ts'

type About = 'call_completed' | 'call_failed' | 'call_asks' | 'call_question'

/** Only ids: the job may outlive the account. */
interface PushOrder {
  readonly deviceId: string
  readonly callId: string
  readonly about: About
  /** From 1. */
  readonly attempt: number
}

/** One job per attempt; the queue retries it only after a crash. */
export const pushJob = defineJob<PushOrder>('notices.push', { retryLimit: 2, expireSeconds: 60 })

/** Waits before the second and further attempts, half an hour in total; then the message is dropped. */
export const PUSH_WAITS_MS = [5_000, 30_000, 120_000, 600_000, 1_200_000] as const
/** Longer is of no use to anybody. */
const WAIT_MAX_MS = 1_200_000

const WORDS: Readonly<Record<Language, Readonly<Record<About, Omit<PushMessage, 'callId'>>>>> = {
  en: {
    call_completed: { title: 'Your call is over', body: 'Tap to see what came of it.' },
    call_failed: { title: 'Your call did not go through', body: 'Tap to see why.' },
    call_asks: { title: 'A call waits for your decision', body: 'Tap to see what was offered.' },
    call_question: { title: 'Your call has a question', body: 'Tap to see what they ask.' },
  },
  es: {
    call_completed: { title: 'Tu llamada ha terminado', body: 'Toca para ver el resultado.' },
    call_failed: { title: 'Tu llamada no se pudo completar', body: 'Toca para ver el motivo.' },
    call_asks: { title: 'Una llamada espera tu decisión', body: 'Toca para ver lo que se ofreció.' },
    call_question: { title: 'Tu llamada tiene una pregunta', body: 'Toca para ver lo que preguntan.' },
  },
}

/** Enqueues a message to each phone of a user in the transaction of its fact. Nothing while no service has keys. */
export async function orderPush(
  { jobs, push }: Pick<NoticesRoom, 'jobs' | 'push'>,
  tx: Tx,
  { userId, callId, about }: { readonly userId: string; readonly callId: string; readonly about: About },
): Promise<void> {
  if (Object.keys(push).length === 0) return
  const phones = await tx
    .select({ id: device.id, platform: device.platform })
    .from(device)
    .where(eq(device.userId, userId))
  const reached = phones.filter(({ platform }) => push[platform])
  // The one switch of notifications, of mails and of these.
  if (reached.length === 0 || !(await settingsOf(tx, userId)).emailNotifications) return
  for (const { id: deviceId } of reached) await enqueue(jobs, tx, { deviceId, callId, about, attempt: 1 }, new Date())
}

async function enqueue(jobs: Jobs, tx: Tx, order: PushOrder, startAfter: Date): Promise<void> {
  const key = `${order.deviceId}:${order.callId}:${order.about}:${order.attempt}`
  await jobs.enqueue(tx, pushJob, order, { key, startAfter })
}

/** Sends a message to one phone. Forgets a phone whose token is dead; enqueues the next attempt for a busy service. */
export async function sendPush(
  room: Pick<NoticesRoom, 'db' | 'jobs' | 'log' | 'push'>,
  order: PushOrder,
  now: () => number = Date.now,
): Promise<void> {
  const { db, jobs, log, push } = room
  const { deviceId, callId, about, attempt } = order
  const [phone] = await db.select().from(device).where(eq(device.id, deviceId))
  const sender = phone && push[phone.platform]
  // It has signed out since.
  if (!sender) return
  const result = await sender.send(phone.token, { ...WORDS[phone.language][about], callId })
  if (result.kind === 'sent') return
  if (result.kind === 'gone') return forget(db, phone)
  const waitMs = PUSH_WAITS_MS[attempt - 1]
  if (result.kind === 'refused' || waitMs === undefined) {
    log.warn({ problem: result.problem, attempt }, 'a notification was not sent')
    return
  }
  const wishedMs = (result.afterSeconds ?? 0) * 1000
  const startAfter = new Date(now() + Math.min(WAIT_MAX_MS, Math.max(waitMs, wishedMs)))
  await withTx(db, (tx) => enqueue(jobs, tx, { ...order, attempt: attempt + 1 }, startAfter))
}

/** Unless the phone has sent a new token meanwhile. */
async function forget(db: Db, { token }: { readonly token: string }): Promise<void> {
  await db.delete(device).where(eq(device.token, token))
}
