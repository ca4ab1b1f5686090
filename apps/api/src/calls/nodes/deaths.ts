import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import { inTurns } from '../../platform/rounds/in-turns.ts'
import { giveUp } from '../reconcile.ts'
import type { CallsRoom, Concluding } from '../room.ts'
import { call, callLease, type CallLeg, type CallRow, voiceNode } from '../schema.ts'
import { isLiving, type NodeRow, prolong } from './registry.ts'

const CALLS_PER_ROUND = 200
const SETTLED_AT_ONCE = 20
/** When no node can ask the carrier for so long after a death, its calls are settled by their last facts. */
const CARRIER_PATIENCE_MS = 60_000
/** Waits between questions to the carrier for the end of a leg that was hung up. */
const HUNG_UP_PAUSES_MS = [0, 100, 300, 600, 1000]

interface Orphan {
  readonly row: CallRow
  readonly nodeId: string
  readonly bootId: string
  /** null: that process is gone for certain; another has joined under its id, or it has left. */
  readonly node: NodeRow | null
  readonly isLate: boolean
}

/**
 * Ends the calls of dead nodes: they are hung up at the carrier, and settled by its seconds. A free place goes to the
 * node with the fewest calls under way.
 */
export async function settleDeadNodes(room: Concluding): Promise<void> {
  const groupOf = ({ nodeId, bootId }: Orphan) => `${nodeId} ${bootId}`
  const nodes = Map.groupBy(await listOrphans(room.db), groupOf)
  const dead = await Promise.all(
    [...nodes.values()].map(async (calls) => {
      const [first] = calls
      if (!first) return []
      // Its heartbeats do not arrive, and it holds its places all the same.
      if (first.node !== null && (await room.voice.isAlive(first.node, first.row.id))) {
        await prolong(room.db, first.nodeId, first.bootId)
        return []
      }
      room.log.error({ nodeId: first.nodeId, bootId: first.bootId, calls: calls.length }, 'voice node is dead')
      return calls
    }),
  )
  await inTurns({ items: dead.flat(), groupOf, atOnce: SETTLED_AT_ONCE, work: (orphan) => settleOrphan(room, orphan) })
}

function listOrphans(reader: Reader): Promise<Orphan[]> {
  const isLate = sql<boolean>`${callLease.leaseUntil} < now() - make_interval(secs => ${CARRIER_PATIENCE_MS / 1000})`
  return (
    reader
      .select({ row: call, nodeId: callLease.nodeId, bootId: callLease.bootId, node: voiceNode, isLate })
      .from(callLease)
      .innerJoin(call, eq(call.id, callLease.callId))
      .leftJoin(voiceNode, and(eq(voiceNode.nodeId, callLease.nodeId), eq(voiceNode.bootId, callLease.bootId)))
      .where(and(isNull(call.completedAt), or(isNull(voiceNode.nodeId), sql`not ${isLiving}`)))
      // By chance, so that those which the carrier says nothing about do not fill each round.
      .orderBy(desc(isLate), sql`random()`)
      .limit(CALLS_PER_ROUND)
  )
}

/** An error leaves the call to the next round. */
async function settleOrphan(room: Concluding, orphan: Orphan): Promise<void> {
  const { row, isLate } = orphan
  try {
    // Also where the first leg fails to answer: no phone stays connected for nobody.
    const legs = await Promise.allSettled(row.legs.map((leg) => endLegAtCarrier(room.voice, leg)))
    const connectedMs = row.carrierCallId === null ? null : await endAtCarrier(room.voice, row.carrierCallId)
    const ended = legs.flatMap((leg) => (leg.status === 'fulfilled' ? leg.value : []))
    if (ended.length < legs.length && !isLate) throw new Error('The carrier was not asked about every leg.')
    if (ended.length > 0) await room.db.update(call).set({ legs: ended }).where(eq(call.id, row.id))
    const standing = row.factsTaken === 0 && row.carrierCallId === null ? await askSuccessor(room, orphan) : 'lost'
    await giveUp(room, row.id, standing, connectedMs === null ? undefined : Math.ceil(connectedMs / 1000))
  } catch (error) {
    room.log.warn({ err: error, callId: row.id }, 'carrier not asked about a call of a dead node')
    if (isLate) await giveUp(room, row.id, 'lost')
  }
}

/** never: the process died before it dialed, as the next one of this node knows. */
async function askSuccessor({ db, voice }: Concluding, { row, nodeId, bootId }: Orphan): Promise<'never' | 'lost'> {
  const [successor] = await db.select().from(voiceNode).where(eq(voiceNode.nodeId, nodeId))
  if (!successor || successor.bootId === bootId) return 'lost'
  return (await voice.askSuccessor(successor, row.id).catch(() => 'lost')) === 'never' ? 'never' : 'lost'
}

async function endLegAtCarrier(voice: CallsRoom['voice'], leg: CallLeg): Promise<CallLeg> {
  if (leg.carrierCallId === null || leg.connectedSeconds !== null) return leg
  const connectedMs = await endAtCarrier(voice, leg.carrierCallId)
  // What it costs is asked for later, as that of any leg without a word of its carrier.
  return { ...leg, connectedSeconds: Math.ceil((connectedMs ?? 0) / 1000) }
}

/** Hangs the leg up where it is live. Returns its connected time; null when the carrier does not know it. */
async function endAtCarrier(voice: CallsRoom['voice'], carrierCallId: string): Promise<number | null> {
  const leg = await voice.askCarrier(carrierCallId)
  if (leg === null || leg.state === 'ended') return leg?.connectedMs ?? null
  await voice.hangUpAtCarrier(carrierCallId)
  for (const pauseMs of HUNG_UP_PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const after = await voice.askCarrier(carrierCallId)
    if (after === null) return leg.connectedMs
    if (after.state === 'ended') return after.connectedMs
  }
  throw new Error('The leg is still live after its hang-up')
}
