import { type Agent, ALLOW, NO_CALL, USER_AGENT } from './agent.ts'
import { sdpIn } from './bodies.ts'
import type { RequestFailure } from './client-transaction.ts'
import type { Digest } from './digest.ts'
import { Dialog, type LocalEnd } from './dialog.ts'
import { Exchange } from './exchange.ts'
import { type Facts, Headers, type SipRequest, type SipResponse } from './message.ts'
import { SESSION_MIN_SECONDS } from './session-timer.ts'
import type { Incoming } from './transactions.ts'
import { GIVE_UP_MS, type Target } from './wire.ts'

/** More than any trunk forks to. */
const FORKS_MAX = 16
const SESSION_MAX_SECONDS = 86_400

export interface InvitationOptions {
  readonly agent: Agent
  readonly target: Target
  readonly digest: Digest
  readonly local: LocalEnd
  readonly requestUri: string
  /** Identity and what else the trunk wants. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly offer: string
  readonly sessionSeconds: number
  /** How long the far end should go on trying. */
  readonly expiresSeconds: number
  readonly onEvent: (event: InvitationEvent) => void
  /** Requests of the far end before the answer. */
  readonly onEarlyRequest: (incoming: Incoming, dialog: Dialog) => void
  /** The way of requests in this dialog. */
  readonly route: (dialog: Dialog) => Target
}

export interface Answered {
  readonly dialog: Dialog
  readonly response: SipResponse
  /** The last CSeq number used. */
  readonly cseq: number
}

type InvitationEvent =
  /** sdp: of early media. */
  | { readonly type: 'progress'; readonly status: number; readonly sdp: string | null }
  | ({ readonly type: 'answered'; readonly sdp: string | null } & Answered)
  /** Last. Nothing is connected, and nothing rings any more. */
  | {
      readonly type: 'failed'
      readonly response: SipResponse | null
      readonly failure: RequestFailure | null
      readonly message: string
    }

/** One INVITE until its final response: early dialogs, the first 2xx of a fork, CANCEL (RFC 3261 sections 9 and 13). */
export class Invitation {
  readonly #options: InvitationOptions
  #exchange: Exchange
  #cseq = 0
  #sessionSeconds: number
  #minSeconds = SESSION_MIN_SECONDS
  #ringing = false
  #withdrawn = false
  #isCancelSent = false
  #done = false
  /** By the far end's tag. */
  readonly #early = new Map<string, Dialog>()
  readonly #acks = new Map<string, () => void>()
  readonly #unregister: () => void
  #stopWaiting: (() => void) | null = null

  /** @throws RangeError when too many calls are held */
  constructor(options: InvitationOptions) {
    this.#options = options
    this.#sessionSeconds = options.sessionSeconds
    this.#unregister = options.agent.register(options.local.callId, options.local.tag, this)
    this.#exchange = this.#invite()
  }

  /** Whether the far end said anything at all. */
  get isHeard(): boolean {
    return this.#ringing || this.#done
  }

