import { type Agent, ALLOW, CAPABILITIES, NO_CALL, NOT_ALLOWED, USER_AGENT } from './agent.ts'
import { digitIn, type Reason, reasonsIn } from './bodies.ts'
import type { RequestFailure } from './client-transaction.ts'
import type { Dialog, Draft } from './dialog.ts'
import type { Digest } from './digest.ts'
import { Exchange } from './exchange.ts'
import type { Facts, SipResponse } from './message.ts'
import { acceptAnswer, answerOffer, type Negotiator } from './offer-answer.ts'
import { Refer, type ReferOutcome } from './refer.ts'
import { SESSION_MIN_SECONDS, sessionExpiresIn, SessionTimer } from './session-timer.ts'
import type { Incoming } from './transactions.ts'
import type { Target } from './wire.ts'

/** RFC 3261 section 14.1: who owns the Call-ID waits 2.1 to 4 s after a glare. */
const GLARE_MS = [2100, 4000] as const
const REFRESH_AGAIN_MS = 10_000

export type SessionEvent =
  /** The far end hung up. */
  | { readonly type: 'bye'; readonly reasons: readonly Reason[] }
  /** Our BYE is over. status: of its answer; null: none came. */
  | { readonly type: 'gone'; readonly status: number | null }
  /** The far end does not know the call any more, or does not answer. */
  | { readonly type: 'lost'; readonly status: number | null; readonly message: string }
  | { readonly type: 'referred'; readonly outcome: ReferOutcome }
  | { readonly type: 'digit'; readonly digit: string }

export interface SessionOptions {
  readonly agent: Agent
  readonly dialog: Dialog
  readonly digest: Digest
  readonly media: Negotiator
  readonly route: (dialog: Dialog) => Target
  /** The last CSeq number used. */
  readonly cseq: number
  /** The 2xx that made it. */
  readonly response: SipResponse
  readonly sessionSeconds: number
  /** Whether sound of the far end came lately. */
  readonly isHeard: () => boolean
  readonly onEvent: (event: SessionEvent) => void
}

/** A confirmed dialog with its sound: what both sides may ask of each other until BYE (RFC 3261 sections 12 to 15). */
export class Session {
  readonly #options: SessionOptions
  readonly #timer: SessionTimer
  readonly #unregister: () => void
  #cseq: number
  #takesUpdate: boolean
  #sessionSeconds: number
  /** Without a session timer of the far end the same clock asks whether it is still there. */
  #isTimed = false
  #isChanging = false
  #isProbing = false
  #byeUnderWay = false
  #refer: Refer | null = null
  #cancelRetry: (() => void) | null = null
  #change: Exchange | null = null
  #over = false

