import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../platform/db.ts'
import { hold, ledgerAccount, ledgerEntry, ledgerTx } from './schema.ts'

/** What holds of the books at every moment: each query finds the rows that break it and says so in a sentence. */
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
]

/** Throws, with every row that is wrong, unless the books are right. Reads one moment of the database. */
export async function checkBooks(db: Db): Promise<void> {
  const wrong = await db.transaction(
    async (tx) => {
      const sentences: string[] = []
      for (const { rule, broken } of INVARIANTS) {
        const { rows } = await tx.execute<{ broken: string }>(broken)
        sentences.push(...rows.map((row) => `${rule}: ${row.broken}.`))
      }
      return sentences
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  if (wrong.length > 0) throw new Error(`The books are wrong.\n${wrong.join('\n')}`)
}
