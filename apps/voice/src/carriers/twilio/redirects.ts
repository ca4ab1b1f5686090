import { type CarrierHost, type Clock, isPhoneNumber } from '@parley/voice-ports'
import type { TwilioCalls } from './api/calls.ts'
import { isFinal, transferFailure } from './causes.ts'
import { explainTwilioCode } from './explain.ts'
import type { Counts, Log, Waits } from './options.ts'
import type { Outbound } from './media/outbound.ts'
import { TwilioError } from './api/rest.ts'
import type { AwaitedStream, Streams } from './media/streams.ts'
import { digitsTwiml, overTwiml, streamTwiml, transferTwiml } from './twiml.ts'
import type { Waiting } from './waiting.ts'

/** A request of unknown outcome is made once more. */
const DIGIT_TRIES = 2
/** How long Twilio plays a digit, pause included, and waits for w and W. */
const DIGIT_MS = 400
const WAITS_MS: Readonly<Record<string, number>> = { w: 500, W: 1000 }
/** A transfer waits for digits that are being played. */
const BEFORE_TRANSFER_MS = 60_000

export interface RedirectsOptions {
  readonly calls: TwilioCalls
  readonly clock: Clock
  readonly waits: Waits
  readonly waiting: Waiting
  readonly counts: Counts
  readonly log: Log
  readonly host: CarrierHost
  readonly streams: Streams
  readonly outbound: Outbound
  /** E.164: whom a transfer calls from. */
  readonly from: string
  /** Address of this call's callbacks, without a slash at its end. */
  readonly callbackUrl: string
  /** Null: not placed, or over. */
  readonly liveSid: () => string | null
  readonly timeLeftMs: () => number
  readonly transferFailed: (message: string) => void
  readonly transferred: () => void
  /** The call goes on at Twilio without any sound of ours. */
  readonly lost: () => void
  /** Twilio says that the call is over. */
  readonly over: () => void
}

type Outcome = 'taken' | 'refused' | 'over' | 'unknown'

const NOT_TAKEN = 'Twilio did not take the transfer.'

/**
 * What Twilio can do only by new TwiML, which ends the media stream: digits, where the leg hides that, and a transfer.
 */
export class Redirects {
  readonly #options: RedirectsOptions
  /** A stream is being replaced by another. */
  #playing = false
  /** A transfer was asked for; it waits for digits before it. */
  #transfer: number | null = null
  #redirected = false
  /** Twilio's code of the latest refusal. */
  #refusal: number | null = null
  #transfers = 0
  #reply: { readonly transfer: number; readonly twiml: string } | null = null

  constructor(options: RedirectsOptions) {
    this.#options = options
  }

  /** A stream that stops now was replaced: the call goes on. */
  get isReplacing(): boolean {
    return this.#playing || this.#redirected
  }

  get isTransferring(): boolean {
    return this.#redirected
  }

  get hasTransfer(): boolean {
    return this.#transfer !== null
  }

  /** Plays digits in place of the stream, and then goes on with a new one; what fails is counted and the stream kept. */
  async playDigits(digits: string): Promise<void> {
    const { liveSid, outbound, streams, counts, log, lost, over } = this.#options
    let outcome: Outcome = 'unknown'
    this.#playing = true
    for (let tries = 0; tries < DIGIT_TRIES && outcome === 'unknown' && liveSid() !== null; tries++)
      outcome = await this.#replace((url) => digitsTwiml(digits, url), playingMs(digits))
    this.#playing = false
    if (outcome !== 'taken') {
      counts.lostDigits += digits.length
      log.error({ outcome }, 'digits not played')
    }
    if (liveSid() === null) return
    if (streams.current?.isUp) outbound.resume()
    else if (outcome === 'over') over()
    else lost()
    this.#options.waiting.changed()
  }

