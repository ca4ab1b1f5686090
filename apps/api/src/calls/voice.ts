import {
  BOOT_HEADER,
  type CallCommand,
  type CallOrder,
  CallStanding,
  CARRIER_PATHS,
  CarrierCall,
  type SoundKind,
  OrderTaken,
  pathOf,
  VOICE_SOUND_PATHS,
  VOICE_PATHS,
  VoiceHealth,
} from '@parley/contract'
import { WebSocket } from 'ws'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db.ts'
import { hasLivingNode, leaseOf } from './nodes/leases.ts'
import { livingNodes } from './nodes/registry.ts'

const ORDER_DEADLINE_MS = 5000
const COMMAND_DEADLINE_MS = 2000
const AWAY_DEADLINE_MS = 1000
/** Above the size of a frame or message of the voice service. */
const LINE_MAX_BYTES = 4096

/** The voice service responded with an error. */
export class VoiceRefusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`The voice service answered ${status}`)
    this.status = status
  }
}

/** Whether voice may have received the order: no response came, but the request may have arrived. */
export function mayHaveArrived(error: unknown): boolean {
  if (error instanceof VoiceRefusal) return false
  const cause = error instanceof Error ? error.cause : undefined
  return !(cause instanceof Error && NEVER_SENT.has(String(Reflect.get(cause, 'code'))))
}

/** Errors before a connection was made. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The process that had the call is gone: nodes/deaths.ts settles the call. */
class NodeGone extends Error {
  constructor(callId: string) {
    super(`The voice node of call ${callId} is gone`)
  }
}

/** Talks to the voice nodes: what is about a call goes to the node of its lease. */
export interface Voice {
  /** Whether every node is down or stopping. A full one does not count: it frees a place soon. */
  isAway(): Promise<boolean>
  /** Of nodes that live, or of VOICE_URL while none has joined; undefined for one that does not answer. */
  healths(): Promise<(VoiceHealth | undefined)[]>
  /** While no node has joined: the health of VOICE_URL, where orders go then. */
  alone(): Promise<{ readonly health: VoiceHealth | undefined } | null>
  /** Throws VoiceRefusal, or any other error when voice could not be reached; then it may or may not have the order. */
  order(order: CallOrder, node: Addressed | undefined): Promise<OrderTaken>
  /** Sends a command. Returns whether the call was there. Throws when its node is gone. */
  command(callId: string, command: CallCommand): Promise<boolean>
  /** The call's standing at its node; `never`: it was not dialed. Throws when that process does not answer. */
  ask(callId: string): Promise<Standing>
  /** The same of a process that followed the call's own, which knows from its journal whether that one dialed. */
  askSuccessor(node: Process, callId: string): Promise<Standing>
  /** Whether the process that joined under this boot id answers at the address. */
  isAlive(node: Process, callId: string): Promise<boolean>
  /** A socket with the sound of a live call; it is still connecting. */
  line(kind: SoundKind, callId: string): Promise<WebSocket>
  /** What the carrier says of a leg, asked through any node; null: it does not know it. Throws without a node. */
  askCarrier(carrierCallId: string): Promise<CarrierCall | null>
  hangUpAtCarrier(carrierCallId: string): Promise<void>
}

type Standing = CallStanding['standing'] | 'never'

interface Addressed {
  readonly privateUrl: string
}

interface Process extends Addressed {
  readonly bootId: string
}

/** Health is asked of so many nodes at most. */
const HEALTHS_MAX = 20
/** Another node is asked about the carrier when one does not answer, up to so many. */
const CARRIER_NODES_MAX = 3

