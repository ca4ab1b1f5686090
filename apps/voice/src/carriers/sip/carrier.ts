import type { Carrier, CarrierStanding, Clock, DialOptions, Leg, LegEnd, LegEvent } from '@parley/voice-ports'
import { SipLeg } from './leg.ts'
import { type Resolve, TrunkLink } from './link.ts'
import type { OpenMedia } from './media-port.ts'
import { SipRecords } from './records.ts'
import { Agent } from './signalling/agent.ts'
import { SipSockets } from './signalling/transport/sockets.ts'
import type { Received } from './signalling/wire.ts'
import type { Trunk, TrunkFile } from './trunks.ts'

/** How long ask() remembers: the end of a call is asked for within minutes. */
const ENDED_MAX = 5000
/** BYE and CANCEL leave before the sockets are closed. */
const FAREWELL_MS = 1000

/** The part of pino's logger that is used. No phone number and no password is logged. */
interface SipLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  debug(fields: object, message: string): void
}

export interface SipCarrierOptions {
  readonly file: TrunkFile
  readonly clock: Clock
  readonly openMedia: OpenMedia
  readonly log?: SipLog
  /** Where calls are written down for after a crash; absent: nowhere. */
  readonly recordsDir?: string
  /** Of a test. */
  readonly resolve?: Resolve
}

export interface TrunkHealth {
  readonly name: string
  readonly up: boolean
  /** Null: this trunk wants no registration. */
  readonly registered: boolean | null
}

export interface SipCounts {
  /** Packets that came from no trunk. */
  readonly foreign: number
  readonly malformed: number
  readonly received: number
  /** Responses and ACKs that belong to nothing, and requests beyond the bound. */
  readonly stray: number
  /** Messages that met a fault of this program. */
  readonly faults: number
}

/** Calls over SIP trunks. */
export class SipCarrier implements Carrier {
  readonly name = 'sip'
  readonly #options: SipCarrierOptions
  readonly #sockets: SipSockets
  readonly #agent: Agent
  readonly #links: readonly TrunkLink[]
  readonly #records: SipRecords
  readonly #legs = new Map<string, SipLeg>()
  readonly #ended = new Map<string, LegEnd>()
  #faults = 0
  #closing: Promise<void> | null = null

  private constructor(options: SipCarrierOptions) {
    this.#options = options
    const { file, clock, resolve, log } = options
    const { address, port, publicHost } = file.listen
    this.#sockets = new SipSockets({
      bindAddress: address,
      port,
      publicHost: publicHost ?? null,
      listensTcp: file.trunks.some(({ transport }) => transport === 'tcp'),
      ca: file.certificates ?? null,
      isAllowed: (from) => this.#links.some((link) => link.isAllowed(from)),
      onReceived: (received) => this.#receive(received),
      onDisconnected: ({ address: from }) => {
        for (const link of this.#links) if (link.isAllowed(from)) link.disconnected()
      },
    })
    this.#records = new SipRecords({
      dir: options.recordsDir ?? null,
      onFailed: (error) => log?.warn({ err: error }, 'SIP calls are not written down'),
    })
    this.#agent = new Agent({ clock, wire: this.#sockets })
    this.#links = file.trunks.map(
      (trunk: Trunk) =>
        new TrunkLink({
          trunk,
          agent: this.#agent,
          clock,
          ...(resolve && { resolve }),
          prepare: (target) => this.#sockets.prepare(target),
          onState: (text) => log?.warn({ trunk: trunk.name }, `SIP trunk ${text}`),
        }),
    )
  }

  /** Opens the sockets and looks the trunks up. Rejects when the address or port cannot be listened on. */
  static async open(options: SipCarrierOptions): Promise<SipCarrier> {
    const carrier = new SipCarrier(options)
    await carrier.#sockets.open()
    await Promise.all(carrier.#links.map((link) => link.open()))
    return carrier
  }

  get trunks(): TrunkHealth[] {
    return this.#links.map(({ trunk, isUp, registration }) => ({
      name: trunk.name,
      up: isUp,
      registered: registration && registration.state === 'registered',
    }))
  }

  /** Legs and dialogs that are held. */
  get live(): number {
    return this.#legs.size + this.#agent.calls
  }

  get counts(): SipCounts {
    const { strayAcks, strayResponses, refused } = this.#agent.transactions.counts
    return { ...this.#sockets.counts, stray: strayAcks + strayResponses + refused, faults: this.#faults }
  }

  /** The port that SIP comes to: the configured one, or the one that was free. */
  get port(): number {
    return this.#sockets.port
  }

  dial(dial: DialOptions, clock: Clock, onEvent: (event: LegEvent) => void): Leg {
    const id = this.#records.newId()
    const { openMedia, log } = this.#options
    const leg = new SipLeg({
      id,
      agent: this.#agent,
      openMedia,
      clock,
      dial,
      // A trunk that does not answer is tried all the same, after the others.
      links: this.#closing ? [] : this.#links.toSorted((a, b) => Number(b.isUp) - Number(a.isUp)),
      onEvent: (event) => {
        if (event.type === 'placed') this.#records.placed(id)
        if (event.type === 'answered') this.#records.answered(id)
        onEvent(event)
      },
      onEnded: (end) => this.#remember(id, end),
      note: (fields, message) => log?.debug({ carrierCallId: id, ...fields }, message),
    })
    this.#legs.set(id, leg)
    return leg
  }

  async ask(carrierCallId: string): Promise<CarrierStanding | null> {
    const end = this.#ended.get(carrierCallId)
    if (end) return { state: 'ended', ...end }
    return this.#legs.get(carrierCallId)?.standing ?? this.#records.find(carrierCallId)
  }

  async hangUp(carrierCallId: string): Promise<void> {
    const leg = this.#legs.get(carrierCallId)
    if (leg) return leg.hangUp()
    if (this.#records.find(carrierCallId)?.state === 'live')
      throw new Error('Another process holds this call, and a SIP trunk lets nobody else end it.')
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const leg of this.#legs.values()) leg.drop()
    const farewell = Promise.withResolvers<void>()
    const { clock } = this.#options
    const until = clock.nowMs() + FAREWELL_MS
    const check = () => {
      if (this.#agent.transactions.pending === 0 || clock.nowMs() >= until) farewell.resolve()
      else clock.after(20, check)
    }
    await Promise.all(this.#links.map((link) => link.close()))
    check()
    await farewell.promise
    this.#agent.close()
    this.#records.close()
    await this.#sockets.close()
  }

  /** The last guard: no packet may end the process, whatever fault of ours it meets. */
  #receive(received: Received): void {
    try {
      this.#agent.receive(received)
    } catch (error) {
      this.#faults++
      const { method } = received.facts
      this.#options.log?.warn({ method, err: error }, 'a SIP message could not be handled')
    }
  }

  #remember(id: string, end: LegEnd): void {
    this.#legs.delete(id)
    this.#records.ended(id, end)
    this.#ended.set(id, end)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest)
  }
}
