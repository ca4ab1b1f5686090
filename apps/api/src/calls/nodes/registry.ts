import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { NodeHeartbeat, NodeJoin, NodeJoined, NodeKnown } from '@parley/contract'
import { and, eq, gt, lt, notExists, sql } from 'drizzle-orm'
import { type Db, type Reader, withTx } from '../../platform/db.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { callLease, voiceNode } from '../schema.ts'

const HEARTBEAT_MS = 2000
/** Five heartbeats: a node that has sent none for so long is dead. */
const DEAD_AFTER_MS = 10_000
/** Rows of dead nodes are kept this long, for the operator to look at. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

export type NodeRow = typeof voiceNode.$inferSelect

/** Times of nodes and leases are the database's own: the clocks of several apis may differ. */
const ago = (ms: number) => sql`now() - make_interval(secs => ${ms / 1000})`
export const leaseEnd = sql`now() + make_interval(secs => ${DEAD_AFTER_MS / 1000})`
export const isLiving = gt(voiceNode.heartbeatAt, ago(DEAD_AFTER_MS))

/** Takes a process in as a node, in place of an older or dead one of the same id. */
export async function join(db: Db, asked: NodeJoin): Promise<NodeJoined> {
  const { nodeId, bootId, privateUrl, mediaUrl, capacity, version } = asked
  const credentials = randomBytes(32).toString('base64url')
  await withTx(db, async (tx) => {
    const [before] = await tx
      .select({ bootId: voiceNode.bootId, state: voiceNode.state, living: sql<boolean>`${isLiving}` })
      .from(voiceNode)
      .where(eq(voiceNode.nodeId, nodeId))
      .for('update')
    if (before && before.living && before.bootId > bootId) throw superseded(nodeId)
    const row = {
      bootId,
      privateUrl: privateUrl.replace(/\/$/, ''),
      mediaUrl: mediaUrl.replace(/\/$/, ''),
      // A process that was draining and joins again goes on draining.
      state: before?.bootId === bootId ? before.state : ('ready' as const),
      capacity,
      version,
      secretHash: hashOf(credentials),
      heartbeatAt: sql`now()`,
    }
    await tx
      .insert(voiceNode)
      .values({ nodeId, ...row })
      .onConflictDoUpdate({ target: voiceNode.nodeId, set: row })
    await prolong(tx, nodeId, bootId)
  })
  return { credentials, heartbeatMs: HEARTBEAT_MS }
}

/** @throws AppError not_found: the process must join (again); conflict: a newer process has this id. */
export async function heartbeat(
  db: Db,
  {
    nodeId,
    bootId,
    state: told,
    credentials,
  }: NodeHeartbeat & { readonly nodeId: string; readonly credentials: string },
): Promise<NodeKnown> {
  return withTx(db, async (tx) => {
    const [row] = await tx.select().from(voiceNode).where(eq(voiceNode.nodeId, nodeId)).for('update')
    // An older process of this id was restored with the database.
    if (!row || row.bootId < bootId) throw notFound('The node')
    if (row.bootId > bootId) throw superseded(nodeId)
    if (!isSame(row.secretHash, hashOf(credentials)))
      throw new AppError('unauthenticated', "The node's credentials are wrong.")
    if (told === 'leaving') {
      await tx.delete(voiceNode).where(eq(voiceNode.nodeId, nodeId))
      return { state: told }
    }
    const state = row.state === 'draining' ? row.state : told
    await tx
      .update(voiceNode)
      .set({ state, heartbeatAt: sql`now()` })
      .where(eq(voiceNode.nodeId, nodeId))
    await prolong(tx, nodeId, bootId)
    return { state }
  })
}

/** Of a process that lives. */
export async function prolong(reader: Reader, nodeId: string, bootId: string): Promise<void> {
  const own = and(eq(callLease.nodeId, nodeId), eq(callLease.bootId, bootId))
  await reader.update(callLease).set({ leaseUntil: leaseEnd }).where(own)
}

/** Living nodes, the one heard last first. */
export function livingNodes(reader: Reader, most: number): Promise<NodeRow[]> {
  return reader
    .select()
    .from(voiceNode)
    .where(isLiving)
    .orderBy(sql`${voiceNode.heartbeatAt} desc`, voiceNode.nodeId)
    .limit(most)
}

/** More than anybody looks at one by one. */
const NODES_LISTED_MAX = 100

/** For the operator: who lives, and where. */
export function livingVoiceNodes(reader: Reader): Promise<NodeRow[]> {
  return livingNodes(reader, NODES_LISTED_MAX)
}

export async function forgetDeadNodes(db: Db): Promise<void> {
  const held = db
    .select({ one: sql`1` })
    .from(callLease)
    .where(eq(callLease.nodeId, voiceNode.nodeId))
  await db.delete(voiceNode).where(and(lt(voiceNode.heartbeatAt, ago(FORGOTTEN_AFTER_MS)), notExists(held)))
}

function superseded(nodeId: string): AppError {
  return new AppError('conflict', `A newer process has joined as ${nodeId}.`)
}

function hashOf(credentials: string): string {
  return createHash('sha256').update(credentials).digest('hex')
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
