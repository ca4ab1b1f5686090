import {
  type CallCommand,
  type CallOrder,
  type CallSummary,
  type CarrierStanding,
  isVerificationId,
  type NewReading,
  type OrderTaken,
  type Readings,
  type SoundKind,
  type SummaryWanted,
  type VerificationOrder,
  type VoiceHealth,
  type VoicePreview,
} from '@parley/contract'
import { and, eq } from 'drizzle-orm'
import type { WebSocket } from 'ws'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db.ts'
import { hasLivingNode, leaseOf } from './nodes/leases.ts'
import { livingNodes, type NodeRow } from './nodes/registry.ts'
import { mayHaveArrived, NodeGone, type Standing, Wire } from './nodes/wire.ts'
import { callerVerification, voiceNode } from './schema.ts'

interface Process {
  readonly privateUrl: string
  readonly bootId: string
}

/** Talks to the voice nodes: what is about a call goes to the node of its lease. */
export interface Voice {
  /** Why no node could place a call on a real line; null: one can. A full one counts: it frees a place soon. */
  obstacle(): Promise<VoiceObstacle | null>
  /** Of nodes that live, or of VOICE_URL while none has joined; undefined for one that does not answer. */
  healths(): Promise<(VoiceHealth | undefined)[]>
  /** While no node has joined: the health of VOICE_URL, where orders go then. */
  alone(): Promise<{ readonly health: VoiceHealth | undefined } | null>
  /** Throws VoiceRefusal, or any other error when voice could not be reached; then it may or may not have the order. */
  order(order: CallOrder, node: Process | undefined): Promise<OrderTaken>
  /** The same for a call that tells a code. Returns the node that took it; null while none has joined. */
  announce(order: VerificationOrder): Promise<NodeRow | null>
  /** Sends a command. Returns whether the call was there. Throws when its node is gone. */
  command(callId: string, command: CallCommand): Promise<boolean>
  /** The call's standing at its node; `never`: it was not dialed. Throws when that process does not answer. */
  ask(callId: string): Promise<Standing>
  /** The same of a process that followed the call's own, which knows from its journal whether that one dialed. */
  askSuccessor(node: Process, callId: string): Promise<Standing>
  /** Whether the process that joined under this boot id answers at the address. */
  isAlive(node: Process, callId: string): Promise<boolean>
  /** A socket with the sound of a live call; it is still connecting, or paused. */
  line(kind: SoundKind, callId: string): Promise<WebSocket>
  /** What the carrier says of a leg, asked through any node; null: it does not know it. Throws without a node. */
  askCarrier(carrierCallId: string): Promise<CarrierStanding | null>
  hangUpAtCarrier(carrierCallId: string): Promise<void>
  /** A summary by the mind of any node. Throws without one that makes it. */
  summarise(wanted: SummaryWanted): Promise<CallSummary>
  /** What the words of an order are understood to allow, asked of any node. Throws without one. */
  reading(order: NewReading): Promise<Readings>
  /** A sentence in a voice of Settings, as a WAV file, by any node. */
  preview(asked: VoicePreview): Promise<Buffer>
}

/**
 * away: every node is down or stopping. deaf: none understands real lines. broken: no carrier would place a call. In the
 * last two, numbers of the simulated network can be called.
 */
type VoiceObstacle = 'away' | 'deaf' | 'broken'

/** So many nodes are asked at most. */
const ASKED_MAX = 20
/** Another node is asked about the carrier when one does not answer, up to so many. */
const CARRIER_NODES_MAX = 3
const READING_NODES_MAX = 2
const PREVIEW_NODES_MAX = 2
const DATABASE_DEADLINE_MS = 1000

