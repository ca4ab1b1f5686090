import {
  areDigits,
  type CarrierCapabilities,
  type CarrierStanding,
  type Clock,
  type DialOptions,
  type EndCause,
  type Frame,
  isPhoneNumber,
  type Leg,
  type LegEnd,
  type LegEvent,
} from '@parley/voice-ports'
import { Attempt, type AttemptEvent, redirectionIn } from './attempt.ts'
import { causeOfBye, meaningOf, refusalOf } from './causes.ts'
import { identityOf, uriOf } from './identity.ts'
import type { TrunkLink } from './link.ts'
import type { MediaEvent, OpenMedia } from './media-port.ts'
import type { Agent } from './signalling/agent.ts'
import { reasonsIn } from './signalling/bodies.ts'
import type { SipResponse } from './signalling/message.ts'
import type { SessionEvent } from './signalling/session.ts'

const REDIRECTIONS_MAX = 2
const WATCH_MS = 5000
/** Without a packet for longer the far end is asked whether it is there; silence alone may be its pause. */
const SILENT_MAX_MS = 10_000
const TRUNK_REST_MS = 30_000

export interface LegOptions {
  readonly id: string
  readonly agent: Agent
  readonly openMedia: OpenMedia
  readonly clock: Clock
  readonly dial: DialOptions
  /** In the order in which they are tried. */
  readonly links: readonly TrunkLink[]
  readonly onEvent: (event: LegEvent) => void
  readonly onEnded: (end: LegEnd) => void
  readonly note: (fields: Readonly<Record<string, string | number | null>>, message: string) => void
}

/** What we have decided before the trunk confirms it. */
interface Leaving {
  readonly cause: EndCause
  readonly connectedMs: number
}

/** One call over the trunks: the first that takes it. */
export class SipLeg implements Leg {
  readonly capabilities: CarrierCapabilities = {
    playout: 'ours',
    text: false,
    digits: true,
    transfer: true,
    machineDetection: false,
    silence: 'left_out',
  }
  readonly #options: LegOptions
  readonly #waiting: TrunkLink[]
  #attempt: Attempt | null = null
  #tries = 0
  #redirections = 0
  /** The callee's side was reached: no other trunk is tried from then on. */
  #reached = false
  #rang = false
  #described = false
  #mediaUp = false
  #answeredMs: number | null = null
  #heardMs = 0
  #leaving: Leaving | null = null
  #end: LegEnd | null = null
  #cancels: (() => void)[] = []

