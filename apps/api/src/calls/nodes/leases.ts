import { and, count, eq, notInArray, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../platform/db.ts'
import { callLease, voiceNode } from '../schema.ts'
import { isLiving, leaseEnd, type NodeRow } from './registry.ts'

/** One in so many places of a node is left to single calls by calls of batches. */
const RESERVED_ONE_IN = 10
/** A smaller node has no reserve. */
const RESERVE_FROM_CAPACITY = 5

/** Places of a node that calls of batches may take. */
export function batchPlacesOf(capacity: number): number {
  return capacity < RESERVE_FROM_CAPACITY ? capacity : capacity - Math.max(1, Math.floor(capacity / RESERVED_ONE_IN))
}

/** The same in SQL, which divides whole numbers without a remainder. */
const batchPlaces = sql`case when capacity < ${RESERVE_FROM_CAPACITY} then capacity
  else capacity - greatest(1, capacity / ${RESERVED_ONE_IN}) end`
const placesFor = (isSingle: boolean) => (isSingle ? sql`capacity` : batchPlaces)
/** Names are written out: in the fields of a select, drizzle would drop the tables of its columns. */
const taken = sql`(select count(*) from call_lease held
  where held.node_id = voice_node.node_id and held.boot_id = voice_node.boot_id)`

export interface Lease {
  readonly node: NodeRow
  readonly fence: number
}

/** full: no place is free. locked: another transaction has locked each node that seems to have one. */
export type Reserved = Lease | 'full' | 'locked'

interface Wish {
  readonly callId: string
  /** Only single calls may take a node's last places. */
  readonly isSingle: boolean
  /** Nodes that have just refused the call. */
  readonly except: readonly string[]
}

/**
 * Takes a place on the least loaded node for the call. Leases are counted once the node is locked, by a statement of
 * its own: the one that found the node may not see a lease that was committed meanwhile.
 */
export async function reserve(tx: Tx, { callId, isSingle, except }: Wish): Promise<Reserved> {
  const tried = [...except]
  for (;;) {
    const open = and(
      isLiving,
      eq(voiceNode.state, 'ready'),
      tried.length === 0 ? undefined : notInArray(voiceNode.nodeId, tried),
      sql`${taken} < ${placesFor(isSingle)}`,
    )
    const [node] = await tx
      .select()
      .from(voiceNode)
      .where(open)
      .orderBy(sql`${taken}::real / ${voiceNode.capacity}`, sql`random()`)
      .limit(1)
      .for('update', { skipLocked: true })
    if (!node) return (await tx.$count(voiceNode, open)) > 0 ? 'locked' : 'full'
    const held = await tx.$count(callLease, and(eq(callLease.nodeId, node.nodeId), eq(callLease.bootId, node.bootId)))
    if (held >= (isSingle ? node.capacity : batchPlacesOf(node.capacity))) {
      tried.push(node.nodeId)
      continue
    }
    const { nodeId, bootId } = node
    const [lease] = await tx
      .insert(callLease)
      .values({ callId, nodeId, bootId, leaseUntil: leaseEnd })
      .returning({ fence: callLease.fence })
    if (!lease) throw new Error('The lease was not written')
    return { node, fence: lease.fence }
  }
}

/** The lease that a call has already: undefined without one, null when its process is gone. */
export async function leaseOf(reader: Reader, callId: string): Promise<Lease | null | undefined> {
  const [found] = await reader
    .select({ fence: callLease.fence, node: voiceNode })
    .from(callLease)
    .leftJoin(voiceNode, and(eq(voiceNode.nodeId, callLease.nodeId), eq(voiceNode.bootId, callLease.bootId)))
    .where(eq(callLease.callId, callId))
  if (!found) return undefined
  return found.node === null ? null : { node: found.node, fence: found.fence }
}

export async function release(tx: Tx, callId: string): Promise<void> {
  await tx.delete(callLease).where(eq(callLease.callId, callId))
}

/** Places of all ready nodes, and how many of them leases hold. */
export async function countPlaces(reader: Reader, isSingle: boolean): Promise<{ places: number; held: number }> {
  const [row] = await reader
    .select({
      places: sql`coalesce(sum(${placesFor(isSingle)}), 0)`.mapWith(Number),
      held: sql`coalesce(sum(${taken}), 0)`.mapWith(Number),
    })
    .from(voiceNode)
    .where(and(isLiving, eq(voiceNode.state, 'ready')))
  return row ?? { places: 0, held: 0 }
}

export async function hasLivingNode(reader: Reader): Promise<boolean> {
  const [row] = await reader.select({ nodes: count() }).from(voiceNode).where(isLiving)
  return (row?.nodes ?? 0) > 0
}
