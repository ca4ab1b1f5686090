import { randomBytes } from 'node:crypto'
import { type CarrierHost, type Clock, type Frame, FRAME_MS } from '@parley/voice-ports'
import type { Counts } from '../options.ts'
import { MediaStream } from './stream.ts'

const MEDIA_PATH = '/carriers/twilio/media'
const TOKEN_BYTES = 24

/** Nobody can guess it; 32 characters that a path may hold. */
export const freshToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

export interface StreamsOptions {
  readonly host: CarrierHost
  readonly publicUrl: string
  readonly clock: Clock
  readonly accountSid: string
  readonly counts: Counts
  readonly events: {
    /** A stream is the call's sound now; false where it is not this call's. */
    started(stream: MediaStream, callSid: string): boolean
    /** mediaMs: of the leg, over all its streams. */
    frame(frame: Frame, mediaMs: number): void
    digit(digit: string): void
    mark(wireName: string): void
    /** The call's sound has stopped. told: Twilio said so; otherwise the socket broke. */
    stopped(told: boolean): void
  }
}

/** The address of one stream to come, good for one socket. */
export interface AwaitedStream {
  /** wss: where the service is reached by https, else ws: */
  readonly url: string
  readonly isUp: () => boolean
  withdraw(): void
}

/** The media streams of one leg, one after the other, as one sound whose media time goes on. */
export class Streams {
  readonly #options: StreamsOptions
  readonly #withdrawals = new Set<() => void>()
  #current: MediaStream | null = null
  #nextMs = 0
  #arrivedMs: number | null = null

  constructor(options: StreamsOptions) {
    this.#options = options
  }

  get current(): MediaStream | null {
    return this.#current
  }

  /** @throws when too many sockets are awaited */
  expect(): AwaitedStream {
    const { host, publicUrl } = this.#options
    const path = `${MEDIA_PATH}/${freshToken()}`
    let stream: MediaStream | null = null
    const withdraw = host.socket(path, (socket) => {
      this.#withdrawals.delete(withdraw)
      const { clock, accountSid, counts, events } = this.#options
      let shiftMs: number | null = null
      const own: MediaStream = new MediaStream({
        socket,
        clock,
        accountSid,
        counts,
        events: {
          started: (callSid) => this.#start(own, callSid),
          frame: (frame, mediaMs) => {
            if (own !== this.#current) return
            shiftMs ??= this.#begin(mediaMs)
            this.#frame(frame, shiftMs + mediaMs)
          },
          digit: (digit) => (own === this.#current ? events.digit(digit) : undefined),
          mark: (wireName) => (own === this.#current ? events.mark(wireName) : undefined),
          stopped: (told) => this.#stop(own, told),
        },
      })
      stream = own
    })
    this.#withdrawals.add(withdraw)
    const forget = () => {
      this.#withdrawals.delete(withdraw)
      withdraw()
    }
    return { url: `${publicUrl.replace(/^http/i, 'ws')}${path}`, isUp: () => stream?.isUp === true, withdraw: forget }
  }

  close(): void {
    for (const withdraw of this.#withdrawals) withdraw()
    this.#withdrawals.clear()
    const current = this.#current
    this.#current = null
    current?.close()
  }

  #start(stream: MediaStream, callSid: string): boolean {
    const before = this.#current
    this.#current = stream
    if (!this.#options.events.started(stream, callSid)) {
      this.#current = before
      return false
    }
    before?.close()
    return true
  }

  #stop(stream: MediaStream, told: boolean): void {
    if (stream !== this.#current) return
    this.#current = null
    this.#options.events.stopped(told)
  }

  /** What to add to a stream's media time: the time without a stream counts as well, by our clock. */
  #begin(firstMs: number): number {
    if (this.#arrivedMs === null) return -firstMs
    const goneMs = this.#options.clock.nowMs() - this.#arrivedMs - FRAME_MS
    return this.#nextMs + Math.max(0, Math.round(goneMs / FRAME_MS)) * FRAME_MS - firstMs
  }

  #frame(frame: Frame, mediaMs: number): void {
    this.#nextMs = mediaMs + FRAME_MS
    this.#arrivedMs = this.#options.clock.nowMs()
    this.#options.events.frame(frame, mediaMs)
  }
}