/** `tokensOf`: which token a call's order may carry, shown with what concerns that call alone. */
export function createVoice(
  { url, keys }: Config['voice'],
  db: Db,
  tokensOf: (callId: string) => Promise<readonly string[]>,
): Voice {
  const wire = new Wire(keys)
  /** Of living nodes; VOICE_URL while none has joined. */
  const bases = async (most: number): Promise<string[]> => {
    const nodes = await livingNodes(db, most)
    return nodes.length === 0 ? [url] : nodes.map(({ privateUrl }) => privateUrl)
  }
  /** The process that has the call; undefined for a call without a lease. */
  const processOf = async (callId: string): Promise<Process | undefined> => {
    if (isVerificationId(callId)) return nodeOfVerification(db, callId)
    const lease = await leaseOf(db, callId)
    if (lease === null) throw new NodeGone(callId)
    return lease?.node
  }
  let asking: Promise<VoiceObstacle | null> | undefined
  return {
    obstacle: () => (asking ??= obstacleOf(wire, db, url).finally(() => (asking = undefined))),
    async healths() {
      const late = new Promise<string[]>((done) => void setTimeout(done, DATABASE_DEADLINE_MS, [url]).unref())
      // While the database is away nobody knows the nodes.
      const asked = await Promise.race([bases(ASKED_MAX).catch(() => [url]), late])
      return Promise.all(asked.map((base) => wire.health(base).catch(() => undefined)))
    },
    async alone() {
      if (await hasLivingNode(db)) return null
      return { health: await wire.health(url).catch(() => undefined) }
    },
    async line(kind, callId) {
      const node = await processOf(callId)
      return wire.line(node?.privateUrl ?? url, kind, callId, await tokensOf(callId))
    },
    order: (order, node) => wire.order(node?.privateUrl ?? url, order, node?.bootId),
    announce: (order) => announceAt(wire, db, url, order),
    async command(callId, command) {
      const [node, tokens] = [await processOf(callId), await tokensOf(callId)]
      if (node) return wire.command(node.privateUrl, callId, command, tokens)
      // Over here, or ordered before any node joined: wherever it still runs.
      const asked = [...new Set([url, ...(await bases(ASKED_MAX))])]
      const told = await Promise.allSettled(asked.map((base) => wire.command(base, callId, command, tokens)))
      if (told.some((each) => each.status === 'fulfilled' && each.value)) return true
      const [only] = told
      if (told.length === 1 && only?.status === 'rejected') throw only.reason
      return false
    },
    async ask(callId) {
      const node = await processOf(callId)
      return wire.standing(node?.privateUrl ?? url, callId, node?.bootId)
    },
    askSuccessor: ({ privateUrl, bootId }, callId) => wire.standing(privateUrl, callId, bootId),
    isAlive: ({ privateUrl, bootId }, callId) => wire.isAlive(privateUrl, callId, bootId),
    askCarrier: async (carrierCallId) =>
      firstToAnswer(await bases(CARRIER_NODES_MAX), (base) => wire.carrierCall(base, carrierCallId)),
    hangUpAtCarrier: async (carrierCallId) =>
      firstToAnswer(await bases(CARRIER_NODES_MAX), (base) => wire.carrierHangUp(base, carrierCallId)),
    summarise: async (wanted) => firstToAnswer(await bases(1), (base) => wire.summarise(base, wanted)),
    reading: async (order) => firstToAnswer(await bases(READING_NODES_MAX), (base) => wire.reading(base, order)),
    preview: async (asked) => firstToAnswer(await bases(PREVIEW_NODES_MAX), (base) => wire.preview(base, asked)),
  }
}

async function nodeOfVerification(db: Db, id: string): Promise<Process | undefined> {
  const { nodeId, bootId } = callerVerification
  const [node] = await db
    .select({ privateUrl: voiceNode.privateUrl, bootId: voiceNode.bootId })
    .from(voiceNode)
    .innerJoin(callerVerification, and(eq(nodeId, voiceNode.nodeId), eq(bootId, voiceNode.bootId)))
    .where(eq(callerVerification.id, id))
  return node
}

/** So many nodes are tried when one has no room or is away. */
const ANNOUNCERS_MAX = 3

/** Another node gets the order only where the one before certainly has not taken it. */
async function announceAt(wire: Wire, db: Db, url: string, order: VerificationOrder): Promise<NodeRow | null> {
  const nodes = (await livingNodes(db, ASKED_MAX)).filter(({ state }) => state === 'ready').slice(0, ANNOUNCERS_MAX)
  if (nodes.length === 0) {
    await wire.announce(url, order)
    return null
  }
  let failure: unknown
  for (const node of nodes) {
    try {
      await wire.announce(node.privateUrl, order, node.bootId)
      return node
    } catch (error) {
      if (mayHaveArrived(error)) throw error
      failure = error
    }
  }
  throw failure
}

async function obstacleOf(wire: Wire, db: Db, url: string): Promise<VoiceObstacle | null> {
  const nodes = await livingNodes(db, ASKED_MAX)
  const ready = nodes.filter(({ state }) => state === 'ready').map(({ privateUrl }) => privateUrl)
  const found = new Set<VoiceObstacle>()
  const placesCalls = async (base: string) => {
    const health = await wire.health(base)
    const isDraining = health?.status === 'draining'
    const obstacle = isDraining ? 'away' : health?.phone === 'deaf' || health?.phone === 'broken' ? health.phone : null
    if (obstacle === null) return
    found.add(obstacle)
    throw new Error(`It places no calls: ${obstacle}`)
  }
  return Promise.any((nodes.length === 0 ? [url] : ready).map(placesCalls)).then(
    () => null,
    () => (['broken', 'deaf'] as const).find((each) => found.has(each)) ?? 'away',
  )
}

/** Asks one after the other; an error of the last is thrown. */
async function firstToAnswer<T>(bases: readonly string[], ask: (base: string) => Promise<T>): Promise<T> {
  let failure: unknown
  for (const base of bases) {
    try {
      return await ask(base)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
