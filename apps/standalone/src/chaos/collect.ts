import { checkBooks } from '@parley/api/testing'
import { stripeAt } from '../../../api/src/credits/payments/testing.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { CallSeen, ChargeSeen, DeliverySeen, Evidence, HoldSeen, Trouble } from './invariants/evidence.ts'
import type { Load } from './load/load.ts'
import type { LeaseWatch } from './watch.ts'

const CALLS = `select id, user_id as "userId", batch_id as "batchId", callee, purpose, facts_taken as "factsTaken",
    (extract(epoch from created_at) * 1000)::float8 as "createdAtMs", completed_at is not null as "hasEnded",
    credits_charged as "creditsCharged", dispatched_at is not null as "wasDialed"
  from call`
const CHARGES = `select t.call_id as "callId", count(*)::int as events, coalesce(-sum(e.credits), 0)::int as credits
  from ledger_tx t left join ledger_entry e on e.tx_id = t.id and e.account_id like 'wallet:%'
  where t.kind = 'settle' group by t.call_id`
const HOLDS = 'select call_id as "callId", state from hold'
/** Without what was cut off while it came in, which is hidden and swept later. */
const BATCHES = 'select id, name, status from batch where not incoming'
const DELIVERIES = `select id, type, call_id as "callId", status = 'delivered' as "isDelivered"
  from webhook_delivery`
const OPT_OUTS = `select user_id as "userId", phone, (extract(epoch from created_at) * 1000)::float8 as "atMs"
  from do_not_call where source = 'callee'`
/** Each event of the books that credits a payment. */
const CREDITED = `select substr(idem_key, length('pi:') + 1) as intent from ledger_tx where idem_key like 'pi:%'`

interface Sources {
  readonly cluster: Cluster
  readonly load: Pick<Load, 'accepted'>
  readonly watch: LeaseWatch
  readonly troubles: readonly Trouble[]
}

/** Everything that a run has left behind. */
export async function collect({ cluster, load, watch, troubles }: Sources): Promise<Evidence> {
  const { database, relay, receiver } = cluster
  const rows = async <T extends object>(query: string) => (await database.pool.query<T>(query)).rows
  return {
    accepted: load.accepted,
    calls: await rows<CallSeen>(CALLS),
    batches: await rows<Evidence['batches'][number]>(BATCHES),
    charges: await rows<ChargeSeen>(CHARGES),
    holds: await rows<HoldSeen>(HOLDS),
    reports: relay.reports,
    given: await watch.given(),
    leases: watch.seen,
    troubles,
    deliveries: await rows<DeliverySeen>(DELIVERIES),
    receipts: receiver.receipts,
    paid: await paidAt(cluster.paymentsUrl),
    credited: await creditedIn(cluster),
    optOuts: await rows<Evidence['optOuts'][number]>(OPT_OUTS),
    wrongBooks: await checkBooks(database.db).then(
      () => [],
      (error: unknown) => String(error).split('\n'),
    ),
  }
}

/** Payments that the provider has taken the money for. */
export async function paidAt(paymentsUrl: string): Promise<string[]> {
  const paid: string[] = []
  for await (const { id, status } of stripeAt(paymentsUrl).paymentIntents.list({ limit: 100 }))
    if (status === 'succeeded') paid.push(id)
  return paid
}

export async function creditedIn({ database }: Pick<Cluster, 'database'>): Promise<string[]> {
  const { rows } = await database.pool.query<{ intent: string }>(CREDITED)
  return rows.map(({ intent }) => intent)
}
