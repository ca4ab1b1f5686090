import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  BOOT_HEADER,
  CallCommand,
  CallOrder,
  type CallSummary,
  type CarrierStanding,
  type Fact,
  type FactBody,
  type FactReport,
  FactsTaken,
  joinNode,
  nodeHeartbeat,
  type NodeHeartbeat,
  NodeJoined,
  type Outcome,
  pathOf,
  type Readings,
  reportFacts,
  VerificationOrder,
  SummaryWanted,
  VOICE_PATHS,
  type VoiceHealth,
} from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Db } from '../platform/db.ts'
import { PATIENTLY, type TestApp } from '../testing.ts'
import { voiceNode } from './schema.ts'

// For tests of the whole, which enter here.
export { dialCall } from './placing/dial.ts'
export { reconcile } from './reconcile.ts'
export { call, callerNumber, callerVerification, callTemplate, callTurn } from './schema.ts'

/** The same as in createTestApp. */
const VOICE_SECRET = 'v'.repeat(32)

/** An HTTP server in place of the voice service: keeps orders and sends the facts that a test tells. */
export interface StandInVoice {
  readonly url: string
  readonly orders: CallOrder[]
  /** The traceparent that came with the order of a call. */
  readonly traceparents: Map<string, unknown>
  /** Orders of calls that tell a code. */
  readonly verifications: VerificationOrder[]
  /** Paths and queries of the previews that were asked for. */
  readonly previews: string[]
  /** WebSockets opened by the api, with their paths. */
  readonly sockets: { readonly path: string; readonly socket: WebSocket }[]
  readonly commands: { readonly callId: string; readonly command: CallCommand }[]
  /** Calls that it knows; others get 404. */
  readonly live: Map<string, boolean>
  /** Calls that an earlier process of it dialed. */
  readonly lost: Set<string>
  /** Status of the answer to commands, by call. */
  readonly refuses: Map<string, number>
  /** What it answers to a call that is to be summarised; null: its mind makes none. */
  summary: CallSummary | null
  readonly summarised: SummaryWanted[]
  /** Answers orders with this status instead of taking them. */
  refuseWith: number | null
  /** Takes an order and dies before it answers. */
  dying: boolean
  /** Closes every connection. */
  away: boolean
  /** Calls that it was asked about, also while it is away. */
  readonly asked: string[]
  /** Awaited before it says how a call stands. */
  answering: Promise<unknown>
  /** Answers everything with 500. */
  broken: boolean
  /** Awaited before it takes an order. */
  gate: Promise<unknown>
  /** What GET /health says; null: it has no such route. */
  health: VoiceHealth['status'] | null
  /** ... and whether real lines can be used; it says so only with a status. */
  phone: VoiceHealth['phone']
  /** Answers POST /v1/reading; null: with 404, as a voice service of before. */
  readings: Readings | null
  /** Legs that its carrier knows, by the carrier's own id; one that is hung up ends. */
  readonly legs: Map<string, CarrierStanding>
  /**
   * Joins as a new process: calls of an earlier one are forgotten. It sends no heartbeats by itself, and counts as
   * living until a test makes its last one old. Returns the api's status.
   */
  join(app: Joined, as?: { nodeId?: string; capacity?: number; bootId?: string }): Promise<number>
  /** The process is replaced by another, which has not joined yet. */
  restart(): void
  /** Orders for another process than this one, which were refused. */
  misdirected: number
  /** Returns the api's status. */
  heartbeat(app: Joined, state?: NodeHeartbeat['state']): Promise<number>
  /** Waits for the order of a call. */
  orderOf(callId: string): Promise<CallOrder>
  /** Waits for the order of a call that tells a code. */
  verificationOf(callId: string): Promise<VerificationOrder>
  /** Waits for a command to a call. */
  commandTo(callId: string, type: CallCommand['type']): Promise<CallCommand>
  close(): Promise<void>
}

type Joined = Pick<TestApp, 'context' | 'internalUrl'>

let processes = 0

