import { randomBytes } from 'node:crypto'
import { type Clock, type DialOptions, isPhoneNumber } from '@parley/voice-ports'
import { identityOf, uriOf } from './identity.ts'
import type { TrunkLink } from './link.ts'
import type { MediaEvent, MediaSession, OpenMedia } from './media-port.ts'
import type { Agent } from './signalling/agent.ts'
import { CAPABILITIES, NOT_ALLOWED } from './signalling/agent.ts'
import type { Dialog } from './signalling/dialog.ts'
import { type Answered, Invitation } from './signalling/invitation.ts'
import { answerOffer } from './signalling/offer-answer.ts'
import { Session, type SessionEvent } from './signalling/session.ts'
import { SESSION_MIN_SECONDS } from './signalling/session-timer.ts'
import type { SipResponse } from './signalling/message.ts'
import { parseNameAddr, parseUri } from './signalling/syntax.ts'
import type { Incoming } from './signalling/transactions.ts'
import type { Target } from './signalling/wire.ts'

/** A trunk that says nothing at all to an INVITE for so long is left for the next one. */
const FIRST_RESPONSE_MS = 6000

export type AttemptEvent =
  | { readonly type: 'progress'; readonly status: number; readonly sdp: string | null }
  | { readonly type: 'answered'; readonly sdp: string | null }
  /** Last before the answer. response null: the trunk was not reached, did not answer or takes no more calls. */
  | { readonly type: 'failed'; readonly response: SipResponse | null; readonly message: string; readonly own: boolean }
  | { readonly type: 'session'; readonly event: SessionEvent }
  | { readonly type: 'media'; readonly event: MediaEvent }

export interface AttemptOptions {
  readonly agent: Agent
  readonly link: TrunkLink
  readonly openMedia: OpenMedia
  /** Of the leg. */
  readonly clock: Clock
  readonly dial: DialOptions
  readonly callId: string
  /** Of a redirection; null: the number that is dialed. */
  readonly requestUri: string | null
  /** Whether the call has somewhere else to go. */
  readonly isLast: boolean
  readonly onEvent: (event: AttemptEvent) => void
}

/** One try to reach a number over one trunk, with its sound; after the answer, the call itself. */
export class Attempt {
  readonly link: TrunkLink
  readonly #options: AttemptOptions
  readonly #release: () => void
  readonly #target: Target | null
  #media: MediaSession | null = null
  #invitation: Invitation | null = null
  #answered: Answered | null = null
  #session: Session | null = null
  #cancels: (() => void)[] = []
  #over = false

  /** `release` gives the trunk's place for a call back. */
  constructor(options: AttemptOptions, release: () => void) {
    this.#options = options
    this.#release = release
    this.link = options.link
    this.#target = options.link.targets[0] ?? null
  }

  get media(): MediaSession | null {
    return this.#media
  }

  get session(): Session | null {
    return this.#session
  }

  start(delayMs: number): void {
    this.#cancels.push(this.#options.clock.after(delayMs, () => void this.#invite()))
  }

