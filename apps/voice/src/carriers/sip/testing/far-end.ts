import { randomBytes } from 'node:crypto'
import type { Clock } from '@parley/voice-ports'
import type { MediaEvent, MediaSession, OpenMedia } from '../media-port.ts'
import { sdpIn } from '../signalling/bodies.ts'
import { Headers, type SipRequest } from '../signalling/message.ts'
import { parseNameAddr, parseUri } from '../signalling/syntax.ts'
import { type Incoming, Transactions } from '../signalling/transactions.ts'
import { SipSockets } from '../signalling/transport/sockets.ts'

export const NUMBERS = { answers: '+12025550101', busy: '+12025550102', noAnswer: '+12025550103' } as const

export interface FarEndOptions {
  readonly address: string
  readonly clock: Clock
  readonly openMedia: OpenMedia
  readonly onMedia: (event: MediaEvent) => void
}

/** The telephone network behind a trunk: numbers that answer, are busy or ring, with sound and transfers. */
export class FarEnd {
  readonly #options: FarEndOptions
  readonly #sockets: SipSockets
  readonly #transactions: Transactions
  readonly #calls = new Map<string, FarCall>()

  constructor(options: FarEndOptions) {
    this.#options = options
    this.#sockets = new SipSockets({
      bindAddress: options.address,
      port: 0,
      publicHost: null,
      listensTcp: true,
      ca: null,
      isAllowed: () => true,
      onReceived: (received) => this.#transactions.receive(received),
      onDisconnected: () => undefined,
    })
    this.#transactions = new Transactions({
      clock: options.clock,
      wire: this.#sockets,
      onRequest: (incoming) => this.#take(incoming),
    })
  }

  static async open(options: FarEndOptions): Promise<FarEnd> {
    const farEnd = new FarEnd(options)
    await farEnd.#sockets.open()
    return farEnd
  }

  get port(): number {
    return this.#sockets.port
  }

  get calls(): readonly FarCall[] {
    return [...this.#calls.values()]
  }

  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.close()
    this.#transactions.close()
    await this.#sockets.close()
  }

  #take(incoming: Incoming): void {
    const { request, facts } = incoming
    const call = this.#calls.get(facts.callId)
    switch (request.method) {
      case 'INVITE': {
        if (call) return call.change(incoming)
        const user = parseUri(request.uri)?.user
        if (user === NUMBERS.busy) return incoming.answer({ status: 486, reason: 'Busy Here' })
        const contact = `<sip:far@${this.#options.address}:${this.port}>`
        const made = new FarCall(incoming, contact, this.#transactions, this.#options)
        this.#calls.set(facts.callId, made)
        return made.ring(user === NUMBERS.answers)
      }
      case 'CANCEL':
        incoming.answer({ status: 200, reason: 'OK' })
        return call?.cancel()
      case 'BYE':
        this.#calls.delete(facts.callId)
        call?.close()
        return incoming.answer(call ? { status: 200, reason: 'OK' } : { status: 481, reason: 'No Such Call' })
      case 'REFER':
        return call?.refer(incoming)
      default:
        return incoming.answer({ status: 200, reason: 'OK' })
    }
  }
}

class FarCall {
  readonly #invite: Incoming
  readonly #contact: string
  readonly #transactions: Transactions
  readonly #options: FarEndOptions
  readonly #tag = randomBytes(8).toString('hex')
  #media: MediaSession | null = null
  #cseq = 0

  constructor(invite: Incoming, contact: string, transactions: Transactions, options: FarEndOptions) {
    this.#invite = invite
    this.#contact = contact
    this.#transactions = transactions
    this.#options = options
  }

  ring(answers: boolean): void {
    this.#invite.answer({ status: 180, reason: 'Ringing', toTag: this.#tag, headers: [['contact', this.#contact]] })
    if (answers) this.#options.clock.after(300, () => void this.#pickUp())
  }

  cancel(): void {
    this.#invite.answer({ status: 487, reason: 'Request Terminated', toTag: this.#tag })
  }

  change(incoming: Incoming): void {
    this.#describe(incoming, sdpIn(incoming.request) ?? '')
  }

  /** Puts us through: as the number would answer. */
  refer(incoming: Incoming): void {
    incoming.answer({ status: 202, reason: 'Accepted' })
    const target = parseNameAddr(incoming.request.headers.get('refer-to') ?? '')?.uri ?? ''
    this.#notify('SIP/2.0 100 Trying', 'active;expires=60')
    const outcome = parseUri(target)?.user === NUMBERS.answers ? 'SIP/2.0 200 OK' : 'SIP/2.0 486 Busy Here'
    this.#options.clock.after(200, () => this.#notify(outcome, 'terminated;reason=noresource'))
  }

  /** Sends a request within the call, as a phone that hangs up or is put on hold does. */
  send(method: string, fields: readonly (readonly [string, string])[] = [], body = ''): Promise<number | null> {
    const { request, source } = this.#invite
    const uri = parseNameAddr(request.headers.get('contact') ?? '')?.uri ?? ''
    const headers = new Headers()
      .add('max-forwards', '70')
      .add('from', `${request.headers.get('to') ?? ''};tag=${this.#tag}`)
      .add('to', request.headers.get('from') ?? '')
      .add('call-id', request.headers.get('call-id') ?? '')
      .add('cseq', `${++this.#cseq} ${method}`)
      .add('contact', this.#contact)
    for (const [name, value] of fields) headers.add(name, value)
    const sent: SipRequest = { type: 'request', method, uri, headers, body }
    return new Promise((resolve) => {
      this.#transactions.request(sent, source, {
        onResponse: ({ status }) => (status >= 200 ? resolve(status) : undefined),
        onFailed: () => resolve(null),
      })
    })
  }

  get media(): MediaSession | null {
    return this.#media
  }

  close(): void {
    this.#media?.close()
    this.#media = null
  }

  #notify(body: string, state: string): void {
    void this.send(
      'NOTIFY',
      [
        ['event', 'refer'],
        ['subscription-state', state],
        ['content-type', 'message/sipfrag;version=2.0'],
      ],
      `${body}\r\n`,
    )
  }

  async #pickUp(): Promise<void> {
    if (this.#invite.isAnswered) return
    const { openMedia, address: localAddress, clock, onMedia } = this.#options
    this.#media = await openMedia({ localAddress, clock, codecs: ['pcmu'], srtp: 'off', onEvent: onMedia })
    this.#describe(this.#invite, sdpIn(this.#invite.request) ?? '')
  }

  #describe(incoming: Incoming, offer: string): void {
    const body = this.#media?.answer(offer) ?? ''
    const headers = [
      ['contact', this.#contact],
      ['content-type', 'application/sdp'],
    ] as const
    incoming.answer({ status: 200, reason: 'OK', toTag: this.#tag, headers, body })
  }
}
