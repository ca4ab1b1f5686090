import { z } from 'zod'
import { defineRoute } from '../route.ts'

/**
 * Voice nodes among others: a process of the voice service joins with the secret it shares with the api, gets
 * credentials of its own, and then sends heartbeats with them.
 *
 *   POST  INTERNAL/internal/nodes/join           NodeJoin       → 200 NodeJoined, 409 while a newer process of that id lives
 *   POST  INTERNAL/internal/nodes/:id/heartbeat  NodeHeartbeat  → 200 NodeKnown; 404: join again; 409: a newer process joined
 *
 * An api before voice nodes answers 404 to the first: the voice service then works without having joined.
 */

/**
 * Every answer of the voice service under /v1 has it: the boot id of the process that answered. On an order: the process
 * that the place was reserved on; another one refuses it with 409.
 */
export const BOOT_HEADER = 'x-voice-boot'

/** Ids stand in paths of media sockets and in logs. */
const NodeId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/)
/** Begins with the time of its start in ms (13 digits until the year 2286), so that of two the newer is known. */
const BootId = z.string().regex(/^\d{13}-[A-Za-z0-9-]{1,40}$/)
const WebAddress = z.url({ protocol: /^https?$/ }).max(500)

export const NodeJoin = z.object({
  nodeId: NodeId,
  bootId: BootId,
  /** Where the api reaches this process, and no other. */
  privateUrl: WebAddress,
  /** Where carriers and other vendors reach it. */
  mediaUrl: WebAddress,
  /** Calls at once. */
  capacity: z.int().min(1).max(10_000),
  version: z.string().max(100),
  carrier: z.string().max(100),
  mind: z.string().max(100),
})
export type NodeJoin = z.infer<typeof NodeJoin>

export const NodeJoined = z.object({ credentials: z.string().min(1), heartbeatMs: z.int().min(1) })
export type NodeJoined = z.infer<typeof NodeJoined>

/** draining: takes no new calls. leaving: its calls are over and reported, and the process ends. */
export const NodeHeartbeat = z.object({ bootId: BootId, state: z.enum(['ready', 'draining', 'leaving']) })
export type NodeHeartbeat = z.infer<typeof NodeHeartbeat>

/** As the api has it: a draining node stays draining. */
export const NodeKnown = z.object({ state: z.enum(['ready', 'draining', 'leaving']) })
export type NodeKnown = z.infer<typeof NodeKnown>

export const joinNode = defineRoute({
  id: 'joinNode',
  room: 'calls',
  method: 'POST',
  path: '/internal/nodes/join',
  access: 'service',
  summary: 'A process of the voice service joins',
  body: NodeJoin,
  reply: NodeJoined,
})

export const nodeHeartbeat = defineRoute({
  id: 'nodeHeartbeat',
  room: 'calls',
  method: 'POST',
  path: '/internal/nodes/:id/heartbeat',
  // The handler checks the node's own credentials.
  access: 'public',
  summary: 'A voice node lives',
  params: z.object({ id: NodeId }),
  body: NodeHeartbeat,
  reply: NodeKnown,
})