  /** Withdraws the call. It fails when the far end confirms that; a 2xx that crosses it is hung up. */
  cancel(): void {
    if (this.#withdrawn || this.#done) return
    this.#withdrawn = true
    this.#sendCancel()
    // Section 9.1: the INVITE counts as withdrawn then, whatever the trunk says later.
    this.#stopWaiting = this.#options.agent.clock.after(GIVE_UP_MS, () => {
      this.#exchange.transaction?.abandon()
      this.#fail(null, { kind: 'timeout', message: 'The call was withdrawn, and the trunk did not confirm it.' })
    })
  }

  receive(incoming: Incoming): void {
    const dialog = this.#early.get(incoming.facts.fromTag ?? '')
    if (!dialog || this.#done) return incoming.answer(NO_CALL)
    if (!dialog.takes(incoming.facts)) return incoming.answer({ status: 500, reason: 'Out Of Order' })
    this.#options.onEarlyRequest(incoming, dialog)
  }

  #invite(): Exchange {
    const { agent, digest, target } = this.#options
    return new Exchange({
      transactions: agent.transactions,
      digest,
      target,
      build: () => this.#request(),
      isWanted: () => !this.#withdrawn,
      onProvisional: (response, facts) => this.#progress(response, facts),
      onFinal: (response, facts, refused) => this.#final(response, facts, refused),
      onFailed: (failure) => this.#fail(null, failure),
    })
  }

  #request(): SipRequest {
    const { local, requestUri, headers, offer, expiresSeconds } = this.#options
    this.#cseq++
    const all = new Headers()
      .add('max-forwards', '70')
      .add('from', `${local.from};tag=${local.tag}`)
      .add('to', local.to)
      .add('call-id', local.callId)
      .add('cseq', `${this.#cseq} INVITE`)
      .add('contact', local.contact)
      .add('allow', ALLOW)
      .add('supported', 'timer')
      .add('session-expires', `${this.#sessionSeconds};refresher=uac`)
      .add('min-se', String(this.#minSeconds))
      .add('expires', String(expiresSeconds))
      .add('user-agent', USER_AGENT)
    for (const [name, value] of headers) all.add(name, value)
    all.add('content-type', 'application/sdp')
    return { type: 'request', method: 'INVITE', uri: requestUri, headers: all, body: offer }
  }

  #progress(response: SipResponse, facts: Facts): void {
    this.#ringing = true
    if (this.#done) return
    if (this.#withdrawn) return this.#sendCancel()
    if (response.status === 100) return
    const tag = facts.toTag ?? ''
    const known = this.#early.get(tag)
    known?.retarget(response.headers)
    if (!known && tag !== '' && this.#early.size < FORKS_MAX) this.#early.set(tag, this.#dialog(response, tag))
    this.#options.onEvent({ type: 'progress', status: response.status, sdp: sdpIn(response) })
  }

  #final(response: SipResponse, facts: Facts, refused: string | null): void {
    if (response.status < 300) return this.#accepted(response, facts.toTag ?? '')
    if (response.status === 422 && this.#raise(response)) {
      this.#exchange = this.#invite()
      return
    }
    this.#fail(response, null, refused)
  }

  /** RFC 4028 section 7.3: once more with the interval that the trunk wants. */
  #raise(response: SipResponse): boolean {
    const wanted = Number(/^\d{1,5}/.exec(response.headers.get('min-se') ?? '')?.[0] ?? 0)
    if (this.#withdrawn || wanted <= this.#sessionSeconds || wanted > SESSION_MAX_SECONDS) return false
    this.#sessionSeconds = wanted
    this.#minSeconds = wanted
    return true
  }

  #accepted(response: SipResponse, tag: string): void {
    const again = this.#acks.get(tag)
    if (again) return again()
    if (this.#acks.size >= FORKS_MAX) return
    const dialog = this.#early.get(tag) ?? this.#dialog(response, tag)
    dialog.retarget(response.headers)
    this.#acks.set(tag, this.#acknowledge(dialog))
    // Another fork was first, or nobody wants the call any more.
    if (this.#done || this.#withdrawn) return this.#hangUp(dialog)
    this.#done = true
    this.#unregister()
    const sdp = sdpIn(response)
    this.#options.onEvent({ type: 'answered', dialog, response, sdp, cseq: this.#cseq })
  }

  #hangUp(dialog: Dialog): void {
    const { agent, digest, route } = this.#options
    const over = () => this.#fail(null, { kind: 'closed', message: 'The call was answered as it was withdrawn.' })
    new Exchange({
      transactions: agent.transactions,
      digest,
      target: route(dialog),
      build: () => dialog.request('BYE', ++this.#cseq),
      onFinal: over,
      onFailed: over,
    })
  }

  #acknowledge(dialog: Dialog): () => void {
    const { agent, route } = this.#options
    const invite = this.#exchange.transaction?.request
    const cseq = Number.parseInt(invite?.headers.get('cseq') ?? '', 10)
    const ack = dialog.request('ACK', cseq)
    // The same credentials as its INVITE (RFC 3261 section 13.2.2.4).
    for (const name of ['authorization', 'proxy-authorization'])
      for (const value of invite?.headers.all(name) ?? []) ack.headers.add(name, value)
    return agent.transactions.acknowledge(ack, route(dialog))
  }

  #dialog(response: SipResponse, tag: string): Dialog {
    return new Dialog(this.#options.local, tag, response, this.#options.requestUri)
  }

  #sendCancel(): void {
    const { transaction } = this.#exchange
    if (!this.#ringing || this.#isCancelSent || !transaction) return
    this.#isCancelSent = true
    // What comes of it is told by the final response of the INVITE.
    this.#options.agent.transactions.cancel(transaction, { onResponse: () => undefined, onFailed: () => undefined })
  }

  #fail(response: SipResponse | null, failure: RequestFailure | null, refused: string | null = null): void {
    this.#stopWaiting?.()
    if (this.#done) return
    this.#done = true
    this.#unregister()
    const told = response ? `The trunk answered ${response.status} ${response.reason}`.trimEnd() : ''
    const message = refused ?? failure?.message ?? `${told}.`
    this.#options.onEvent({ type: 'failed', response, failure, message })
  }
}