  /** Redirects to TwiML that ends with a stream, and waits for that. */
  async #replace(twiml: (streamUrl: string) => string, beforeMs: number): Promise<Outcome> {
    const { waiting, liveSid, waits, streams } = this.#options
    const next = streams.expect()
    const outcome = await this.#redirect(twiml(next.url))
    if (outcome === 'taken') await waiting.until(() => next.isUp() || liveSid() === null, beforeMs + waits.streamMs)
    if (!next.isUp()) next.withdraw()
    return outcome
  }

  /** A request whose outcome is unknown was taken if the stream stops. Too many at once may be asked again. */
  async #redirect(twiml: string): Promise<Outcome> {
    const { calls, liveSid, streams, waiting, waits, log } = this.#options
    const before = streams.current
    const sid = liveSid()
    if (sid === null) return 'over'
    try {
      await calls.redirect(sid, twiml)
      return 'taken'
    } catch (error) {
      if (!(error instanceof TwilioError)) throw error
      const { status, twilioCode } = error
      log.warn({ status, twilioCode }, 'call not redirected')
      if (error.isOver || error.isUnknownCall) return 'over'
      this.#refusal = twilioCode
      if (error.isRefusal && !error.isTooMany) return 'refused'
      const stopped = await waiting.until(() => streams.current !== before || liveSid() === null, waits.evidenceMs)
      return stopped ? 'taken' : 'unknown'
    }
  }

  /** Once at a time; digits under way are played first. */
  async transfer(to: string): Promise<void> {
    if (!isPhoneNumber(to) || this.#transfer !== null) return
    const { waiting, liveSid, outbound, streams, waits, callbackUrl, from, timeLeftMs } = this.#options
    const transfer = ++this.#transfers
    this.#transfer = transfer
    await waiting.until(
      () => liveSid() === null || (!this.#playing && !outbound.isHeld && streams.current?.isUp === true),
      BEFORE_TRANSFER_MS,
    )
    this.#redirected = true
    const outcome = await this.#redirect(
      transferTwiml({
        to,
        callerId: from,
        ringMs: waits.transferRingMs,
        limitMs: timeLeftMs(),
        actionUrl: `${callbackUrl}/transfer/${transfer}`,
        answeredUrl: `${callbackUrl}/party/${transfer}`,
      }),
    )
    if (outcome !== 'taken' && this.#transfer === transfer) this.#giveUp(outcome)
  }

  #giveUp(outcome: Outcome): void {
    const { liveSid, streams, transferFailed, lost, over } = this.#options
    this.#transfer = null
    this.#redirected = false
    if (liveSid() === null) return
    if (outcome === 'over') return over()
    const isExplained = outcome === 'refused' && this.#refusal !== null
    transferFailed(isExplained ? `${NOT_TAKEN} ${explainTwilioCode(this.#refusal ?? '').what}` : NOT_TAKEN)
    if (!streams.current?.isUp) lost()
  }

  /** The other party has answered: the callee talks to them, and our part is over. */
  partyAnswered(transfer: number, callStatus: string): boolean {
    if (transfer !== this.#transfer || callStatus !== 'in-progress') return false
    this.#options.transferred()
    return true
  }

  /** The other party is gone or never came. Returns the TwiML that Twilio goes on with; null: it came again, or late. */
  transferEnded(transfer: number, dialStatus: string, callStatus: string, errorCode: string | null): string | null {
    const { liveSid, streams, outbound, transferFailed, transferred } = this.#options
    if (this.#reply?.transfer === transfer) return this.#reply.twiml
    if (transfer !== this.#transfer || liveSid() === null) return null
    if (isFinal(callStatus)) return overTwiml()
    if (dialStatus === 'completed' || dialStatus === 'answered') {
      transferred()
      return overTwiml()
    }
    const next = streams.expect()
    this.#transfer = null
    this.#redirected = false
    this.#reply = { transfer, twiml: streamTwiml(next.url) }
    outbound.mute(false)
    void this.#awaitBack(next)
    const why = errorCode === null ? '' : ` ${explainTwilioCode(errorCode).what}`
    transferFailed(`${transferFailure(dialStatus)}${why}`)
    return this.#reply.twiml
  }

  async #awaitBack(next: AwaitedStream): Promise<void> {
    const { waiting, waits, liveSid, lost } = this.#options
    this.#playing = true
    const came = await waiting.until(() => next.isUp() || liveSid() === null, waits.streamMs)
    this.#playing = false
    if (came) return
    next.withdraw()
    lost()
  }
}

function playingMs(digits: string): number {
  let ms = 0
  for (const digit of digits) ms += WAITS_MS[digit] ?? DIGIT_MS
  return ms
}
