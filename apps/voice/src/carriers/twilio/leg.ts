import { areDigits, type CarrierHost, type Clock, type DialOptions, type Frame } from '@parley/voice-ports'
import type { Leg, LegEnd, LegEvent } from '@parley/voice-ports'
import { isCallSid, type KnownCall, reportIn, type TwilioCalls } from './api/calls.ts'
import { type CallReport, endOf, endOfRefusal, IN_PROGRESS, isFinal, rankOf, RINGING, verdictsOf } from './causes.ts'
import { createCall, type Created, orderFor } from './api/create.ts'
import { explainTwilioCode } from './explain.ts'
import { watchRinging } from './api/watch.ts'
import { CAPABILITIES, type Counts, type Log, type Waits } from './options.ts'
import { Outbound } from './media/outbound.ts'
import { Redirects } from './redirects.ts'
import { TwilioError } from './api/rest.ts'
import { Story } from './story.ts'
import { type MediaStream } from './media/stream.ts'
import { Streams } from './media/streams.ts'
import { overTwiml } from './twiml.ts'
import { Waiting } from './waiting.ts'

/** A connected call without any sound for this long had none because its stream never came. */
const SILENT_CALL_MS = 2000

export interface LegOptions {
  readonly dial: DialOptions
  readonly clock: Clock
  readonly onEvent: (event: LegEvent) => void
  readonly calls: TwilioCalls
  readonly host: CarrierHost
  readonly publicUrl: string
  readonly accountSid: string
  /** E.164 */
  readonly from: string
  /** Path of this call's callbacks, which nobody can guess. */
  readonly callbackPath: string
  readonly waits: Waits
  readonly counts: Counts
  readonly log: Log
  readonly isTaken: (sid: string) => boolean
  readonly onPlaced: (sid: string) => void
  readonly onEnded: (sid: string | null, end: LegEnd) => void
}

/** One call of Twilio: what its API, its callbacks and its media streams say, told as one leg. */
export class TwilioLeg implements Leg {
  readonly capabilities = CAPABILITIES
  readonly #options: LegOptions
  readonly #story: Story
  readonly #waiting: Waiting
  readonly #streams: Streams
  readonly #outbound: Outbound
  readonly #redirects: Redirects
  readonly #created: Promise<void>
  readonly #heard = new Set<string>()
  #sid: string | null = null
  #rank = -1
  /** Callbacks that told something. */
  #news = 0
  #hangsUp = false
  #hadMedia = false
  #lost = false
  #ended: LegEnd | null = null

