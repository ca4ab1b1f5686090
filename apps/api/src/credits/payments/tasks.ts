import { LIST_LIMIT_DEFAULT } from '@parley/contract'
import { and, asc, eq, isNull, ne, notExists, type SQL, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Jobs } from '../../platform/jobs.ts'
import { type Db, type Reader, type Tx, withTx } from '../../platform/db.ts'
import { eachAlone, isNotPassedOver } from '../../platform/rounds/each-alone.ts'
import { kindOf } from '../../platform/rounds/error-kind.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import { adjust, type Posting } from '../ledger/ledger.ts'
import { mailJob } from '../mails.ts'
import { type Crediting, type PaymentRow, stripeOf } from '../room.ts'
import { autoTopUp, operatorTask, payment } from '../schema.ts'
import { answerOf } from './stripe.ts'

// What a person decides (npm run ops -- tasks): a payment that is paid but not what was ordered, for which nothing is
// granted until then, and one that could not be read again and again.

type TaskRow = typeof operatorTask.$inferSelect

const REFUNDS_PER_ROUND = 20
const REFUND_TASK = 'credits.refund'
/** After so many in a row the provider is probably away. */
const REFUNDS_FAILED_IN_ROW_MAX = 3
/** A refund that has failed so often is a person's again. */
const REFUND_FAILURES_MAX = 5

/** Opens the task of a paid mismatch, and mails the operator, once for each payment. */
export async function openTask(jobs: Jobs, tx: Tx, order: PaymentRow, intent: Stripe.PaymentIntent): Promise<void> {
  const { id: orderId, amountCents: ordered, currency } = order
  const paid = `${intent.amount_received} ${intent.currency}`
  const detail = `Paid ${paid} (smallest unit) for order ${orderId} of ${ordered} ${currency}`
  await open(jobs, tx, { kind: 'paid_mismatch', intentId: intent.id, orderId, detail })
}

/** The same for a payment that fails each time it is read. It is not asked about any more. */
export async function openUnreadable(
  room: Pick<Crediting, 'db' | 'jobs'>,
  { id: orderId, intentId }: { readonly id: string; readonly intentId: string },
  error: unknown,
): Promise<void> {
  const detail = `The payment of order ${orderId} fails each time it is read (${kindOf(error)})`
  await withTx(room.db, (tx) => open(room.jobs, tx, { kind: 'unreadable', intentId, orderId, detail }))
}

type NewTask = Pick<TaskRow, 'kind' | 'intentId' | 'orderId' | 'detail'>

/** What is known by now replaces what could not be read before. */
async function open(jobs: Jobs, tx: Tx, task: NewTask): Promise<void> {
  const { kind, detail } = task
  const isUnread = sql`${operatorTask.kind} = 'unreadable' and ${operatorTask.decision} is null
    and ${kind} <> 'unreadable'`
  const [opened] = await tx
    .insert(operatorTask)
    .values(task)
    .onConflictDoUpdate({ target: operatorTask.intentId, set: { kind, detail }, setWhere: isUnread })
    .returning()
  const key = `task:${opened?.id}:${kind}`
  if (opened) await jobs.enqueue(tx, mailJob, { mail: 'task', taskId: opened.id }, { key })
}

/** Of payments without a task that is not done. */
export function hasNoTask(db: Db): SQL {
  const isOpen = and(eq(operatorTask.intentId, payment.intentId), isNull(operatorTask.doneAt))
  return notExists(
    db
      .select({ one: sql`1` })
      .from(operatorTask)
      .where(isOpen),
  )
}

/**
 * The payment has been read: a task that it could not be read is done. Returns whether a person has decided what the
 * user gets for it; then no credits are added any more.
 */
export async function isDecided(tx: Tx, intentId: string): Promise<boolean> {
  const [task] = await tx.select().from(operatorTask).where(eq(operatorTask.intentId, intentId)).for('update')
  if (task?.kind === 'unreadable' && task.decision === null) {
    const closed = { decision: 'closed' as const, reason: 'It was read after all', decidedAt: new Date() }
    await tx
      .update(operatorTask)
      .set({ ...closed, doneAt: new Date() })
      .where(eq(operatorTask.id, task.id))
  }
  return task?.decision === 'granted' || task?.decision === 'refunded'
}

/** Tasks that are not done, oldest first. */
export async function listTasks(reader: Reader): Promise<TaskRow[]> {
  return reader
    .select()
    .from(operatorTask)
    .where(isNull(operatorTask.doneAt))
    .orderBy(asc(operatorTask.id))
    .limit(LIST_LIMIT_DEFAULT)
}

