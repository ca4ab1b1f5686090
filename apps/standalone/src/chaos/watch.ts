import type { Database } from '@parley/api/testing'
import type { LeaseGiven, LeasesSeen, Trouble } from './invariants/evidence.ts'

const EVERY_MS = 500
/** A look that comes later than this after the one before shows that the machine or the database stands still. */
const STALLED_MS = 1500

/** Every lease is written down as it is given, in the transaction that gives it: rows of leases are deleted later. */
const LEASE_LOG = `
  create schema chaos;
  create table chaos.lease_given (call_id text not null, fence bigint not null, at timestamptz not null);
  create function chaos.note_lease() returns trigger language plpgsql as $$ begin
    insert into chaos.lease_given values (new.call_id, new.fence, clock_timestamp());
    return null;
  end $$;
  create trigger chaos_lease after insert on call_lease for each row execute function chaos.note_lease()`

const LEASES = `select n.node_id as node, n.capacity, count(l.call_id)::int as leases
  from voice_node n left join call_lease l on l.node_id = n.node_id and l.boot_id = n.boot_id
  group by n.node_id, n.capacity`
const EXPIRED = `select call_id, extract(epoch from lease_until) * 1000 as expired_at
  from call_lease where lease_until < now()`

/** Looks at the leases of all nodes, while the database answers. */
export class LeaseWatch {
  readonly seen: LeasesSeen[] = []
  /** When it could not look: nor could anybody else be in time. */
  readonly stalls: Trouble[] = []
  #lookedAtMs = Date.now()
  readonly #pool: Database['pool']
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  private constructor({ pool }: Database) {
    this.#pool = pool
  }

  static async open(database: Database): Promise<LeaseWatch> {
    await database.pool.query(LEASE_LOG)
    const watch = new LeaseWatch(database)
    watch.#timer = setInterval(() => void (watch.#looking = watch.#look().catch(() => undefined)), EVERY_MS)
    return watch
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Each lease that was given. */
  async given(): Promise<LeaseGiven[]> {
    const { rows } = await this.#pool.query<{ call_id: string; fence: string; at: Date }>(
      'select * from chaos.lease_given order by at',
    )
    return rows.map(({ call_id: callId, fence, at }) => ({ callId, fence: Number(fence), atMs: at.getTime() }))
  }

  async #look(): Promise<void> {
    const atMs = Date.now()
    const [nodes, expired] = await Promise.all([
      this.#pool.query<LeasesSeen['nodes'][number]>(LEASES),
      this.#pool.query<{ call_id: string; expired_at: string }>(EXPIRED),
    ])
    const untilMs = Date.now()
    if (untilMs - this.#lookedAtMs > STALLED_MS) this.stalls.push({ fromMs: this.#lookedAtMs, untilMs })
    this.#lookedAtMs = untilMs
    const late = expired.rows.map((row) => ({ callId: row.call_id, expiredAtMs: Number(row.expired_at) }))
    // Most looks are alike: what nobody holds is not kept.
    const held = nodes.rows.filter(({ leases }) => leases > 0)
    if (held.length > 0 || late.length > 0) this.seen.push({ atMs, nodes: held, expired: late })
  }
}