  constructor(options: LegOptions) {
    this.#options = options
    const { clock, onEvent, counts } = options
    this.#story = new Story(clock, onEvent)
    this.#waiting = new Waiting(clock)
    this.#outbound = new Outbound({
      clock,
      counts,
      onMark: (name) => this.#story.live({ type: 'mark', name }),
      onDigits: (digits) => void this.#redirects.playDigits(digits).catch((error: unknown) => this.#fail(error)),
    })
    this.#streams = new Streams({
      ...options,
      events: {
        started: (stream, callSid) => this.#streamStarted(stream, callSid),
        stopped: (told) => this.#streamStopped(told),
        frame: (frame, mediaMs) => this.#story.live({ type: 'frame', frame, mediaMs }),
        digit: (digit) => this.#story.live({ type: 'digit', digit }),
        mark: (wireName) => this.#outbound.marked(wireName),
      },
    })
    this.#redirects = new Redirects({
      ...options,
      waiting: this.#waiting,
      streams: this.#streams,
      outbound: this.#outbound,
      callbackUrl: `${options.publicUrl}${options.callbackPath}`,
      liveSid: () => (this.#story.isHungUp ? null : this.#sid),
      timeLeftMs: () => options.dial.limitMs - this.#story.elapsedMs,
      transferFailed: (message) => this.#story.live({ type: 'transfer_failed', message }),
      transferred: () => this.#transferred(),
      lost: () => this.#loseSound(),
      over: () => this.#over(),
    })
    this.#created = this.#create().catch((error: unknown) => this.#fail(error))
  }

  /** Null: not placed yet. */
  get sid(): string | null {
    return this.#sid
  }

  /** Since the answer, by our clock. */
  get connectedMs(): number {
    return this.#story.elapsedMs
  }

  send({ audio }: Frame): void {
    if (this.#isConnected) this.#outbound.send(audio)
  }

  mark(name: string): void {
    if (this.#isConnected) this.#outbound.mark(name)
  }

  clear(): void {
    if (this.#isConnected) this.#outbound.clear()
  }

  sendDigits(digits: string): void {
    if (this.#isConnected && !this.#redirects.hasTransfer && areDigits(digits)) this.#outbound.sendDigits(digits)
  }

  transfer(to: string): void {
    if (this.#isConnected) this.#redirects.transfer(to).catch((error: unknown) => this.#fail(error))
  }

  hangUp(): void {
    if (this.#story.isHungUp) return
    this.#hangsUp = true
    void this.#hangUpAtTwilio()
  }

  /** Somebody else has asked Twilio to end the call. */
  willHangUp(): void {
    this.#hangsUp = true
  }

  /** Ends the leg here and now, and the call at Twilio as soon as its id is known. */
  async drop(): Promise<void> {
    if (this.#story.isEnded) return
    this.#end({ cause: 'dropped', connectedMs: this.#story.elapsedMs, code: null, cost: null })
    if (this.#sid === null) await this.#created
    await this.#hangUpAtTwilio('completed')
  }

  /** The API tells that the call is over; its callback may be lost. */
  settle(call: KnownCall): void {
    this.#finish(call)
  }

  /** Nothing is heard of the call any more. */
  forget(): void {
    this.#streams.close()
    this.#outbound.end()
  }

  /** A status callback, which may be doubled, late or out of order. */
  status(form: URLSearchParams): void {
    const status = form.get('CallStatus') ?? ''
    const rank = rankOf(status)
    const sid = form.get('CallSid') ?? ''
    if (rank === null || !this.#concerns(sid)) return this.#ignore()
    if (this.#story.isEnded) return this.#tooLate(sid, status)
    const sequence = form.get('SequenceNumber') ?? ''
    if (rank <= this.#rank || this.#isRepeated(`status ${sequence}`, sequence)) return this.#ignore()
    this.#news++
    this.#place(sid)
    this.#waiting.changed()
    this.#advance(rank, reportIn(form, status))
  }

  /** A verdict of answering-machine detection. */
  machine(form: URLSearchParams): void {
    const answeredBy = form.get('AnsweredBy') ?? ''
    const sid = form.get('CallSid') ?? ''
    const verdicts = verdictsOf(answeredBy)
    const unasked = !this.#options.dial.detectMachine || this.#story.isHungUp
    if (unasked || verdicts.length === 0 || !this.#concerns(sid) || this.#isRepeated(`amd ${answeredBy}`))
      return this.#ignore()
    this.#place(sid)
    this.#answer()
    const detectedMs = Number(form.get('MachineDetectionDuration') ?? Infinity)
    for (const verdict of verdicts) this.#story.machine(verdict, Number.isFinite(detectedMs) ? detectedMs : Infinity)
  }

  partyAnswered(transfer: number, form: URLSearchParams): void {
    if (!this.#redirects.partyAnswered(transfer, form.get('CallStatus') ?? '')) this.#ignore()
  }

  /** Returns the TwiML that Twilio goes on with. */
  transferEnded(transfer: number, form: URLSearchParams): string {
    const [dialStatus, callStatus] = [form.get('DialCallStatus') ?? '', form.get('CallStatus') ?? '']
    if (this.#hangsUp) return overTwiml()
    const twiml = this.#redirects.transferEnded(transfer, dialStatus, callStatus, form.get('ErrorCode'))
    if (twiml === null) this.#ignore()
    return twiml ?? overTwiml()
  }

  get #isConnected(): boolean {
    return this.#story.isAnswered && !this.#story.isHungUp
  }

  async #create(): Promise<void> {
    const { dial, from, calls, waits, counts, log, publicUrl, callbackPath, isTaken } = this.#options
    const created = await createCall({
      calls,
      waits,
      waiting: this.#waiting,
      log,
      counts,
      isTaken,
      isKnown: () => this.#sid !== null,
      order: orderFor(dial, from, `${publicUrl}${callbackPath}`, this.#streams.expect().url),
    })
    this.#settleCreated(created)
    await watchRinging({
      calls,
      waits,
      waiting: this.#waiting,
      log,
      sid: () => (this.#story.isAnswered || this.#story.isHungUp ? null : this.#sid),
      news: () => this.#news,
      onCall: (call) => this.#found(call),
    })
  }

  #settleCreated(created: Created): void {
    switch (created.type) {
      case 'placed':
        return created.call ? this.#found(created.call) : undefined
      case 'refused': {
        const { twilioCode, status } = created.error
        const { callId } = this.#options.dial
        this.#options.log.error({ callId, ...explainTwilioCode(twilioCode ?? status) }, 'Twilio refused a call')
        return this.#end(endOfRefusal(twilioCode, status))
      }
      case 'lost':
        // A callback that comes all the same ends the call.
        return this.#end({ cause: this.#hangsUp ? 'canceled' : 'failed', connectedMs: 0, code: 'lost', cost: null })
    }
  }

  #found(call: KnownCall): void {
    if (!this.#concerns(call.sid)) return this.#options.log.error({ sid: call.sid }, 'callbacks tell another call')
    const rank = rankOf(call.status) ?? 0
    this.#place(call.sid)
    if (rank > Math.max(0, this.#rank)) this.#advance(rank, call)
  }

  #advance(rank: number, report: CallReport): void {
    this.#rank = rank
    if (rank === RINGING) this.#story.ringing()
    if (rank === IN_PROGRESS) this.#answer()
    if (isFinal(report.status)) this.#finish(report)
  }

  #concerns(sid: string): boolean {
    return isCallSid(sid) && (this.#sid === null || this.#sid === sid)
  }

  #place(sid: string): void {
    if (this.#sid !== null) return
    this.#sid = sid
    if (this.#ended) this.#options.onEnded(sid, this.#ended)
    else this.#options.onPlaced(sid)
    this.#story.placed(sid)
    this.#waiting.changed()
    if (this.#hangsUp) void this.#hangUpAtTwilio()
  }

  #answer(): void {
    if (this.#story.isAnswered || this.#story.isHungUp) return
    this.#story.answered()
    // What was to be canceled before the answer must be completed now.
    if (this.#hangsUp) void this.#hangUpAtTwilio()
    void this.#awaitSound()
  }

  async #awaitSound(): Promise<void> {
    const came = await this.#waiting.until(() => this.#hadMedia || this.#story.isHungUp, this.#options.waits.streamMs)
    if (!came) this.#loseSound()
  }

  #streamStarted(stream: MediaStream, callSid: string): boolean {
    if (this.#story.isHungUp || !this.#concerns(callSid)) return false
    this.#hadMedia = true
    this.#place(callSid)
    this.#answer()
    this.#story.media(true)
    this.#outbound.attach(stream)
    this.#waiting.changed()
    return true
  }

  #streamStopped(told: boolean): void {
    if (this.#redirects.isReplacing) {
      if (this.#redirects.isTransferring) {
        this.#story.media(false)
        this.#outbound.mute(true)
      }
      this.#outbound.detach()
      this.#waiting.changed()
    } else if (told) this.#over()
    else this.#loseSound()
  }

  /** The connection is over: nothing follows the stream in our TwiML. Its duration comes by a callback. */
  #over(): void {
    this.#story.hungUp()
    this.forget()
    this.#waiting.changed()
  }

  #loseSound(): void {
    if (this.#story.isHungUp) return
    this.#lost = true
    this.#options.counts.lostStreams++
    this.#options.log.error({ sid: this.#sid, hadMedia: this.#hadMedia }, 'no media stream: the call is hung up')
    this.#over()
    void this.#hangUpAtTwilio('completed')
  }

  async #hangUpAtTwilio(status: 'completed' | 'canceled' = this.#story.isAnswered ? 'completed' : 'canceled') {
    const { calls, log } = this.#options
    const sid = this.#sid
    if (sid === null) return
    try {
      const call = await calls.hangUp(sid, status)
      if (isFinal(call.status)) this.hangUpTaken(call)
      else if (status === 'canceled' && call.status === 'in-progress') await this.#hangUpAtTwilio('completed')
    } catch (error) {
      if (error instanceof TwilioError && (error.isOver || error.isUnknownCall)) return this.#over()
      log.warn({ sid, status: error instanceof TwilioError ? error.status : 0 }, 'hang-up not taken')
    }
  }

  /** What Twilio answered when it was asked to hang up. */
  hangUpTaken(call: KnownCall): void {
    if (!isFinal(call.status)) return
    // The duration of a connected call comes by its callback.
    if (call.status === 'completed' && this.#story.isAnswered) this.#over()
    else if (!this.#story.isEnded) this.#finish(call)
  }

  #finish(report: CallReport): void {
    const { isAnswered, elapsedMs } = this.#story
    const end = endOf(report, {
      hangsUp: this.#hangsUp,
      answered: isAnswered,
      limitMs: this.#options.dial.limitMs,
      elapsedMs,
    })
    const silent = end.cause === 'remote' && !this.#hadMedia && end.connectedMs >= SILENT_CALL_MS
    if (silent) this.#options.log.error({ sid: this.#sid }, 'a call was connected and its media stream never came')
    if (silent || this.#lost)
      return this.#end({ ...end, cause: 'dropped', code: this.#hadMedia ? end.code : 'no_media' })
    this.#end(end)
  }

  #transferred(): void {
    this.#end({ cause: 'transferred', connectedMs: this.#story.elapsedMs, code: null, cost: null })
  }

  #end(end: LegEnd): void {
    if (this.#story.isEnded) return
    this.#story.ended(end)
    this.forget()
    this.#waiting.changed()
    this.#ended = end
    this.#options.onEnded(this.#sid, end)
  }

  /** A call that goes on at Twilio although its leg has ended is ended, but for a callee who was put through. */
  #tooLate(sid: string, status: string): void {
    this.#ignore()
    if (isFinal(status) || this.#ended?.cause === 'transferred') return
    this.#sid ??= sid
    void this.#hangUpAtTwilio('completed')
  }

  /** Bounded: there are few statuses and verdicts. */
  #isRepeated(what: string, sequence = '0'): boolean {
    if (!/^\d{1,2}$/.test(sequence)) return false
    if (this.#heard.has(what)) return true
    this.#heard.add(what)
    return false
  }

  #ignore(): void {
    this.#options.counts.ignoredCallbacks++
  }

  #fail(error: unknown): void {
    this.#options.log.error({ err: error, sid: this.#sid }, 'a leg failed')
    if (this.#sid === null) this.#end({ cause: 'failed', connectedMs: 0, code: null, cost: null })
    else this.#loseSound()
  }
}