/** Ends a task without credits or a refund, when it was settled elsewhere. */
export async function closeTask(tx: Tx, id: number, reason: string): Promise<void> {
  await decide(tx, id, { decision: 'closed', reason, doneAt: new Date() })
}

/** Gives the user credits for what was paid: those ordered, or as many as are named. */
export async function grantTask(
  tx: Tx,
  id: number,
  { credits, reason }: { readonly credits?: number | undefined; readonly reason: string },
): Promise<Posting & { readonly credits: number }> {
  const { orderId } = await decide(tx, id, { decision: 'granted', reason, doneAt: new Date() })
  const [order] = await tx.select().from(payment).where(eq(payment.id, orderId))
  if (!order) throw new Error(`The order ${orderId} of task ${id} is missing.`)
  const given = credits ?? order.credits + order.bonusCredits
  const posting = await adjust(tx, { userId: order.userId, key: `adjust:task:${id}`, credits: given, reason })
  return { ...posting, credits: given }
}

/** Has the product refund the payment at the provider in its next round. */
export async function refundTask(tx: Tx, id: number, reason: string): Promise<void> {
  await decide(tx, id, { decision: 'refunded', reason, doneAt: null })
}

async function decide(tx: Tx, id: number, decided: Pick<TaskRow, 'decision' | 'reason' | 'doneAt'>): Promise<TaskRow> {
  const [task] = await tx
    .update(operatorTask)
    .set({ ...decided, decidedAt: new Date() })
    .where(and(eq(operatorTask.id, id), isNull(operatorTask.decision)))
    .returning()
  if (!task) {
    const [known] = await tx.select().from(operatorTask).where(eq(operatorTask.id, id))
    throw new Error(known ? `Task ${id} is decided: ${known.decision}.` : `There is no task ${id}.`)
  }
  // Nobody asks the provider about this payment any more.
  await tx
    .update(payment)
    .set({ status: 'canceled' })
    .where(and(eq(payment.intentId, task.intentId), ne(payment.status, 'succeeded')))
  await tx.update(autoTopUp).set({ orderId: null }).where(eq(autoTopUp.orderId, task.orderId))
  return task
}

/**
 * Makes the refunds that were decided, each alone; the idempotency key makes a repeated one the first. One that the
 * provider refuses, or that fails again and again, is a person's to decide again.
 */
export async function refundDecided(room: Crediting, run?: Run): Promise<void> {
  const subject = sql`${operatorTask.id}::text`
  const decided = await room.db
    .select()
    .from(operatorTask)
    .where(
      and(eq(operatorTask.decision, 'refunded'), isNull(operatorTask.doneAt), isNotPassedOver(REFUND_TASK, subject)),
    )
    .orderBy(asc(operatorTask.id))
    .limit(REFUNDS_PER_ROUND)
  const reopen = async (task: TaskRow, refused: string) => {
    room.log.error({ taskId: task.id, reason: refused }, 'a refund was refused')
    await room.db.update(operatorTask).set(reopened(task, refused)).where(eq(operatorTask.id, task.id))
  }
  await eachAlone({
    room,
    task: REFUND_TASK,
    items: decided,
    subjectOf: ({ id }) => String(id),
    async work(task) {
      const refused = await refund(room, task)
      if (refused !== undefined) return reopen(task, refused)
      await room.db.update(operatorTask).set({ doneAt: new Date() }).where(eq(operatorTask.id, task.id))
    },
    failuresInRowMax: REFUNDS_FAILED_IN_ROW_MAX,
    giveUp: {
      after: REFUND_FAILURES_MAX,
      handOver: (task, error) => reopen(task, `it failed ${REFUND_FAILURES_MAX} times (${kindOf(error)})`),
    },
    run,
  })
}

/** Returns the provider's reason if it refuses. Throws when it is away. */
async function refund(room: Crediting, { id, intentId }: TaskRow): Promise<string | undefined> {
  const { refunds } = stripeOf(room)
  try {
    const made = await answerOf(refunds.create({ payment_intent: intentId }, { idempotencyKey: `task:${id}` }))
    return made ? undefined : 'the provider does not know the payment'
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    return error.code === 'charge_already_refunded' ? undefined : error.message
  }
}

function reopened({ detail }: TaskRow, refused: string): Partial<TaskRow> {
  return { decision: null, reason: null, decidedAt: null, detail: `${detail}. The refund was refused: ${refused}` }
}
