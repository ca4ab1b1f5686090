import { randomBytes } from 'node:crypto'
import type { Clock } from '@parley/voice-ports'
import { type ClientHandlers, cancelOf, ClientTransaction } from './client-transaction.ts'
import { type Facts, Headers, serialise, type SipRequest } from './message.ts'
import { type Answer, ServerTransaction } from './server-transaction.ts'
import { hostText } from './syntax.ts'
import type { Received, Target, Wire } from './wire.ts'

/** RFC 3261 section 8.1.1.7. */
const COOKIE = 'z9hG4bK'
const TRANSACTIONS_MAX = 20_000

/** A request of a far end, with its one answer. */
export interface Incoming {
  readonly request: SipRequest
  readonly facts: Facts
  readonly source: Target
  readonly answer: (answer: Answer) => void
  readonly isAnswered: boolean
}

export interface TransactionsOptions {
  readonly clock: Clock
  readonly wire: Wire
  /** New requests, CANCEL too; ACKs go to the transactions that await them. */
  readonly onRequest: (incoming: Incoming) => void
  /** Upper bound of client and of server transactions, each. */
  readonly max?: number
}

/** Everything under way between this process and its far ends, matched by branch (RFC 3261 section 17). */
export class Transactions {
  readonly #options: TransactionsOptions
  readonly #max: number
  readonly #clients = new Map<string, ClientTransaction>()
  /** For responses without Via. */
  readonly #byCall = new Map<string, ClientTransaction>()
  readonly #servers = new Map<string, ServerTransaction>()
  /** Server transactions whose 2xx awaits its ACK, which has a branch of its own. */
  readonly #accepted = new Map<string, ServerTransaction>()
  readonly counts = { strayResponses: 0, strayAcks: 0, refused: 0 }

  constructor(options: TransactionsOptions) {
    this.#options = options
    this.#max = options.max ?? TRANSACTIONS_MAX
  }

  get size(): number {
    return this.#clients.size + this.#servers.size
  }

  /** Requests of ours that have no final response yet. */
  get pending(): number {
    return [...this.#clients.values()].filter(({ isPending }) => isPending).length
  }

  /**
   * Sends a request under a branch of its own. `request` has no Via yet.
   * @throws RangeError when as many transactions are under way as this process may hold
   */
  request(request: SipRequest, target: Target, handlers: ClientHandlers): ClientTransaction {
    const branch = newBranch()
    return this.#start(branch, this.#stamped(request, target, branch), target, handlers)
  }

  /** Withdraws an INVITE; only once a provisional response to it has come. */
  cancel(invite: ClientTransaction, handlers: ClientHandlers): void {
    const branch = /;branch=([^;]+)/.exec(invite.request.headers.get('via') ?? '')?.[1]
    if (branch === undefined || this.#clients.has(`${branch} CANCEL`)) return
    this.#start(branch, cancelOf(invite.request), invite.target, handlers)
  }

  /** Sends the ACK of a 2xx, which has a branch of its own and no answer. Returns how to send it again. */
  acknowledge(ack: SipRequest, target: Target): () => void {
    const bytes = serialise(this.#stamped(ack, target, newBranch()))
    const send = () => this.#options.wire.send(bytes, target, () => undefined)
    send()
    return send
  }

  /** Whether an INVITE of a far end is under way that this CANCEL names. */
  knowsInviteOf({ facts, source }: Incoming): boolean {
    return this.#servers.has(serverKey(facts, source, 'INVITE'))
  }

  receive({ message, facts, source }: Received): void {
    if (message.type === 'response') {
      const client = this.#clientOf(facts)
      if (client) client.take(message, facts)
      else this.counts.strayResponses++
      return
    }
    if (message.method === 'ACK') return this.#acknowledge(message, facts, source)
    const key = serverKey(facts, source, message.method)
    const known = this.#servers.get(key)
    if (known) return known.retransmitted()
    if (this.#servers.size >= this.#max) {
      this.counts.refused++
      return
    }
    this.#serve(key, message, facts, source)
  }

  /** Ends everything under way without a word to anybody. */
  close(): void {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.abandon()
  }

  #stamped(request: SipRequest, target: Target, branch: string): SipRequest {
    const { host, port } = this.#options.wire.localTo(target)
    const sentBy = `SIP/2.0/${target.transport.toUpperCase()} ${hostText(host)}:${port}`
    const headers = new Headers().add('via', `${sentBy};rport;branch=${branch}`)
    for (const { name, value } of request.headers.entries()) headers.add(name, value)
    return { ...request, headers }
  }

  #start(branch: string, request: SipRequest, target: Target, handlers: ClientHandlers): ClientTransaction {
    if (this.#clients.size >= this.#max) throw new RangeError('Too many SIP transactions are under way.')
    const key = `${branch} ${request.method}`
    const callKey = clientCallKey(request.headers.get('call-id') ?? '', request.headers.get('cseq') ?? '')
    const { clock, wire } = this.#options
    const client = new ClientTransaction({
      clock,
      wire,
      request,
      target,
      handlers,
      onOver: () => {
        this.#clients.delete(key)
        if (this.#byCall.get(callKey) === client) this.#byCall.delete(callKey)
      },
    })
    this.#clients.set(key, client)
    this.#byCall.set(callKey, client)
    client.start()
    return client
  }

  #clientOf(facts: Facts): ClientTransaction | undefined {
    const { via, method, callId, cseq } = facts
    if (!via) return this.#byCall.get(clientCallKey(callId, `${cseq} ${method}`))
    const client = this.#clients.get(`${via.params.get('branch') ?? ''} ${method}`)
    return client?.request.headers.get('call-id') === callId ? client : undefined
  }

  #serve(key: string, request: SipRequest, facts: Facts, source: Target): void {
    const { clock, wire } = this.#options
    const ackKey = ackKeyOf(facts)
    const server = new ServerTransaction({
      clock,
      wire,
      request,
      facts,
      source,
      onOver: () => {
        this.#servers.delete(key)
        if (this.#accepted.get(ackKey) === server) this.#accepted.delete(ackKey)
      },
    })
    this.#servers.set(key, server)
    const tag = randomBytes(8).toString('hex')
    this.#options.onRequest({
      request,
      facts,
      source,
      get isAnswered() {
        return server.isAnswered
      },
      answer: (answer) => {
        server.respond(answer, tag)
        if (server.isInvite && server.awaitsAck) this.#accepted.set(ackKey, server)
      },
    })
  }

  #acknowledge(ack: SipRequest, facts: Facts, source: Target): void {
    const server = this.#servers.get(serverKey(facts, source, 'INVITE')) ?? this.#accepted.get(ackKeyOf(facts))
    if (server) server.acknowledged(ack)
    else this.counts.strayAcks++
  }
}

const newBranch = (): string => `${COOKIE}${randomBytes(12).toString('hex')}`

/** The ACK of a 2xx may come by another way than its INVITE. */
const ackKeyOf = ({ callId, cseq, fromTag }: Facts): string => `${callId} ${cseq} ${fromTag ?? ''}`

const clientCallKey = (callId: string, cseq: string): string => `${callId} ${cseq.replaceAll(/\s+/g, ' ')}`

/** RFC 3261 section 17.2.3; an old branch without the cookie is told apart by the call as well. */
function serverKey({ via, callId, cseq, fromTag }: Facts, source: Target, method: string): string {
  const branch = via?.params.get('branch') ?? ''
  const old = branch.startsWith(COOKIE) ? '' : `${callId} ${cseq} ${fromTag ?? ''}`
  return `${branch} ${via?.host ?? ''}:${via?.port ?? ''} ${source.address} ${method} ${old}`
}
