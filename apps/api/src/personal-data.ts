import type { Movement } from '@parley/contract'
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from './accounts/index.ts'
import { batch, batchContact } from './batches/schema.ts'
import { call, callEvent, callSummary, callTemplate, callTurn } from './calls/schema.ts'
import { consentAudit, doNotCall, verifiedNumber } from './consent/schema.ts'
import { contact } from './contacts/schema.ts'
import { statement } from './credits/index.ts'
import { autoTopUp, payment, paymentCustomer, paymentDispute, paymentRefund } from './credits/schema.ts'
import { webhookDelivery, webhookEndpoint } from './notices/schema.ts'
import type { Db } from './platform/db.ts'
import { encodeCursor } from './platform/pages.ts'

type Contact = typeof contact.$inferSelect
type Call = typeof call.$inferSelect
type BatchContact = typeof batchContact.$inferSelect
type Audited = typeof consentAudit.$inferSelect
type Delivery = typeof webhookDelivery.$inferSelect

/**
 * Everything that the rooms after accounts keep about a person, as files of their export. What a room adds to its
 * schema belongs here too.
 */
export function personalFiles(db: Db, userId: string): readonly ExportFile[] {
  return [
    ...callFiles(db, userId),
    ...batchFiles(db, userId),
    ...ruleFiles(db, userId),
    ...webhookFiles(db, userId),
    ...moneyFiles(db, userId),
  ]
}

function callFiles(db: Db, userId: string): readonly ExportFile[] {
  return [
    pagedFile<Contact>('contacts.json', (last, limit) =>
      db
        .select()
        .from(contact)
        .where(and(eq(contact.userId, userId), last && gt(contact.id, last.id)))
        .orderBy(asc(contact.id))
        .limit(limit),
    ),
    listFile('call-templates.json', () =>
      db.select().from(callTemplate).where(eq(callTemplate.userId, userId)).orderBy(asc(callTemplate.id)),
    ),
    pagedFile<Pick<Call, 'id'>>('calls.json', (last, limit) => callPage(db, userId, last, limit)),
  ]
}

/** Calls with all that was said and came of them. */
async function callPage(db: Db, userId: string, last: Pick<Call, 'id'> | undefined, limit: number) {
  const calls = await db
    .select()
    .from(call)
    .where(and(eq(call.userId, userId), last && gt(call.id, last.id)))
    .orderBy(asc(call.id))
    .limit(limit)
  const ids = calls.map(({ id }) => id)
  const [turns, events, summaries] = await Promise.all([
    db.select().from(callTurn).where(inArray(callTurn.callId, ids)).orderBy(asc(callTurn.index)),
    db.select().from(callEvent).where(inArray(callEvent.callId, ids)).orderBy(asc(callEvent.id)),
    db.select().from(callSummary).where(inArray(callSummary.callId, ids)),
  ])
  const of = <T extends { callId: string }>(rows: readonly T[], id: string) =>
    rows.filter(({ callId }) => callId === id)
  return calls.map((each) => ({
    ...each,
    turns: of(turns, each.id),
    events: of(events, each.id),
    summary: of(summaries, each.id)[0] ?? each.summary,
  }))
}

function batchFiles(db: Db, userId: string): readonly ExportFile[] {
  const ofMine = inArray(batchContact.batchId, db.select({ id: batch.id }).from(batch).where(eq(batch.userId, userId)))
  const place = sql`(${batchContact.batchId}, ${batchContact.row})`
  return [
    listFile('batches.json', () =>
      db.select().from(batch).where(eq(batch.userId, userId)).orderBy(asc(batch.createdAt)),
    ),
    pagedFile<BatchContact>('batch-contacts.json', (last, limit) =>
      db
        .select()
        .from(batchContact)
        .where(and(ofMine, last && sql`${place} > (${last.batchId}, ${last.row})`))
        .orderBy(asc(batchContact.batchId), asc(batchContact.row))
        .limit(limit),
    ),
  ]
}

function ruleFiles(db: Db, userId: string): readonly ExportFile[] {
  return [
    listFile('do-not-call.json', () =>
      db.select().from(doNotCall).where(eq(doNotCall.userId, userId)).orderBy(asc(doNotCall.phone)),
    ),
    listFile('verified-numbers.json', () =>
      db.select().from(verifiedNumber).where(eq(verifiedNumber.userId, userId)).orderBy(asc(verifiedNumber.phone)),
    ),
    pagedFile<Audited>('calling-rules.json', (last, limit) =>
      db
        .select()
        .from(consentAudit)
        .where(and(eq(consentAudit.userId, userId), last && gt(consentAudit.id, last.id)))
        .orderBy(asc(consentAudit.id))
        .limit(limit),
    ),
  ]
}

function webhookFiles(db: Db, userId: string): readonly ExportFile[] {
  const { url, createdAt } = webhookEndpoint
  return [
    listFile('webhook.json', () =>
      db.select({ url, createdAt }).from(webhookEndpoint).where(eq(webhookEndpoint.userId, userId)),
    ),
    pagedFile<Delivery>('webhook-deliveries.json', (last, limit) =>
      db
        .select()
        .from(webhookDelivery)
        .where(and(eq(webhookDelivery.userId, userId), last && gt(webhookDelivery.id, last.id)))
        .orderBy(asc(webhookDelivery.id))
        .limit(limit),
    ),
  ]
}

function moneyFiles(db: Db, userId: string): readonly ExportFile[] {
  const orders = db.select({ id: payment.id }).from(payment).where(eq(payment.userId, userId))
  const { createdAt: refundedAt, orderId: refunded } = paymentRefund
  const { createdAt: disputedAt, orderId: disputed } = paymentDispute
  return [
    pagedFile<Movement>('credits.json', async (last, limit) => {
      const cursor = last && encodeCursor({ at: new Date(last.at), id: last.id })
      return (await statement(db, userId, { limit, cursor })).items
    }),
    listFile('payments.json', () =>
      db.select().from(payment).where(eq(payment.userId, userId)).orderBy(asc(payment.createdAt)),
    ),
    listFile('refunds.json', () =>
      db.select().from(paymentRefund).where(inArray(refunded, orders)).orderBy(asc(refundedAt)),
    ),
    listFile('disputes.json', () =>
      db.select().from(paymentDispute).where(inArray(disputed, orders)).orderBy(asc(disputedAt)),
    ),
    listFile('saved-card.json', () => db.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))),
    listFile('auto-top-up.json', () => db.select().from(autoTopUp).where(eq(autoTopUp.userId, userId))),
  ]
}