export function createVoice({ url, secret }: Config['voice'], db: Db): Voice {
  const authorization = `Bearer ${secret}`
  const send = async (to: string, deadlineMs: number, body?: unknown): Promise<Response> => {
    const signal = AbortSignal.timeout(deadlineMs)
    if (body === undefined) return fetch(to, { headers: { authorization }, signal })
    const headers = { authorization, 'content-type': 'application/json' }
    return fetch(to, { method: 'POST', headers, body: JSON.stringify(body), signal })
  }
  const healthOf = async (base: string): Promise<VoiceHealth | undefined> => {
    const answer = await fetch(base + VOICE_PATHS.health, { signal: AbortSignal.timeout(AWAY_DEADLINE_MS) })
    return VoiceHealth.safeParse(await answer.json()).data
  }
  const isAway = async (): Promise<boolean> => {
    const nodes = await livingNodes(db, HEALTHS_MAX)
    const ready = nodes.filter(({ state }) => state === 'ready').map(({ privateUrl }) => privateUrl)
    const takesCalls = async (base: string) => {
      if ((await healthOf(base))?.status === 'draining') throw new Error('It is draining')
    }
    return Promise.any((nodes.length === 0 ? [url] : ready).map(takesCalls)).then(
      () => false,
      () => true,
    )
  }
  /** The address of the call's node; VOICE_URL for a call without a lease. */
  const addressOf = async (callId: string): Promise<string> => {
    const lease = await leaseOf(db, callId)
    if (lease === null) throw new NodeGone(callId)
    return lease?.node.privateUrl ?? url
  }
  const commandAt = async (base: string, callId: string, command: CallCommand): Promise<boolean> => {
    const path = pathOf({ path: VOICE_PATHS.commands }, { id: callId })
    const answer = await send(base + path, COMMAND_DEADLINE_MS, command)
    await answer.body?.cancel()
    if (answer.ok) return true
    if (answer.status === 404) return false
    throw new VoiceRefusal(answer.status)
  }
  const standingAt = async (base: string, callId: string, bootId: string | undefined): Promise<Standing> => {
    const answer = await send(base + pathOf({ path: VOICE_PATHS.call }, { id: callId }), COMMAND_DEADLINE_MS)
    const isOther = bootId !== undefined && answer.headers.get(BOOT_HEADER) !== bootId
    if (isOther || answer.status === 404) await answer.body?.cancel()
    if (isOther) throw new NodeGone(callId)
    return answer.status === 404 ? 'never' : CallStanding.parse(await jsonOf(answer)).standing
  }
  const throughAnyNode = async <T>(ask: (base: string) => Promise<T>): Promise<T> => {
    const nodes = await livingNodes(db, CARRIER_NODES_MAX)
    const bases = nodes.length === 0 ? [url] : nodes.map(({ privateUrl }) => privateUrl)
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
  let asking: Promise<boolean> | undefined
  return {
    isAway: () => (asking ??= isAway().finally(() => (asking = undefined))),
    async healths() {
      const late = new Promise<[]>((resolve) => void setTimeout(resolve, AWAY_DEADLINE_MS, []).unref())
      // While the database is away nobody knows the nodes.
      const nodes = await Promise.race([livingNodes(db, HEALTHS_MAX).catch(() => []), late])
      const bases = nodes.length === 0 ? [url] : nodes.map(({ privateUrl }) => privateUrl)
      return Promise.all(bases.map((base) => healthOf(base).catch(() => undefined)))
    },
    async alone() {
      if (await hasLivingNode(db)) return null
      return { health: await healthOf(url).catch(() => undefined) }
    },
    async line(kind, callId) {
      const base = await addressOf(callId)
      return new WebSocket(base.replace(/^http/, 'ws') + pathOf({ path: VOICE_SOUND_PATHS[kind] }, { id: callId }), {
        headers: { authorization },
        handshakeTimeout: COMMAND_DEADLINE_MS,
        maxPayload: LINE_MAX_BYTES,
        perMessageDeflate: false,
      })
    },
    async order(order, node) {
      const answer = await send((node?.privateUrl ?? url) + VOICE_PATHS.calls, ORDER_DEADLINE_MS, order)
      return OrderTaken.parse(await jsonOf(answer))
    },
    async command(callId, command) {
      const lease = await leaseOf(db, callId)
      if (lease === null) throw new NodeGone(callId)
      if (lease) return commandAt(lease.node.privateUrl, callId, command)
      // Over here, or ordered before any node joined: wherever it still runs.
      const bases = new Set([url, ...(await livingNodes(db, HEALTHS_MAX)).map(({ privateUrl }) => privateUrl)])
      const told = await Promise.allSettled([...bases].map((base) => commandAt(base, callId, command)))
      if (told.some((each) => each.status === 'fulfilled' && each.value)) return true
      for (const each of told) if (each.status === 'rejected' && told.length === 1) throw each.reason
      return false
    },
    async ask(callId) {
      const lease = await leaseOf(db, callId)
      if (lease === null) throw new NodeGone(callId)
      return standingAt(lease?.node.privateUrl ?? url, callId, lease?.node.bootId)
    },
    askSuccessor: ({ privateUrl, bootId }, callId) => standingAt(privateUrl, callId, bootId),
    async isAlive({ privateUrl, bootId }, callId) {
      const path = pathOf({ path: VOICE_PATHS.call }, { id: callId })
      const answer = await send(privateUrl + path, COMMAND_DEADLINE_MS).catch(() => undefined)
      await answer?.body?.cancel()
      return answer?.headers.get(BOOT_HEADER) === bootId
    },
    askCarrier: (carrierCallId) =>
      throughAnyNode(async (base) => {
        const path = pathOf({ path: CARRIER_PATHS.carrierCall }, { carrierCallId })
        const answer = await send(base + path, ORDER_DEADLINE_MS)
        if (answer.status !== 404) return CarrierCall.parse(await jsonOf(answer))
        await answer.body?.cancel()
        return null
      }),
    hangUpAtCarrier: (carrierCallId) =>
      throughAnyNode(async (base) => {
        const path = pathOf({ path: CARRIER_PATHS.carrierHangUp }, { carrierCallId })
        const answer = await send(base + path, ORDER_DEADLINE_MS, {})
        await answer.body?.cancel()
        if (!answer.ok) throw new VoiceRefusal(answer.status)
      }),
  }
}

async function jsonOf(answer: Response): Promise<unknown> {
  if (answer.ok) return answer.json()
  await answer.body?.cancel()
  throw new VoiceRefusal(answer.status)
}
