import type { Movement } from '@parley/contract'
import { asc, eq, inArray } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { encodeCursor } from '../platform/pages.ts'
import { movements } from './ledger/statement.ts'
import { autoTopUp, payment, paymentCustomer, paymentDispute, paymentRefund } from './schema.ts'

/** The credits room's files of a data export. */
export function moneyFiles(reader: Reader, userId: string): readonly ExportFile[] {
  const orders = reader.select({ id: payment.id }).from(payment).where(eq(payment.userId, userId))
  const { createdAt: refundedAt, orderId: refunded } = paymentRefund
  const { createdAt: disputedAt, orderId: disputed } = paymentDispute
  return [
    pagedFile<Movement>('credits.json', async (last, limit) => {
      const cursor = last && encodeCursor({ at: new Date(last.at), id: last.id })
      return (await movements(reader, userId, { limit, cursor })).items
    }),
    listFile('payments.json', () =>
      reader.select().from(payment).where(eq(payment.userId, userId)).orderBy(asc(payment.createdAt)),
    ),
    listFile('refunds.json', () =>
      reader.select().from(paymentRefund).where(inArray(refunded, orders)).orderBy(asc(refundedAt)),
    ),
    listFile('disputes.json', () =>
      reader.select().from(paymentDispute).where(inArray(disputed, orders)).orderBy(asc(disputedAt)),
    ),
    listFile('saved-card.json', () => reader.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))),
    listFile('auto-top-up.json', () => reader.select().from(autoTopUp).where(eq(autoTopUp.userId, userId))),
  ]
}