export async function startStandInVoice(clockSpeed = 1): Promise<StandInVoice> {
  const server = createServer((request, response) => void serve(voice, node, clockSpeed, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const node: StandInNode = { nodeId: '', bootId: '', credentials: '' }
  const voice: StandInVoice = {
    url: `http://127.0.0.1:${port}`,
    orders: [],
    traceparents: new Map(),
    verifications: [],
    previews: [],
    sockets: [],
    commands: [],
    live: new Map(),
    lost: new Set(),
    legs: new Map(),
    health: null,
    phone: undefined,
    summary: null,
    summarised: [],
    readings: null,
    refuseWith: null,
    refuses: new Map(),
    dying: false,
    away: false,
    broken: false,
    gate: Promise.resolve(),
    asked: [],
    answering: Promise.resolve(),
    orderOf: (callId) => found(() => voice.orders.find((order) => order.callId === callId)),
    verificationOf: (callId) => found(() => voice.verifications.find((order) => order.callId === callId)),
    commandTo: (callId, type) =>
      found(() => voice.commands.find((each) => each.callId === callId && each.command.type === type)?.command),
    join: (app, as = {}) => joinAs(voice, node, app, as),
    misdirected: 0,
    restart: () => void (node.bootId = 'restarted'),
    heartbeat: (app, state = 'ready') => beatAs(node, app, state),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }

  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, raw, head) => {
    if (!isAllowed(voice, request, request.url?.split('/')[3])) return void raw.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    sockets.handleUpgrade(request, raw, head, (socket) => void voice.sockets.push({ path: request.url ?? '', socket }))
  })

  return voice
}

const ENDED_LEG = { state: 'ended', cause: 'local', code: null, cost: null } as const

/** Of an order with a token, what concerns it shows the token alone. */
function isAllowed({ orders, verifications }: StandInVoice, { headers }: IncomingMessage, callId = ''): boolean {
  const token = [...orders, ...verifications].find((order) => order.callId === callId)?.token
  return headers.authorization === `Bearer ${token ?? VOICE_SECRET}`
}

async function serve(
  voice: StandInVoice,
  { bootId }: StandInNode,
  clockSpeed: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, , kind, callId = '', command] = (request.url ?? '').split('/')
  const isQuestion = request.method === 'GET' && kind === 'calls' && command === undefined
  if (isQuestion) voice.asked.push(callId)
  if (voice.away) return void request.socket.destroy()
  if (isQuestion) await voice.answering
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
  const answer = (status: number, data: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json', [BOOT_HEADER]: bootId }).end(JSON.stringify(data))
  if (voice.broken) return void answer(500, {})
  if (request.url === VOICE_PATHS.health && voice.health !== null) {
    const names = { carrier: 'simulated', mind: 'scripted' }
    const { health: status, phone } = voice
    return void answer(200, { status, calls: 0, capacity: 100, ...names, phone } satisfies VoiceHealth)
  }
  if (!isAllowed(voice, request, command === 'commands' ? callId : '')) return void answer(401, {})
  if (request.url === VOICE_PATHS.reading) return void answer(voice.readings ? 200 : 404, voice.readings ?? {})
  if (kind === 'voices') {
    voice.previews.push(request.url ?? '')
    return void response.writeHead(200, { 'content-type': 'audio/wav' }).end('RIFF a voice')
  }
  const leg = kind === 'carrier' ? voice.legs.get(callId) : undefined
  if (leg && command === 'hang-up') voice.legs.set(callId, { ...ENDED_LEG, connectedMs: leg.connectedMs })
  if (kind === 'carrier') return void answer(leg ? (command === 'hang-up' ? 202 : 200) : 404, leg ?? {})
  if (request.method === 'GET') {
    const live = voice.live.get(callId)
    if (voice.lost.has(callId)) return void answer(200, { standing: 'lost' })
    return void (live === undefined ? answer(404, {}) : answer(200, { standing: live ? 'live' : 'over' }))
  }
  if (request.url === VOICE_PATHS.summaries) {
    voice.summarised.push(SummaryWanted.parse(body))
    return void answer(voice.summary ? 200 : 503, voice.summary ?? {})
  }
  if (command === 'commands') {
    if (voice.live.get(callId) !== true) return void answer(404, {})
    const refusal = voice.refuses.get(callId)
    if (refusal !== undefined) return void answer(refusal, {})
    voice.commands.push({ callId, command: CallCommand.parse(body) })
    return void answer(202, {})
  }
  if ((request.headers[BOOT_HEADER] ?? bootId) !== bootId) {
    voice.misdirected++
    return void answer(409, {})
  }
  await voice.gate
  if (voice.refuseWith !== null) return void answer(voice.refuseWith, {})
  if (request.url === VOICE_PATHS.verifications) {
    const told = VerificationOrder.parse(body)
    setImmediate(() => voice.verifications.push(told))
    if (voice.dying) return void request.socket.destroy()
    return void answer(202, { callId: told.callId, clockSpeed })
  }
  const order = CallOrder.parse(body)
  voice.traceparents.set(order.callId, request.headers['traceparent'])
  voice.live.set(order.callId, true)
  // After the answer is sent, as from a real voice service, so that the test's facts come later.
  setImmediate(() => voice.orders.push(order))
  if (voice.dying) return void request.socket.destroy()
  answer(202, { callId: order.callId, clockSpeed })
}

/** A process among the voice nodes. */
interface StandInNode {
  nodeId: string
  bootId: string
  credentials: string
}

