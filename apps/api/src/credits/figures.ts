import { sql } from 'drizzle-orm'
import type { Db } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { hold, ledgerAccount, ledgerTransfer, operatorTask, payment, stripeEventRetry } from './schema.ts'

/** A hold that its call has outlived by so long was forgotten by everybody. */
const FORGOTTEN = sql`interval '1 minute'`
const SLOW_PAYMENT = sql`interval '10 minutes'`
/** It reads every wallet and its last transfer. */
const DRIFT_FRESH_MS = 60_000

/** What an operator must know of the money: what should be nothing, and is an alarm where it is not. */
export function addMoneyFigures({ metrics, db }: { readonly metrics: Metrics; readonly db: Db }): void {
  const count = async (query: ReturnType<typeof sql>) => {
    const { rows } = await db.execute<{ value: string }>(query)
    return [{ value: Number(rows[0]?.value ?? 0) }]
  }
  metrics.figure({
    name: 'parley_holds_expired_count',
    help: 'Holds that are active a minute after their end',
    read: () =>
      count(sql`select count(*) as value from ${hold} where state = 'active' and expires_at < now() - ${FORGOTTEN}`),
  })
  metrics.figure({
    name: 'parley_payment_events_given_up_count',
    help: 'Events of the payments provider that were given up after all tries',
    read: () => count(sql`select count(*) as value from ${stripeEventRetry} where next_attempt_at is null`),
  })
  metrics.figure({
    name: 'parley_payments_unfinished_count',
    help: 'Payments that the provider has been processing for 10 minutes',
    read: () =>
      count(sql`select count(*) as value from ${payment} where status = 'processing'
        and created_at < now() - ${SLOW_PAYMENT}`),
  })
  metrics.figure({
    name: 'parley_operator_tasks_count',
    help: 'Payments that wait for a decision of a person, or for the refund that was decided',
    read: () => count(sql`select count(*) as value from ${operatorTask} where done_at is null`),
  })
  metrics.figure({
    name: 'parley_books_drift_credits',
    help: 'What wallets have and hold beyond their last transfers and active holds: 0 unless the books are wrong',
    freshMs: DRIFT_FRESH_MS,
    read: () =>
      count(sql`select coalesce(sum(abs(a.posted - coalesce(last.balance_after, 0))), 0) + abs(coalesce(sum(a.held), 0)
          - (select coalesce(sum(credits), 0) from ${hold} where state = 'active')) as value
        from ${ledgerAccount} a left join lateral (
          select t.balance_after from ${ledgerTransfer} t where t.user_id = a.user_id order by t.id desc limit 1
        ) last on true where a.kind = 'wallet'`),
  })
}
