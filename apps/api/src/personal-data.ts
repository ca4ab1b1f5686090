import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { type ExportFile, jsonList } from './accounts/index.ts'
import { securityEvent, user, userSettings } from './accounts/schema.ts'
import { call, callEvent, callSummary, callTurn } from './calls/schema.ts'
import { doNotCall } from './consent/schema.ts'
import { contact } from './contacts/schema.ts'
import { autoTopUp, ledgerAccount, ledgerEntry, ledgerTx, payment, paymentCustomer } from './credits/schema.ts'
import type { Db } from './platform/db.ts'

const PAGE_ROWS = 200

/** Everything that is kept about a person, as files of their export. What a room adds to its schema belongs here too. */
export function personalFiles(db: Db, userId: string): readonly ExportFile[] {
  const all = (name: string, read: () => Promise<readonly unknown[]>): ExportFile => ({ name, read: () => jsonList(onePage(read)) })
  return [
    all('account.json', () => db.select().from(user).where(eq(user.id, userId))),
    all('settings.json', () => db.select().from(userSettings).where(eq(userSettings.userId, userId))),
    all('security-activity.json', () =>
      db.select().from(securityEvent).where(eq(securityEvent.userId, userId)).orderBy(asc(securityEvent.id)),
    ),
    all('do-not-call.json', () => db.select().from(doNotCall).where(eq(doNotCall.userId, userId)).orderBy(asc(doNotCall.phone))),
    { name: 'contacts.json', read: () => jsonList(contactPages(db, userId)) },
    { name: 'calls.json', read: () => jsonList(callPages(db, userId)) },
    { name: 'credits.json', read: () => jsonList(onePage(() => movements(db, userId))) },
    all('payments.json', () => db.select().from(payment).where(eq(payment.userId, userId)).orderBy(asc(payment.createdAt))),
    all('saved-card.json', () => db.select().from(paymentCustomer).where(eq(paymentCustomer.userId, userId))),
    all('auto-top-up.json', () => db.select().from(autoTopUp).where(eq(autoTopUp.userId, userId))),
  ]
}

async function* onePage(read: () => Promise<readonly unknown[]>): AsyncGenerator<readonly unknown[]> {
  yield await read()
}

async function* contactPages(db: Db, userId: string): AsyncGenerator<readonly unknown[]> {
  for (let after = ''; ;) {
    const rows = await db
      .select()
      .from(contact)
      .where(and(eq(contact.userId, userId), gt(contact.id, after)))
      .orderBy(asc(contact.id))
      .limit(PAGE_ROWS)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    after = last.id
  }
}

/** Calls with all that was said and came of them. */
async function* callPages(db: Db, userId: string): AsyncGenerator<readonly unknown[]> {
  for (let after = ''; ;) {
    const calls = await db
      .select()
      .from(call)
      .where(and(eq(call.userId, userId), gt(call.id, after)))
      .orderBy(asc(call.id))
      .limit(PAGE_ROWS)
    const ids = calls.map(({ id }) => id)
    const last = calls.at(-1)
    if (!last) return
    const [turns, events, summaries] = await Promise.all([
      db.select().from(callTurn).where(inArray(callTurn.callId, ids)).orderBy(asc(callTurn.index)),
      db.select().from(callEvent).where(inArray(callEvent.callId, ids)).orderBy(asc(callEvent.id)),
      db.select().from(callSummary).where(inArray(callSummary.callId, ids)),
    ])
    const of = <T extends { callId: string }>(rows: readonly T[], id: string) => rows.filter(({ callId }) => callId === id)
    yield calls.map((each) => ({
      ...each,
      turns: of(turns, each.id),
      events: of(events, each.id),
      summary: of(summaries, each.id)[0] ?? each.summary,
    }))
    if (calls.length < PAGE_ROWS) return
    after = last.id
  }
}

async function movements(db: Db, userId: string): Promise<readonly unknown[]> {
  const { kind, cause, callId, at } = ledgerTx
  return db
    .select({ kind, cause, callId, at, account: ledgerAccount.kind, credits: ledgerEntry.credits })
    .from(ledgerEntry)
    .innerJoin(ledgerTx, eq(ledgerTx.id, ledgerEntry.txId))
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .where(eq(ledgerAccount.userId, userId))
    .orderBy(asc(ledgerEntry.id))
}