async function joinAs(
  voice: StandInVoice,
  node: StandInNode,
  { internalUrl, context }: Joined,
  { nodeId = 'node-1', capacity = 100, bootId = `${Date.now()}-${String(++processes).padStart(6, '0')}` },
): Promise<number> {
  voice.live.clear()
  Object.assign(node, { nodeId, bootId, credentials: '' })
  const more = { privateUrl: voice.url, mediaUrl: voice.url, version: '1', carrier: 'simulated', mind: 'scripted' }
  const response = await post(internalUrl + joinNode.path, VOICE_SECRET, { nodeId, bootId, capacity, ...more })
  const joined: unknown = await response.json()
  if (response.ok) node.credentials = NodeJoined.parse(joined).credentials
  await keepLiving(context.db, nodeId)
  return response.status
}

async function beatAs(
  { nodeId, bootId, credentials }: StandInNode,
  { internalUrl, context }: Joined,
  state: NodeHeartbeat['state'],
): Promise<number> {
  const { status } = await post(internalUrl + pathOf(nodeHeartbeat, { id: nodeId }), credentials, { bootId, state })
  await keepLiving(context.db, nodeId)
  return status
}

/** A test on a busy machine may take longer than a node lives without a heartbeat. */
export async function keepLiving(db: Db, nodeId: string): Promise<void> {
  const inAnHour = sql`now() + interval '1 hour'`
  await db.update(voiceNode).set({ heartbeatAt: inAnHour }).where(eq(voiceNode.nodeId, nodeId))
}

function post(url: string, secret: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

function found<T>(look: () => T | undefined): Promise<T> {
  return vi.waitFor(() => {
    const value = look()
    if (value === undefined) throw new Error('not yet')
    return value
  }, PATIENTLY)
}

/** Writes the facts of one call, numbered and stamped as the voice service does, and sends them. */
export class Script {
  readonly #internalUrl: string
  readonly #callId: string
  readonly #bearer: string
  readonly #headers: Readonly<Record<string, string>>
  #seq = 0
  callMs = 0

  constructor(
    { internalUrl }: { readonly internalUrl: string },
    callId: string,
    bearer = VOICE_SECRET,
    traceparent?: string,
  ) {
    this.#bearer = bearer
    this.#headers = traceparent === undefined ? {} : { traceparent }
    this.#internalUrl = internalUrl
    this.#callId = callId
  }

  /** The next fact, `afterMs` of call time later. */
  next(body: FactBody, afterMs = 100): Fact {
    this.callMs += afterMs
    return { ...body, seq: ++this.#seq, at: new Date().toISOString(), callMs: this.callMs }
  }

  /** Returns the number of the last fact that the api has. */
  async send(...facts: Fact[]): Promise<number> {
    const report: FactReport = { facts }
    const response = await fetch(this.#internalUrl + pathOf(reportFacts, { id: this.#callId }), {
      method: 'POST',
      headers: { ...this.#headers, authorization: `Bearer ${this.#bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(report),
    })
    const body: unknown = await response.json()
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
    return FactsTaken.parse(body).taken
  }

  async say(...bodies: FactBody[]): Promise<number> {
    return this.send(...bodies.map((body) => this.next(body)))
  }

  turn(index: number, speaker: 'agent' | 'user', text: string): FactBody {
    return {
      type: 'turn',
      turn: { index, speaker, text, startMs: index * 1000, endMs: index * 1000 + 900, heard: true },
    }
  }

  /** From dialing to the first words. */
  async converse(): Promise<void> {
    await this.say({ type: 'dialing' }, { type: 'ringing' }, { type: 'answered' })
    await this.say(...this.words())
  }

  words(): FactBody[] {
    return [this.turn(0, 'agent', 'Hello, this is an AI assistant.'), this.turn(1, 'user', 'Hello.')]
  }

  async end(...about: Parameters<Script['ended']>): Promise<void> {
    await this.say(this.ended(...about))
  }

  ended(
    connectedSeconds: number,
    reason: Extract<FactBody, { type: 'ended' }>['reason'] = 'agent_closed',
  ): Extract<FactBody, { type: 'ended' }> {
    return { type: 'ended', reason, message: 'The call is over.', connectedSeconds }
  }

  async wrapUp(...about: Parameters<Script['wrappedUp']>): Promise<void> {
    await this.say(this.wrappedUp(...about))
  }

  wrappedUp(
    description = 'All went well.',
    outcomes: Outcome[] = [{ objective: 'Ask', status: 'met', quote: 'Hello.', turn: 1 }],
  ): FactBody {
    const summary = {
      type: 'success' as const,
      title: 'Asked',
      description,
      insights: ['Polite'],
      nextSteps: ['Be there in time'],
      actionRequired: false,
      actionText: null,
    }
    return { type: 'wrapped_up', outcomes, summary, language: 'en' }
  }
}
