import { Readable } from 'node:stream'
import { type PageQuery, type Payment } from '@parley/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { findPerson } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { Page } from '../platform/http.ts'
import { newestFirst } from '../platform/pages.ts'
import { receiptPdf, statementCsv } from './files.ts'
import type { PaymentRow } from './room.ts'
import { payment, paymentDispute, paymentRefund } from './schema.ts'
import { allMovements } from './ledger/statement.ts'

/** Truncated to the cursor's milliseconds; payment times are in microseconds. */
const NEWEST = { at: sql`date_trunc('milliseconds', ${payment.createdAt})`, id: payment.id }

/** Purchases, newest first, without open ones and those canceled by the user. */
export async function listPayments(reader: Reader, userId: string, query: PageQuery): Promise<Page<Payment>> {
  const wanted = and(
    eq(payment.userId, userId),
    sql`${payment.status} <> 'open' and (${payment.status} <> 'canceled' or ${payment.automatic})`,
  )
  const { after, order, limit, page } = newestFirst(query, NEWEST)
  const [rows, total] = await Promise.all([
    reader
      .select()
      .from(payment)
      .where(and(wanted, after))
      .orderBy(...order)
      .limit(limit),
    reader.$count(payment, wanted),
  ])
  const { items, nextCursor } = page(rows, total)
  return new Page(await Promise.all(items.map((shown) => toPayment(reader, shown))), total, nextCursor)
}

async function toPayment(reader: Reader, order: PaymentRow): Promise<Payment> {
  const { id, packageId, credits, bonusCredits, amountCents, currency, automatic, createdAt, paidAt } = order
  const [refunds, disputes] = await Promise.all([
    reader.select().from(paymentRefund).where(eq(paymentRefund.orderId, id)),
    reader
      .select()
      .from(paymentDispute)
      .where(and(eq(paymentDispute.orderId, id), inArray(paymentDispute.status, ['open', 'lost']))),
  ])
  return {
    id,
    packageId,
    amountCents,
    currency,
    automatic,
    disputed: disputes.length > 0,
    intentId: order.intentId ?? '',
    credits: credits + bonusCredits,
    // Open purchases are not listed; this only narrows the type.
    status: order.status === 'open' ? 'processing' : order.status,
    refundedCents: refunds.reduce((sum, { status, cents }) => sum + (status === 'standing' ? cents : 0), 0),
    createdAt: createdAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
  }
}

/** The receipt of the user's own paid purchase. */
export async function readReceipt(reader: Reader, userId: string, orderId: string): Promise<Buffer> {
  const [order] = await reader
    .select()
    .from(payment)
    .where(and(eq(payment.id, orderId), eq(payment.userId, userId), eq(payment.status, 'succeeded')))
  if (!order) throw notFound('The receipt')
  return receiptPdf(order, await findPerson(reader, userId))
}

/** The statement as CSV, newest first, as on the page. */
export function readStatementCsv(reader: Reader, userId: string): Readable {
  return Readable.from(statementCsv(allMovements(reader, userId)))
}
