import type { Buffer } from 'node:buffer'
import type { RemoteInfo, Socket } from 'node:dgram'
import { arrivalOf, FRAME_MS, type Frame } from '@parley/voice-ports'
import type { MediaOptions, MediaSession, MediaStats } from '../media-port.ts'
import { beatOf } from './beat.ts'
import type { PortPair } from './ports.ts'
import { Receiver } from './receiver.ts'
import { Reports } from './reports.ts'
import { isRtcp } from './rtp/packet.ts'
import { type Agreement, Negotiation } from './sdp/negotiation.ts'
import { Player } from './sending/player.ts'
import { RtpSender } from './sending/rtp-sender.ts'

const DELAY_MS = 60
/**
 * RFC 3550, section 6.2: 5 s, and half of it before the first report; spread over half to one and a half, so that
 * reports of many legs do not meet.
 */
const REPORT_MS = 5000
/** Of so many packets the socket tells whether it took one: each answer costs as much as the packet. */
const WATCHED_EVERY = 10
/** A second of packets that the socket refused: the network is gone. */
const REFUSALS_MAX = 5

export interface RtpStats extends MediaStats {
  readonly discarded: MediaStats['discarded'] & {
    /** Whose tag was not of the agreed keys. */
    readonly unauthenticated: number
    /** Before the far end's description, and its keys, were known. */
    readonly early: number
  }
  /** Frames that were given faster than they can be played, beyond 30 s. */
  readonly overflowed: number
  /** How often the far end turned out to send from elsewhere than it said. */
  readonly sourceChanges: number
  /** What the jitter buffer aims at. */
  readonly delayMs: number
}

/** One leg: two sockets, what was agreed, and both directions. */
export class RtpSession implements MediaSession {
  readonly #options: MediaOptions
  readonly #rtp: Socket
  readonly #rtcp: Socket
  readonly #negotiation: Negotiation
  readonly #sender: RtpSender
  readonly #player: Player
  readonly #receiver: Receiver
  readonly #reports: Reports
  readonly #fail: (error: Error) => void
  #leaveBeat: (() => void) | null = null
  #cancelReport: (() => void) | null = null
  #frames = 0
  #refusals = 0
  #isOver = false
  #hasFailed = false

  constructor({ rtp, rtcp, port }: PortPair, options: MediaOptions) {
    const { localAddress: address, codecs, srtp, onEvent } = options
    this.#options = options
    this.#rtp = rtp
    this.#rtcp = rtcp
    this.#negotiation = new Negotiation({ address, port, rtcpPort: port + 1, codecs, srtp })
    this.#sender = new RtpSender((packet) => this.#transmit(packet))
    this.#player = new Player(this.#sender, (name) => onEvent({ type: 'mark', name }))
    this.#receiver = new Receiver(options.jitterMs ?? DELAY_MS, (digit) => onEvent({ type: 'digit', digit }))
    this.#reports = new Reports(this.#sender, this.#receiver)
    this.#fail = (error) => {
      if (this.#hasFailed || this.#isOver) return
      this.#hasFailed = true
      onEvent({ type: 'failed', message: `The media socket failed: ${error.message}` })
    }
    rtp.on('error', this.#fail).on('message', (datagram, from) => this.#take(datagram, from))
    rtcp.on('error', this.#fail).on('message', (datagram, from) => this.#takeReport(datagram, from))
  }

  offer(): string {
    return this.#negotiation.offer()
  }

  accept(answer: string): void {
    this.#use(this.#negotiation.accept(answer))
  }

  answer(offer: string): string {
    const { sdp, agreement } = this.#negotiation.answer(offer)
    this.#use(agreement)
    return sdp
  }

  /** From the first agreement on there is a frame every 20 ms, also before and without packets of the far end. */
  #use(agreement: Agreement): void {
    if (this.#isOver) return
    this.#sender.use(agreement)
    this.#receiver.use(agreement)
    if (this.#leaveBeat) return
    this.#leaveBeat = beatOf(this.#options.clock).join({
      send: () => this.#player.tick(),
      play: (nowMs) => this.#play(nowMs),
    })
    this.#planReport(REPORT_MS / 2)
  }

  #play(nowMs: number): void {
    if (this.#isOver) return
    const mediaMs = this.#frames++ * FRAME_MS
    this.#options.onEvent({ type: 'frame', frame: { audio: this.#receiver.frame(nowMs) }, mediaMs })
  }

  #take(datagram: Buffer, { address, port }: RemoteInfo): void {
    if (this.#isOver) return
    if (isRtcp(datagram)) this.#takeReport(datagram, { address })
    else this.#receiver.take(datagram, address, port, arrivalOf(this.#options.clock))
  }

  /** Reports are taken from the host of the media alone. */
  #takeReport(datagram: Buffer, { address }: Pick<RemoteInfo, 'address'>): void {
    const { source, discarded } = this.#receiver
    if (this.#isOver) return
    if (!source) discarded.early++
    else if (address !== source.address && address !== this.#sender.agreement?.remote.rtcp.address)
      discarded.wrongSource++
    else if (!this.#reports.take(datagram, this.#options.clock.nowMs())) discarded.malformed++
  }

  #transmit(packet: Buffer): void {
    const source = this.#receiver.source
    if (!source || this.#isOver) return
    if (this.#sender.packets % WATCHED_EVERY !== 0) return this.#rtp.send(packet, source.port, source.address)
    this.#rtp.send(packet, source.port, source.address, (error) => {
      this.#refusals = error ? this.#refusals + 1 : 0
      if (error && this.#refusals === REFUSALS_MAX) this.#fail(error)
    })
  }

  #planReport(afterMs: number): void {
    this.#cancelReport = this.#options.clock.after(afterMs * (0.5 + Math.random()), () => {
      this.#report(false)
      this.#planReport(REPORT_MS)
    })
  }

  #report(bye: boolean): void {
    const { source } = this.#receiver
    const agreement = this.#sender.agreement
    if (!source || !agreement || agreement.remote.addressless) return
    const packet = this.#reports.next(this.#options.clock.nowMs(), bye)
    const isMoved = !source.isSignalled(source.address, source.port)
    const { rtcp } = agreement.remote
    const unheard = () => undefined
    if (agreement.rtcpMux) this.#rtp.send(packet, source.port, source.address, unheard)
    else this.#rtcp.send(packet, rtcp.port, isMoved ? source.address : rtcp.address, unheard)
  }

  send(frame: Frame): void {
    if (!this.#isOver) this.#player.send(frame)
  }

  mark(name: string): void {
    if (!this.#isOver) this.#player.mark(name)
  }

  clear(): void {
    this.#player.clear()
  }

  sendDigits(digits: string): void {
    if (!this.#isOver) this.#player.sendDigits(digits)
  }

  get stats(): RtpStats {
    const { reception, playout, discarded, packets, bytes, sourceChanges } = this.#receiver
    return {
      sent: { packets: this.#sender.packets, bytes: this.#sender.bytes },
      received: { packets, bytes },
      lost: reception.lost,
      late: playout.late,
      concealed: playout.concealed,
      discarded: { ...discarded },
      jitterMs: reception.jitter / 8,
      rttMs: this.#reports.rttMs,
      overflowed: this.#player.dropped,
      sourceChanges,
      delayMs: playout.delayMs,
    }
  }

  close(): void {
    if (this.#isOver) return
    this.#report(true)
    this.#isOver = true
    this.#leaveBeat?.()
    this.#cancelReport?.()
    this.#rtp.close()
    this.#rtcp.close()
  }
}
