import { LIST_LIMIT_DEFAULT } from '@parley/contract'
import { and, asc, eq, isNull, ne } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Jobs } from '../../platform/jobs.ts'
import type { Reader, Tx } from '../../platform/db.ts'
import { adjust, type Posting } from '../ledger/ledger.ts'
import { mailJob } from '../mails.ts'
import { type Crediting, type PaymentRow, stripeOf } from '../room.ts'
import { autoTopUp, operatorTask, payment } from '../schema.ts'
import { answerOf } from './stripe.ts'

// A payment that is paid but not what was ordered: nothing is granted until a person decides (npm run ops -- tasks).

type TaskRow = typeof operatorTask.$inferSelect

const REFUNDS_PER_ROUND = 20

/** Opens the task of a paid mismatch, and mails the operator, once for each payment. */
export async function openTask(jobs: Jobs, tx: Tx, order: PaymentRow, intent: Stripe.PaymentIntent): Promise<void> {
  const { id: orderId, amountCents: ordered, currency } = order
  const paid = `${intent.amount_received} ${intent.currency}`
  const detail = `Paid ${paid} (smallest unit) for order ${orderId} of ${ordered} ${currency}`
  const [opened] = await tx
    .insert(operatorTask)
    .values({ kind: 'paid_mismatch', intentId: intent.id, orderId, detail })
    .onConflictDoNothing()
    .returning()
  if (opened) await jobs.enqueue(tx, mailJob, { mail: 'task', taskId: opened.id }, { key: `task:${opened.id}` })
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
 * Makes the refunds that were decided; the idempotency key makes a repeated one the first. One that the provider refuses
 * is a person's to decide again.
 */
export async function refundDecided(room: Crediting): Promise<void> {
  const decided = await room.db
    .select()
    .from(operatorTask)
    .where(and(eq(operatorTask.decision, 'refunded'), isNull(operatorTask.doneAt)))
    .orderBy(asc(operatorTask.id))
    .limit(REFUNDS_PER_ROUND)
  for (const task of decided) {
    const refused = await refund(room, task)
    const change = refused === undefined ? { doneAt: new Date() } : reopened(task, refused)
    if (refused !== undefined) room.log.error({ taskId: task.id, reason: refused }, 'a refund was refused')
    await room.db.update(operatorTask).set(change).where(eq(operatorTask.id, task.id))
  }
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