  /** @throws RangeError when too many calls are held */
  constructor(options: SessionOptions) {
    this.#options = options
    this.#cseq = options.cseq
    this.#sessionSeconds = options.sessionSeconds
    const { agent, dialog, response } = options
    this.#unregister = agent.register(dialog.local.callId, dialog.local.tag, this)
    this.#timer = new SessionTimer({
      clock: agent.clock,
      onRefresh: () => this.#refresh(),
      onExpired: () => this.#expire(),
    })
    this.#takesUpdate = response.headers.lists('allow', 'update')
    this.#startTimer(response)
  }

  /** Hangs up. */
  bye(): void {
    if (this.#byeUnderWay || this.#over) return
    this.#byeUnderWay = true
    this.#stop()
    const over = (status: number | null) => {
      this.#end()
      this.#options.onEvent({ type: 'gone', status })
    }
    // 481 confirms it too: there is nothing left to hang up.
    this.#request('BYE', {}, { onFinal: (response) => over(response.status), onFailed: () => over(null) })
  }

  /** Puts the far end through to a URI. `by`: who asks for it. */
  refer(uri: string, by: string): void {
    const { clock } = this.#options.agent
    if (this.#refer || this.#over) return
    const refer = new Refer(clock, (outcome) => {
      if (this.#refer === refer) this.#refer = null
      this.#options.onEvent({ type: 'referred', outcome })
    })
    this.#refer = refer
    const headers: Draft['headers'] = [
      ['refer-to', `<${uri}>`],
      ['referred-by', by],
    ]
    this.#request(
      'REFER',
      { headers },
      { onFinal: (response) => refer.takeResponse(response), onFailed: () => refer.takeResponse(null) },
    )
  }

  /** Finds out whether the far end still knows the call. One that answers nothing and is heard is there. */
  probe(): void {
    if (this.#over || this.#byeUnderWay || this.#isProbing) return
    this.#isProbing = true
    this.#request(
      'OPTIONS',
      {},
      {
        onFinal: (response) => {
          this.#isProbing = false
          this.#weigh(response)
        },
        onFailed: (failure) => {
          this.#isProbing = false
          if (!this.#options.isHeard()) this.#lose(null, failure.message)
        },
      },
    )
  }

  /** Ends without a word to the far end. */
  abandon(): void {
    this.#end()
  }

  receive(incoming: Incoming): void {
    const { dialog, onEvent } = this.#options
    const { request, facts } = incoming
    if (this.#over || (facts.fromTag ?? '') !== dialog.remoteTag) return incoming.answer(NO_CALL)
    if (!dialog.takes(facts)) return incoming.answer({ status: 500, reason: 'Out Of Order' })
    switch (request.method) {
      case 'BYE': {
        incoming.answer({ status: 200, reason: 'OK' })
        const refer = this.#refer
        this.#refer = null
        this.#end()
        refer?.takeBye()
        return onEvent({ type: 'bye', reasons: reasonsIn(request) })
      }
      case 'INVITE':
      case 'UPDATE':
        return this.#takeChange(incoming)
      case 'OPTIONS':
        return incoming.answer(CAPABILITIES)
      case 'INFO': {
        incoming.answer({ status: 200, reason: 'OK' })
        const digit = digitIn(request)
        return digit === null ? undefined : onEvent({ type: 'digit', digit })
      }
      case 'NOTIFY':
        incoming.answer({ status: 200, reason: 'OK' })
        return /^refer\b/i.test(request.headers.get('event') ?? '') ? this.#refer?.takeNotify(request) : undefined
      case 'REFER':
        return incoming.answer({ status: 603, reason: 'Decline' })
      default:
        return incoming.answer(NOT_ALLOWED)
    }
  }

  #takeChange(incoming: Incoming): void {
    const { request } = incoming
    const { dialog, media } = this.#options
    if (this.#isChanging) return incoming.answer({ status: 491, reason: 'Request Pending' })
    const asked = Number.parseInt(request.headers.get('session-expires') ?? '', 10)
    if (asked < SESSION_MIN_SECONDS) {
      const headers = [['min-se', String(SESSION_MIN_SECONDS)]] as const
      return incoming.answer({ status: 422, reason: 'Session Interval Too Small', headers })
    }
    const timed = sessionExpiresIn(request.headers)
    const refresher = timed?.refresher ?? 'uac'
    const fields: (readonly [string, string])[] = [
      ['contact', dialog.local.contact],
      ['allow', ALLOW],
      ['supported', 'timer'],
    ]
    if (timed) fields.push(['session-expires', `${timed.seconds};refresher=${refresher}`])
    if (timed && refresher === 'uac') fields.push(['require', 'timer'])
    const done = answerOffer(incoming, media, fields, (why) => this.#lose(null, why))
    if (!done) return
    dialog.retarget(request.headers)
    if (timed) this.#restartTimer(timed.seconds, refresher === 'uas')
  }

  #startTimer(response: SipResponse): void {
    const timed = sessionExpiresIn(response.headers)
    this.#isTimed = timed !== null
    this.#restartTimer(timed?.seconds ?? this.#sessionSeconds, timed?.refresher !== 'uas')
  }

  #restartTimer(seconds: number, isOurs: boolean): void {
    this.#sessionSeconds = seconds
    this.#timer.start(seconds, isOurs)
  }

  /** By UPDATE where the far end takes it (RFC 4028 section 7.4), by a re-INVITE with our offer otherwise. */
  #refresh(): void {
    if (this.#over || this.#byeUnderWay || this.#isChanging) return
    if (!this.#isTimed) {
      this.#restartTimer(this.#sessionSeconds, true)
      return this.probe()
    }
    const headers: Draft['headers'] = [
      ['supported', 'timer'],
      ['session-expires', `${this.#sessionSeconds};refresher=uac`],
      ['min-se', String(SESSION_MIN_SECONDS)],
    ]
    this.#isChanging = true
    const onFailed = (failure: RequestFailure) => this.#lose(null, failure.message)
    if (this.#takesUpdate) {
      this.#request('UPDATE', { headers }, { onFinal: (response) => this.#refreshed(response), onFailed })
      return
    }
    let ack: (() => void) | null = null
    const draft = { headers, body: this.#options.media.offer() }
    const change = this.#request('INVITE', draft, {
      onFinal: (response, facts) => {
        if (response.status >= 300) return this.#refreshed(response)
        if (ack) return ack()
        ack = this.#acknowledge(facts)
        const problem = acceptAnswer(this.#options.media, response)
        if (problem === null) this.#refreshed(response)
        else this.#lose(null, problem)
      },
      onFailed,
    })
    this.#change = change
    // A provisional response stops its timers: it must not stay for longer than the session.
    this.#cancelRetry = this.#options.agent.clock.after(this.#sessionSeconds * 500, () => change.transaction?.abandon())
  }

  #refreshed(response: SipResponse): void {
    this.#isChanging = false
    this.#cancelRetry?.()
    if (response.status < 300) {
      this.#options.dialog.retarget(response.headers)
      if (response.headers.get('allow') !== null) this.#takesUpdate = response.headers.lists('allow', 'update')
      return this.#startTimer(response)
    }
    if (response.status === 405 || response.status === 501) this.#takesUpdate = false
    if (!this.#weigh(response)) return
    const wanted = Number(/^\d{1,5}/.exec(response.headers.get('min-se') ?? '')?.[0] ?? 0)
    if (response.status === 422 && wanted > this.#sessionSeconds) this.#sessionSeconds = wanted
    const [least, most] = GLARE_MS
    const waitMs = response.status === 491 ? least + Math.random() * (most - least) : REFRESH_AGAIN_MS
    this.#cancelRetry = this.#options.agent.clock.after(waitMs, () => this.#refresh())
  }

  /** False: the far end says that there is no such call (RFC 3261 section 12.2.1.2). */
  #weigh(response: SipResponse): boolean {
    if (response.status !== 481 && response.status !== 408) return true
    this.#lose(response.status, `The far end does not know the call any more (${response.status}).`)
    return false
  }

  #expire(): void {
    if (this.#isTimed) this.#lose(null, 'The far end did not refresh the session in time.')
  }

  /** Says BYE all the same: the far end may be there and only not hear us. */
  #lose(status: number | null, message: string): void {
    if (this.#over || this.#byeUnderWay) return
    this.#end()
    this.#request('BYE', {}, { onFinal: () => undefined, onFailed: () => undefined })
    this.#options.onEvent({ type: 'lost', status, message })
  }

  #acknowledge({ cseq }: Facts): () => void {
    const { agent, dialog, route } = this.#options
    return agent.transactions.acknowledge(dialog.request('ACK', cseq), route(dialog))
  }

  #request(
    method: string,
    draft: Draft,
    handlers: Pick<ConstructorParameters<typeof Exchange>[0], 'onFinal' | 'onFailed'>,
  ): Exchange {
    const { agent, dialog, digest, route } = this.#options
    const headers: Draft['headers'] = [...(draft.headers ?? []), ['user-agent', USER_AGENT]]
    return new Exchange({
      transactions: agent.transactions,
      digest,
      target: route(dialog),
      build: () => dialog.request(method, ++this.#cseq, { ...draft, headers }),
      ...handlers,
    })
  }

  #stop(): void {
    this.#timer.stop()
    this.#cancelRetry?.()
    // With BYE nothing is left to change, and a provisional response would keep it for ever.
    this.#change?.transaction?.abandon()
    this.#refer?.stop()
    this.#refer = null
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#stop()
    this.#unregister()
  }
}