  constructor(options: LegOptions) {
    this.#options = options
    this.#waiting = [...options.links]
    const { clock, dial, id } = options
    this.#later(0, () => {
      this.#tell({ type: 'placed', carrierCallId: id })
      const isValid = isPhoneNumber(dial.to) && (dial.from === null || isPhoneNumber(dial.from))
      if (isValid) this.#tryNext('No trunk takes calls.', '503')
      else this.#finish('failed', '484', 'the number is no E.164 number')
    })
    this.#cancels.push(clock.after(dial.answerTimeoutMs, () => this.#withdraw('no_answer')))
  }

  get standing(): CarrierStanding {
    return this.#end ? { state: 'ended', ...this.#end } : { state: 'live', connectedMs: this.#connectedMs }
  }

  send(frame: Frame): void {
    if (this.#isLive) this.#attempt?.media?.send(frame)
  }

  mark(name: string): void {
    if (this.#isLive) this.#attempt?.media?.mark(name)
  }

  clear(): void {
    if (this.#isLive) this.#attempt?.media?.clear()
  }

  sendDigits(digits: string): void {
    if (this.#isLive && areDigits(digits)) this.#attempt?.media?.sendDigits(digits)
  }

  transfer(to: string): void {
    const { dial } = this.#options
    const trunk = this.#attempt?.link.trunk
    if (!this.#isLive || !isPhoneNumber(to) || !trunk) return
    this.#attempt?.session?.refer(uriOf(to, trunk), identityOf(dial.from, trunk).from)
  }

  hangUp(): void {
    if (this.#end) return
    if (this.#answeredMs === null) return this.#withdraw('canceled')
    this.#leave('local')
  }

  /** The process ends: the trunk is told, and nobody waits for its answer. */
  drop(): void {
    if (this.#end) return
    if (this.#answeredMs === null) this.#attempt?.cancel()
    else this.#attempt?.session?.bye()
    this.#finish('dropped', null, 'the carrier was closed')
  }

  get #isLive(): boolean {
    return this.#answeredMs !== null && !this.#leaving && !this.#end
  }

  get #connectedMs(): number {
    if (this.#leaving) return this.#leaving.connectedMs
    return this.#answeredMs === null ? 0 : Math.round(this.#options.clock.nowMs() - this.#answeredMs)
  }

  #leave(cause: EndCause): void {
    this.#leaving ??= { cause, connectedMs: this.#connectedMs }
    this.#silence()
    this.#attempt?.session?.bye()
  }

  #withdraw(cause: EndCause): void {
    if (this.#end || this.#leaving || this.#answeredMs !== null) return
    this.#leaving = { cause, connectedMs: 0 }
    this.#silence()
    if (this.#attempt?.cancel() !== true) this.#finish(cause, cause === 'canceled' ? '487' : '408', 'withdrawn')
  }

  /** Over the next trunk that has room, and whose turn comes soon. */
  #tryNext(problem: string, code: string): void {
    for (let link = this.#waiting.shift(); link; link = this.#waiting.shift()) {
      const release = link.take()
      const delayMs = release && link.targets.length > 0 ? link.pace() : null
      if (release && delayMs !== null) return this.#start(link, null, delayMs, release)
      release?.()
    }
    this.#finish('failed', code, problem)
  }

  #start(link: TrunkLink, requestUri: string | null, delayMs: number, release: () => void): void {
    const { agent, openMedia, clock, dial, id } = this.#options
    this.#attempt?.close()
    this.#tries++
    this.#described = false
    const attempt: Attempt = new Attempt(
      {
        agent,
        link,
        openMedia,
        clock,
        dial,
        callId: this.#tries === 1 ? id : `${id}.${this.#tries}`,
        requestUri,
        isLast: this.#waiting.length === 0,
        onEvent: (event) => {
          if (this.#attempt === attempt && !this.#end) this.#take(event)
        },
      },
      release,
    )
    this.#attempt = attempt
    attempt.start(delayMs)
  }

  #take(event: AttemptEvent): void {
    switch (event.type) {
      case 'progress':
        return this.#progress(event.status, event.sdp)
      case 'answered':
        return this.#answer(event.sdp)
      case 'failed':
        return this.#failed(event)
      case 'session':
        return this.#takeSession(event.event)
      case 'media':
        return this.#takeMedia(event.event)
    }
  }

  #progress(status: number, sdp: string | null): void {
    if (this.#leaving) return
    if (status === 180 || sdp !== null) this.#reached = true
    if (status === 180 || sdp !== null) this.#ring()
    // Early sound that cannot be used may be followed by an answer that can.
    if (sdp !== null && this.#describe(sdp) === null) this.#open()
  }

  #answer(sdp: string | null): void {
    const { clock, dial } = this.#options
    this.#reached = true
    const problem = sdp === null ? (this.#described ? null : 'the answer describes no sound') : this.#describe(sdp)
    const session = this.#attempt?.establish(() => clock.nowMs() - this.#heardMs < SILENT_MAX_MS)
    if (problem !== null || !session) {
      session?.bye()
      return this.#finish('failed', '488', problem ?? 'the call was not established')
    }
    this.#ring()
    this.#answeredMs = clock.nowMs()
    this.#tell({ type: 'answered' })
    this.#open()
    this.#later(dial.limitMs, () => this.#leave('local'))
    this.#heardMs = clock.nowMs()
    this.#watch(0)
  }

  #failed({ response, message, own }: Extract<AttemptEvent, { type: 'failed' }>): void {
    const attempt = this.#attempt
    const status = response?.status ?? null
    const code = status === null ? null : String(status)
    if (this.#leaving) return this.#finish(this.#leaving.cause, code ?? '487', message)
    if (!attempt) return
    if (response && response.status < 400) return this.#redirect(response, attempt.link)
    if (!own && (status === null || status === 503)) attempt.link.rest(retryAfterMs(response))
    const { cause, next } = status === null ? UNREACHED : meaningOf(status, response ? reasonsIn(response) : [])
    const { name } = attempt.link.trunk
    this.#options.note({ trunk: name, status, tries: this.#tries }, message)
    if (!next || own || this.#reached)
      return this.#finish(this.#rang && status === 408 ? 'no_answer' : cause, code, message)
    attempt.close()
    this.#tryNext(message, code ?? '408')
  }

  #redirect(response: SipResponse, link: TrunkLink): void {
    const uri = this.#redirections < REDIRECTIONS_MAX ? redirectionIn(response, link, this.#options.dial.to) : null
    this.#attempt?.close()
    const release = uri === null ? null : link.take()
    this.#redirections++
    if (uri !== null && release) return this.#start(link, uri, 0, release)
    this.#finish('failed', String(response.status), 'the trunk redirects to another number or host')
  }

  #takeSession(event: SessionEvent): void {
    switch (event.type) {
      case 'bye':
        return this.#finish(this.#leaving?.cause ?? causeOfBye(event.reasons), null, 'BYE')
      case 'gone':
        return this.#finish(this.#leaving?.cause ?? 'local', event.status === null ? '408' : null, 'BYE confirmed')
      case 'lost':
        return this.#finish(this.#leaving?.cause ?? 'dropped', String(event.status ?? 408), event.message)
      case 'referred':
        if (event.outcome === 'transferred') return this.#leave('transferred')
        return this.#leaving ? undefined : this.#tell({ type: 'transfer_failed', message: event.outcome.failed })
      case 'digit':
        return this.#isLive ? this.#tell(event) : undefined
    }
  }

  #takeMedia(event: MediaEvent): void {
    if (event.type === 'failed') {
      this.#options.note({}, event.message)
      return this.#answeredMs === null ? this.#withdraw('failed') : this.#leave('dropped')
    }
    if (this.#mediaUp) this.#tell(event)
  }

  /** A sentence: the description cannot be used. */
  #describe(sdp: string): string | null {
    try {
      this.#attempt?.media?.accept(sdp)
      this.#described = true
      return null
    } catch (error) {
      return error instanceof Error ? error.message : 'the sound cannot be used'
    }
  }

  /** Asks a far end that sends nothing whether it is there: a trunk that died says no BYE. */
  #watch(before: number): void {
    this.#later(WATCH_MS, () => {
      const nowMs = this.#options.clock.nowMs()
      const packets = this.#attempt?.media?.stats.received.packets ?? 0
      if (packets !== before) this.#heardMs = nowMs
      else if (nowMs - this.#heardMs >= SILENT_MAX_MS) this.#attempt?.session?.probe()
      this.#watch(packets)
    })
  }

  #ring(): void {
    if (this.#rang) return
    this.#rang = true
    this.#tell({ type: 'ringing' })
  }

  #open(): void {
    if (this.#mediaUp) return
    this.#mediaUp = true
    this.#tell({ type: 'media', state: 'up' })
  }

  #silence(): void {
    if (!this.#mediaUp) return
    this.#mediaUp = false
    this.#tell({ type: 'media', state: 'down' })
  }

  #finish(cause: EndCause, code: string | null, why: string): void {
    if (this.#end) return
    this.#silence()
    const refusal = refusalOf(cause, code)
    const end: LegEnd = { cause, connectedMs: this.#connectedMs, code, cost: null, ...(refusal && { refusal }) }
    this.#end = end
    for (const cancel of this.#cancels) cancel()
    const trunk = this.#attempt?.link.trunk.name ?? null
    this.#attempt?.close()
    this.#options.note({ cause, code, trunk, connectedMs: end.connectedMs }, why)
    this.#options.onEnded(end)
    this.#options.onEvent({ type: 'hung_up' })
    this.#options.onEvent({ type: 'ended', ...end })
  }

  #tell(event: LegEvent): void {
    if (!this.#end) this.#options.onEvent(event)
  }

  #later(delayMs: number, task: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#cancels = this.#cancels.filter((one) => one !== cancel)
      if (!this.#end) task()
    })
    this.#cancels.push(cancel)
  }
}

/** No response at all: the trunk is at fault, not the callee. */
const UNREACHED = { cause: 'failed', next: true } as const

function retryAfterMs(response: SipResponse | null): number {
  const seconds = /^\d{1,5}/.exec(response?.headers.get('retry-after') ?? '')?.[0]
  return seconds === undefined ? TRUNK_REST_MS : Number(seconds) * 1000
}
