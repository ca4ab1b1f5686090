import { MOVEMENT_KINDS } from '@parley/contract'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import {
  ACCOUNT_KINDS,
  hold,
  ledgerAccount,
  ledgerTransfer,
  payment,
  paymentDispute,
  paymentRefund,
} from '../schema.ts'

/** What the check walks through, in ascending order of its id. */
const WALKS = {
  events: { table: ledgerTransfer, id: sql`id`, type: sql`bigint` },
  users: { table: ledgerAccount, id: sql`user_id`, type: sql`text` },
  calls: { table: hold, id: sql`call_id`, type: sql`text` },
  payments: { table: payment, id: sql`id`, type: sql`text` },
} as const
type Walk = keyof typeof WALKS

/** The condition that an id is in the piece that is looked at. */
type Within = (id: SQL) => SQL

/** What a transfer t brings into an account of a kind; negative what it takes. */
function into(kind: SQL): SQL {
  return sql`case ${kind} when t.credit then t.amount when t.debit then -t.amount else 0 end`
}

function oneOf(values: readonly string[]): SQL {
  return sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`
}

/**
 * Invariants of the ledger: each query selects the violating rows of a piece and describes them. One query is one
 * snapshot. A join repeats the condition for its own table, so that its index is used.
 */
const INVARIANTS: readonly { readonly rule: string; readonly of: Walk; readonly broken: (within: Within) => SQL }[] = [
  {
    rule: 'Every event has its transfers in order, each of one user, of credits between two known accounts',
    of: 'events',
    broken: (
      within,
    ) => sql`select format('event %s (%s) has %s transfers up to part %s of %s users', t.id, max(t.idem_key), count(*), max(t.part), count(distinct t.user_id)) as broken
      from ${ledgerTransfer} t where ${within(sql`t.id`)} group by t.id
      having min(t.part) <> 1 or max(t.part) <> count(*) or count(distinct (t.user_id, t.kind)) <> 1 or max(t.idem_key) is null
        or bool_or(t.amount <= 0 or t.debit = t.credit or t.kind not in ${oneOf(MOVEMENT_KINDS)}
          or t.debit not in ${oneOf(ACCOUNT_KINDS)} or t.credit not in ${oneOf(ACCOUNT_KINDS)})`,
  },
  {
    rule: 'A charge is of a call with a hold, under the key of that call',
    of: 'events',
    broken: (within) => sql`select format('event %s (%s) charges call %s', t.id, t.idem_key, t.call_id) as broken
      from ${ledgerTransfer} t left join ${hold} h on h.call_id = t.call_id
      where ${within(sql`t.id`)} and t.kind = 'settle'
        and (h.call_id is null or t.idem_key is distinct from 'call:' || t.call_id or t.debit <> 'wallet' or t.credit <> 'usage')`,
  },
  {
    rule: 'An account has posted what its entries sum to',
    of: 'users',
    broken: (
      within,
    ) => sql`select format('%s has %s, its entries sum to %s', a.id, a.posted, coalesce(sum(${into(sql`a.kind`)}), 0)) as broken
      from ${ledgerAccount} a left join ${ledgerTransfer} t on t.user_id = a.user_id and ${within(sql`t.user_id`)}
      where ${within(sql`a.user_id`)} group by a.id having a.posted <> coalesce(sum(${into(sql`a.kind`)}), 0)`,
  },
  {
    rule: "A transfer has the wallet's balance after its event",
    of: 'users',
    broken: (
      within,
    ) => sql`select format('wallet:%s has %s after event %s, the entries sum to %s', user_id, balance_after, id, balance) as broken
      from (
        select t.user_id, t.id, t.balance_after,
          sum(${into(sql`'wallet'`)}) over (partition by t.user_id order by t.id range unbounded preceding) as balance
        from ${ledgerTransfer} t where ${within(sql`t.user_id`)}
      ) transfers where balance_after <> balance`,
  },
  {
    rule: 'A wallet holds what its active holds sum to',
    of: 'users',
    broken: (
      within,
    ) => sql`select format('%s holds %s, its active holds sum to %s', a.id, a.held, coalesce(sum(h.credits), 0)) as broken
      from ${ledgerAccount} a left join ${hold} h on a.kind = 'wallet' and h.user_id = a.user_id and h.state = 'active'
      where ${within(sql`a.user_id`)} group by a.id having a.held <> coalesce(sum(h.credits), 0)`,
  },
  {
    rule: 'No wallet is overdrawn, and no debt is a credit',
    of: 'users',
    broken: (
      within,
    ) => sql`select format('%s has posted %s and holds %s', a.id, a.posted, a.held) as broken from ${ledgerAccount} a
      where ${within(sql`a.user_id`)}
        and ((a.kind = 'wallet' and (a.held < 0 or a.posted - a.held < 0)) or (a.kind = 'debt' and a.posted > 0))`,
  },
  {
    rule: 'Who owes credits has none to spend',
    of: 'users',
    broken: (
      within,
    ) => sql`select format('%s owes %s and could spend %s', w.user_id, -d.posted, w.posted - w.held) as broken
      from ${ledgerAccount} w join ${ledgerAccount} d on d.user_id = w.user_id and d.kind = 'debt'
      where ${within(sql`w.user_id`)} and w.kind = 'wallet' and d.posted < 0 and w.posted > w.held`,
  },
  {
    rule: 'A call is charged once, what its hold says, and never more than it held',
    of: 'calls',
    broken: (within) => sql`select format('call %s held %s and was to pay %s, the books charged %s',
        h.call_id, h.credits, h.charged_credits, coalesce(t.amount, 0)) as broken
      from ${hold} h left join ${ledgerTransfer} t on t.idem_key = 'call:' || h.call_id and t.user_id = h.user_id
      where ${within(sql`h.call_id`)} and (coalesce(h.charged_credits, 0) <> coalesce(t.amount, 0)
        or h.charged_credits > h.credits or h.charged_credits > ceil(h.connected_seconds / 60.0))`,
  },
  {
    rule: 'What a payment returned is what was refunded and is disputed, and no more than was captured',
    of: 'payments',
    broken: (
      within,
    ) => sql`select format('payment %s captured %s and returned %s, its claims sum to %s', p.id, p.captured_cents, p.returned_cents, c.cents) as broken
      from ${payment} p cross join lateral (
        select coalesce(sum(cents), 0) as cents from (
          select cents from ${paymentRefund} r where r.order_id = p.id and r.status = 'standing'
          union all select cents from ${paymentDispute} d where d.order_id = p.id and d.status <> 'won'
        ) claims
      ) c where ${within(sql`p.id`)} and p.returned_cents <> least(c.cents, p.captured_cents)`,
  },
  {
    rule: 'A payment was credited when it was captured, less the share of what it returned',
    of: 'payments',
    broken: (
      within,
    ) => sql`select format('payment %s of %s and %s, %s of %s cents returned, has %s and %s in the books',
        p.id, p.credits, p.bonus_credits, p.returned_cents, p.captured_cents, b.bought, b.given) as broken
      from ${payment} p cross join lateral (
        select coalesce(-sum(${into(sql`'sales'`)}), 0) as bought, coalesce(-sum(${into(sql`'promo'`)}), 0) as given
        from (
          select 'pi:' || p.intent_id as idem_key
          union all select 're:' || r.id || ending
            from ${paymentRefund} r, unnest(array['', ':returned']) ending where r.order_id = p.id
          union all select 'dp:' || d.id || case n when 1 then '' else ':' || n end || ending
            from ${paymentDispute} d, generate_series(1, d.rounds) n, unnest(array['', ':returned']) ending
            where d.order_id = p.id
        ) keys join ${ledgerTransfer} event on event.idem_key = keys.idem_key join ${ledgerTransfer} t on t.id = event.id
      ) b
      where ${within(sql`p.id`)}
        and (b.bought <> case p.captured_cents when 0 then 0 else p.credits - p.credits * p.returned_cents / p.captured_cents end
        or b.given <> case p.captured_cents when 0 then 0 else p.bonus_credits - p.bonus_credits * p.returned_cents / p.captured_cents end)`,
  },
]

const SUM_RULE = 'All accounts together sum to 0'

/** What the users of a piece have, and the house has of them. */
function sumOf(within: Within): SQL {
  const house = sql`case when t.credit in ('wallet', 'debt') then 0 else t.amount end
    - case when t.debit in ('wallet', 'debt') then 0 else t.amount end`
  return sql`select (select coalesce(sum(a.posted), 0) from ${ledgerAccount} a where ${within(sql`a.user_id`)})
    + (select coalesce(sum(${house}), 0) from ${ledgerTransfer} t where ${within(sql`t.user_id`)}) as sum`
}

export interface Finding {
  readonly rule: string
  /** A sentence per violating row, first rows only; empty when the rule holds. */
  readonly broken: readonly string[]
}

/** Bounds of a piece. A user with more transfers is a piece of its own. */
interface PieceSize {
  readonly rows: number
  readonly transfers: number
}

const PIECE: PieceSize = { rows: 1000, transfers: 50_000 }
const ROWS_SHOWN = 20

/** Checks every invariant piece by piece, so that no statement grows with the books. Read-only. */
export async function auditBooks(reader: Reader, size = PIECE): Promise<Finding[]> {
  const found = new Map<string, string[]>([...INVARIANTS.map(({ rule }) => rule), SUM_RULE].map((rule) => [rule, []]))
  let sum = 0n
  // Every key of WALKS is a Walk.
  for (const of of Object.keys(WALKS) as Walk[]) {
    for await (const within of piecesOf(reader, of, size)) {
      for (const { rule, broken } of await breaches(reader, of, within)) {
        const rows = found.get(rule) ?? []
        if (rows.length < ROWS_SHOWN) rows.push(broken)
      }
      if (of === 'users') sum += BigInt((await reader.execute<{ sum: string }>(sumOf(within))).rows[0]?.sum ?? 0)
    }
  }
  if (sum !== 0n) found.set(SUM_RULE, [`they sum to ${sum}`])
  return [...found].map(([rule, broken]) => ({ rule, broken }))
}

/** The first violations of each rule in a piece, of all rules of its walk in one statement. */
async function breaches(reader: Reader, of: Walk, within: Within): Promise<{ rule: string; broken: string }[]> {
  const each = INVARIANTS.filter((invariant) => invariant.of === of).map(
    ({ rule, broken }) =>
      sql`(select ${rule}::text as rule, broken from (${broken(within)}) breaches limit ${ROWS_SHOWN})`,
  )
  const { rows } = await reader.execute<{ rule: string; broken: string }>(sql.join(each, sql` union all `))
  return rows
}

async function* piecesOf(reader: Reader, of: Walk, size: PieceSize): AsyncGenerator<Within> {
  const { type } = WALKS[of]
  for (let after: string | undefined; ;) {
    const { end, isLast } = await endOfPiece(reader, of, after, size)
    if (end === null) return
    const start = after
    yield (id) => sql`(${beyond(id, start, type)} and ${id} <= ${end}::${type})`
    if (isLast) return
    after = end
  }
}

function beyond(id: SQL, after: string | undefined, type: SQL): SQL {
  return after === undefined ? sql`true` : sql`${id} > ${after}::${type}`
}

interface PieceEnd {
  /** The last id of the piece; null where there is none. */
  readonly end: string | null
  readonly isLast: boolean
}

/** Where the piece after `after` ends. */
async function endOfPiece(reader: Reader, of: Walk, after: string | undefined, size: PieceSize): Promise<PieceEnd> {
  const { table, id, type } = WALKS[of]
  const piece = sql`(select ${id} as id from ${table} where ${beyond(id, after, type)} order by ${id} limit ${size.rows}) piece`
  const byTransfers = sql`(select user_id from ${ledgerTransfer} where ${beyond(sql`user_id`, after, type)}
    order by user_id, id offset ${size.transfers - 1} limit 1)`
  const full = of === 'users' ? byTransfers : sql`null::${type}`
  const { rows } = await reader.execute<{ end: string | null; isLast: boolean }>(
    sql`select least(by_rows, by_transfers)::text as "end", rows < ${size.rows} and by_transfers is null as "isLast"
      from (select max(id) as by_rows, count(*) as rows, ${full} as by_transfers from ${piece}) ends`,
  )
  return rows[0] ?? { end: null, isLast: true }
}

/** Throws, listing the violations, unless all invariants hold. */
export async function checkBooks(reader: Reader, size = PIECE): Promise<void> {
  const wrong = (await auditBooks(reader, size)).flatMap(({ rule, broken }) => broken.map((row) => `${rule}: ${row}.`))
  if (wrong.length > 0) throw new Error(`The books are wrong.\n${wrong.join('\n')}`)
}
