import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import { hold, ledgerAccount, ledgerEntry, ledgerTx, payment, paymentDispute, paymentRefund } from '../schema.ts'

/** Invariants of the ledger: each query selects the violating rows and describes them. */
const INVARIANTS: readonly { readonly rule: string; readonly broken: SQL }[] = [
  {
    rule: 'Every event has two legs or more, and they sum to 0',
    broken: sql`select format('event %s (%s) has %s legs that sum to %s', t.id, t.idem_key, count(e.id), coalesce(sum(e.credits), 0)) as broken
      from ${ledgerTx} t left join ${ledgerEntry} e on e.tx_id = t.id
      group by t.id having count(e.id) < 2 or sum(e.credits) <> 0`,
  },
  {
    rule: 'All accounts together sum to 0',
    broken: sql`select format('they sum to %s', sum(posted)) as broken from ${ledgerAccount} having sum(posted) <> 0`,
  },
  {
    rule: 'An account has posted what its entries sum to',
    broken: sql`select format('%s has %s, its entries sum to %s', a.id, a.posted, coalesce(sum(e.credits), 0)) as broken
      from ${ledgerAccount} a left join ${ledgerEntry} e on e.account_id = a.id
      group by a.id having a.posted <> coalesce(sum(e.credits), 0)`,
  },
  {
    rule: "A leg of a user has the wallet's balance after its event",
    broken: sql`select format('%s has %s after event %s, the entries sum to %s', account_id, balance_after, tx_id, balance) as broken
      from (
        select e.account_id, e.tx_id, e.balance_after, case when a.user_id is not null then
          sum(case a.kind when 'wallet' then e.credits else 0 end) over (partition by a.user_id order by e.tx_id) end as balance
        from ${ledgerEntry} e join ${ledgerAccount} a on a.id = e.account_id
      ) legs where balance_after is distinct from balance`,
  },
  {
    rule: 'A wallet holds what its active holds sum to',
    broken: sql`select format('%s holds %s, its active holds sum to %s', a.id, a.held, coalesce(sum(h.credits), 0)) as broken
      from ${ledgerAccount} a left join ${hold} h on a.kind = 'wallet' and h.user_id = a.user_id and h.state = 'active'
      group by a.id having a.held <> coalesce(sum(h.credits), 0)`,
  },
  {
    rule: 'No wallet is overdrawn, and no debt is a credit',
    broken: sql`select format('%s has posted %s and holds %s', id, posted, held) as broken from ${ledgerAccount}
      where (kind = 'wallet' and (held < 0 or posted - held < 0)) or (kind = 'debt' and posted > 0)`,
  },
  {
    rule: 'Who owes credits has none to spend',
    broken: sql`select format('%s owes %s and could spend %s', w.user_id, -d.posted, w.posted - w.held) as broken
      from ${ledgerAccount} w join ${ledgerAccount} d on d.user_id = w.user_id and d.kind = 'debt'
      where w.kind = 'wallet' and d.posted < 0 and w.posted > w.held`,
  },
  {
    rule: 'A call is charged once, what its hold says, and never more than it held',
    broken: sql`select format('call %s held %s and was to pay %s, the books charged %s in %s events',
        coalesce(h.call_id, c.call_id), h.credits, h.charged_credits, c.credits, c.events) as broken
      from ${hold} h full join (
        select t.call_id, count(distinct t.id) as events, -sum(e.credits) as credits
        from ${ledgerTx} t join ${ledgerEntry} e on e.tx_id = t.id and e.account_id like 'wallet:%'
        where t.kind = 'settle' group by t.call_id
      ) c on c.call_id = h.call_id
      where coalesce(h.charged_credits, 0) <> coalesce(c.credits, 0) or c.events > 1
        or h.charged_credits > h.credits or h.charged_credits > ceil(h.connected_seconds / 60.0)`,
  },
  {
    rule: 'What a payment returned is what was refunded and is disputed, and no more than was captured',
    broken: sql`select format('payment %s captured %s and returned %s, its claims sum to %s', p.id, p.captured_cents, p.returned_cents, c.cents) as broken
      from ${payment} p cross join lateral (
        select coalesce(sum(cents), 0) as cents from (
          select cents from ${paymentRefund} r where r.order_id = p.id and r.status = 'standing'
          union all select cents from ${paymentDispute} d where d.order_id = p.id and d.status <> 'won'
        ) claims
      ) c where p.returned_cents <> least(c.cents, p.captured_cents)`,
  },
  {
    rule: 'A payment was credited when it was captured, less the share of what it returned',
    broken: sql`select format('payment %s of %s and %s, %s of %s cents returned, has %s and %s in the books',
        p.id, p.credits, p.bonus_credits, p.returned_cents, p.captured_cents, b.bought, b.given) as broken
      from ${payment} p cross join lateral (
        select coalesce(-sum(e.credits) filter (where e.account_id like 'sales:%'), 0) as bought,
          coalesce(-sum(e.credits) filter (where e.account_id like 'promo:%'), 0) as given
        from ${ledgerTx} t join ${ledgerEntry} e on e.tx_id = t.id
        where t.idem_key = 'pi:' || p.intent_id
          or t.idem_key in (select 're:' || r.id || ending from ${paymentRefund} r, unnest(array['', ':returned']) ending where r.order_id = p.id)
          or t.idem_key in (
            select 'dp:' || d.id || case n when 1 then '' else ':' || n end || ending
            from ${paymentDispute} d, generate_series(1, d.rounds) n, unnest(array['', ':returned']) ending where d.order_id = p.id)
      ) b
      where b.bought <> case p.captured_cents when 0 then 0 else p.credits - p.credits * p.returned_cents / p.captured_cents end
        or b.given <> case p.captured_cents when 0 then 0 else p.bonus_credits - p.bonus_credits * p.returned_cents / p.captured_cents end`,
  },
]

export interface Finding {
  readonly rule: string
  /** A sentence per violating row, first rows only; empty when the rule holds. */
  readonly broken: readonly string[]
}

const ROWS_SHOWN = 20

/** Checks every invariant in one database snapshot. Read-only. */
export async function auditBooks(db: Db): Promise<Finding[]> {
  return db.transaction(
    async (tx) => {
      const findings: Finding[] = []
      for (const { rule, broken } of INVARIANTS) {
        const { rows } = await tx.execute<{ broken: string }>(
          sql`select broken from (${broken}) breaches limit ${ROWS_SHOWN}`,
        )
        findings.push({ rule, broken: rows.map((row) => row.broken) })
      }
      return findings
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** Throws, listing the violations, unless all invariants hold. */
export async function checkBooks(db: Db): Promise<void> {
  const wrong = (await auditBooks(db)).flatMap(({ rule, broken }) => broken.map((row) => `${rule}: ${row}.`))
  if (wrong.length > 0) throw new Error(`The books are wrong.\n${wrong.join('\n')}`)
}
