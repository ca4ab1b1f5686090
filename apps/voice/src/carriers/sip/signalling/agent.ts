import type { Clock } from '@parley/voice-ports'
import { type Incoming, Transactions } from './transactions.ts'
import type { Received, Wire } from './wire.ts'

/** What this user agent takes within its calls. */
export const ALLOW = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, NOTIFY, UPDATE'
const KNOWN = new Set([...ALLOW.split(', '), 'REGISTER', 'REFER', 'SUBSCRIBE', 'MESSAGE', 'PRACK', 'PUBLISH'])
export const USER_AGENT = 'Parley'
const CALLS_MAX = 5000

/** Takes the requests of one dialog. */
export interface InDialog {
  receive(incoming: Incoming): void
}

export interface AgentOptions {
  readonly clock: Clock
  readonly wire: Wire
}

/** One SIP user agent: hands requests of far ends to the calls they belong to, and answers all others itself. */
export class Agent {
  readonly clock: Clock
  readonly wire: Wire
  readonly transactions: Transactions
  /** By Call-ID and our own tag, which nobody else can know. */
  readonly #calls = new Map<string, InDialog>()

  constructor({ clock, wire }: AgentOptions) {
    this.clock = clock
    this.wire = wire
    this.transactions = new Transactions({ clock, wire, onRequest: (incoming) => this.#take(incoming) })
  }

  receive(received: Received): void {
    this.transactions.receive(received)
  }

  get calls(): number {
    return this.#calls.size
  }

  /**
   * Requests of this dialog go to `call` from now on. Returns the end of that.
   * @throws RangeError when as many calls are held as this process may hold
   */
  register(callId: string, tag: string, call: InDialog): () => void {
    const key = `${callId} ${tag}`
    if (!this.#calls.has(key) && this.#calls.size >= CALLS_MAX) throw new RangeError('Too many SIP calls are held.')
    this.#calls.set(key, call)
    return () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
  }

  close(): void {
    this.transactions.close()
    this.#calls.clear()
  }

  #take(incoming: Incoming): void {
    const { request, facts } = incoming
    if (request.method === 'CANCEL') {
      // Ours are answered at once: there is nothing left to withdraw.
      const known = this.transactions.knowsInviteOf(incoming)
      return incoming.answer(known ? { status: 200, reason: 'OK' } : NO_CALL)
    }
    if (!KNOWN.has(request.method)) return incoming.answer({ status: 501, reason: 'Not Implemented', headers: ALLOWED })
    const required = request.headers.values('require').filter((tag) => tag.toLowerCase() !== 'timer')
    if (required.length > 0)
      return incoming.answer({
        status: 420,
        reason: 'Bad Extension',
        headers: [['unsupported', required.slice(0, 8).join(', ')]],
      })
    if (facts.toTag === null) return this.#takeAlone(incoming)
    const call = this.#calls.get(`${facts.callId} ${facts.toTag}`)
    if (call) call.receive(incoming)
    else incoming.answer(NO_CALL)
  }

  /** Outside every call: health is answered, and nobody can call us. */
  #takeAlone(incoming: Incoming): void {
    switch (incoming.request.method) {
      case 'OPTIONS':
        return incoming.answer(CAPABILITIES)
      case 'INVITE':
        return incoming.answer({ status: 403, reason: 'Takes No Calls' })
      case 'BYE':
      case 'INFO':
      case 'NOTIFY':
      case 'UPDATE':
      case 'PRACK':
        return incoming.answer(NO_CALL)
      default:
        return incoming.answer(NOT_ALLOWED)
    }
  }
}

const ALLOWED = [['allow', ALLOW]] as const
export const NO_CALL = { status: 481, reason: 'Call/Transaction Does Not Exist' } as const
export const NOT_ALLOWED = { status: 405, reason: 'Method Not Allowed', headers: ALLOWED } as const
export const CAPABILITIES = {
  status: 200,
  reason: 'OK',
  headers: [
    ['allow', ALLOW],
    ['accept', 'application/sdp'],
    ['supported', 'timer'],
  ],
} as const