  /** Withdraws it; true: it ends by `failed` once the trunk confirms that. */
  cancel(): boolean {
    if (!this.#invitation || this.#over) return false
    this.#invitation.cancel()
    return true
  }

  /** The answer's sound can be used: the call is ours from now on. */
  establish(isHeard: () => boolean): Session | null {
    const { agent, link } = this.#options
    const target = this.#target
    const media = this.#media
    const answered = this.#answered
    if (!target || !media || !answered) return null
    this.#session = new Session({
      agent,
      digest: link.digest,
      media,
      route: (dialog) => link.routeOf(dialog, target),
      sessionSeconds: this.#sessionSeconds,
      ...answered,
      isHeard,
      onEvent: (event) => this.#tell({ type: 'session', event }),
    })
    return this.#session
  }

  /** Nothing of it is told from now on; the trunk still gets its CANCEL or BYE. */
  close(): void {
    if (this.#over) return
    this.#over = true
    for (const cancel of this.#cancels) cancel()
    this.#media?.close()
    this.#release()
  }

  get #sessionSeconds(): number {
    const { dial, link } = this.#options
    return Math.max(SESSION_MIN_SECONDS, Math.min(Math.ceil(dial.limitMs / 1000), link.trunk.sessionSeconds))
  }

  async #invite(): Promise<void> {
    const { agent, link, dial, clock, callId, openMedia, requestUri, isLast } = this.#options
    const { trunk } = link
    const target = this.#target
    if (!target || this.#over) return this.#fail('The address of the trunk is not known.')
    const { address: localAddress } = agent.wire.localTo(target)
    try {
      const media = await openMedia({
        localAddress,
        clock,
        codecs: trunk.codecs,
        srtp: trunk.srtp,
        onEvent: (event) => this.#tell({ type: 'media', event }),
      })
      if (this.#over) return media.close()
      this.#media = media
      const uri = uriOf(dial.to, trunk)
      const { from, headers } = identityOf(dial.from, trunk)
      const tag = randomBytes(12).toString('hex')
      this.#invitation = new Invitation({
        agent,
        target,
        digest: link.digest,
        local: { callId, tag, from, to: `<${uri}>`, contact: link.contact(target) },
        requestUri: requestUri ?? uri,
        headers,
        offer: media.offer(),
        sessionSeconds: this.#sessionSeconds,
        expiresSeconds: Math.max(1, Math.ceil(dial.answerTimeoutMs / 1000)),
        route: (dialog) => link.routeOf(dialog, target),
        onEarlyRequest: (incoming, dialog) => this.#answerEarly(incoming, dialog, media),
        onEvent: (event) => {
          if (event.type === 'answered') this.#answered = event
          if (event.type !== 'failed') return this.#tell(event)
          this.#tell({ type: 'failed', response: event.response, message: event.message, own: false })
        },
      })
    } catch (error) {
      return this.#fail(error instanceof Error ? error.message : String(error))
    }
    if (isLast) return
    const giveUp = () => {
      if (this.#invitation?.isHeard !== false || this.#answered || this.#over) return
      this.#invitation.cancel()
      this.#tell({ type: 'failed', response: null, message: 'The trunk said nothing within 6 s.', own: false })
    }
    this.#cancels.push(clock.after(FIRST_RESPONSE_MS, giveUp))
  }

  #answerEarly(incoming: Incoming, dialog: Dialog, media: MediaSession): void {
    const { method } = incoming.request
    if (method === 'OPTIONS') return incoming.answer(CAPABILITIES)
    if (method !== 'UPDATE') return incoming.answer(NOT_ALLOWED)
    answerOffer(incoming, media, [['contact', dialog.local.contact]], () => undefined)
  }

  /** What this process could not do: no other trunk would change that. */
  #fail(message: string): void {
    this.#tell({ type: 'failed', response: null, message, own: true })
  }

  #tell(event: AttemptEvent): void {
    if (!this.#over) this.#options.onEvent(event)
  }
}

/**
 * Where a 3xx leads within the same trunk and to the same number; null: elsewhere. Another number is refused: it may cost
 * more than the one that was ordered, and belongs to somebody who was not asked for.
 */
export function redirectionIn(response: SipResponse, link: TrunkLink, to: string): string | null {
  if (!isPhoneNumber(to)) return null
  for (const value of response.headers.values('contact').slice(0, 8)) {
    const uri = parseNameAddr(value)?.uri ?? ''
    const parsed = parseUri(uri)
    if (!parsed || parsed.scheme === 'tel' || !link.isOwnHost(parsed.host)) continue
    const wanted = parseUri(uriOf(to, link.trunk))?.user
    if (parsed.user === wanted || parsed.user === to || parsed.user === to.slice(1)) return uri
  }
  return null
}
