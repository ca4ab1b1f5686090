import type { CarrierSocket, Clock, Frame } from '@parley/voice-ports'
import { clearMessage, FrameCutter, markMessage, mediaWriter, readMessage, type StreamMessage } from './messages.ts'
import type { Counts } from '../options.ts'

/** Messages that are not Twilio's before the socket is closed. */
const BAD_MESSAGES_MAX = 100
/** Sound may come in bursts after a stall of the network, but not ahead of time by more. */
const AHEAD_MAX_MS = 2000
/** Digits that a person can press in a second, and some. */
const DIGITS_PER_SECOND = 50
/** Some 10 s of sound: a peer that does not read gets no more. */
const UNSENT_MAX_BYTES = 128 * 1024
const START_WITHIN_MS = 10_000

export interface StreamOptions {
  readonly socket: CarrierSocket
  readonly clock: Clock
  readonly accountSid: string
  readonly counts: Counts
  readonly events: StreamEvents
}

export interface StreamEvents {
  /** False: no stream of this call, which is then closed. */
  started(callSid: string): boolean
  /** mediaMs: of this stream, from 0. */
  frame(frame: Frame, mediaMs: number): void
  digit(digit: string): void
  mark(name: string): void
  /** Once. told: Twilio said so; otherwise the socket broke. */
  stopped(told: boolean): void
}

/** One media stream of Twilio, which may be anything that has its one-use address: bounded in every direction. */
export class MediaStream {
  readonly #options: StreamOptions
  readonly #cutter = new FrameCutter()
  readonly #cancelStart: () => void
  #streamSid: string | null = null
  #write: (audio: Uint8Array) => string = () => ''
  #startedMs = 0
  #bad = 0
  #digits = 0
  #digitsSinceMs = 0
  #stopped = false

  constructor(options: StreamOptions) {
    this.#options = options
    const { socket, clock } = options
    this.#cancelStart = clock.after(START_WITHIN_MS, () => this.close())
    socket.onMessage((message) => this.#hear(readMessage(message)))
    socket.onClose(() => this.#stop(false))
  }

  get isUp(): boolean {
    return this.#streamSid !== null && !this.#stopped
  }

  /** False: the peer does not read what it is sent. */
  media(audio: Uint8Array): boolean {
    const { socket } = this.#options
    if (this.#streamSid === null || this.#stopped || socket.unsentBytes > UNSENT_MAX_BYTES) return false
    socket.send(this.#write(audio))
    return true
  }

  mark(name: string): void {
    if (this.#streamSid !== null && !this.#stopped) this.#options.socket.send(markMessage(this.#streamSid, name))
  }

  clear(): void {
    if (this.#streamSid !== null && !this.#stopped) this.#options.socket.send(clearMessage(this.#streamSid))
  }

  close(told = false): void {
    this.#stop(told)
    this.#options.socket.close(1000)
  }

  #hear(message: StreamMessage | null): void {
    if (this.#stopped) return
    if (message === null) return this.#refuse()
    if (message.type === 'connected') return
    if (message.type === 'start') return this.#start(message)
    if (message.streamSid !== this.#streamSid) return this.#refuse()
    const { events } = this.#options
    switch (message.type) {
      case 'media':
        return this.#sound(message.audio, message.timestampMs)
      case 'dtmf':
        return this.#digit(message.digit)
      case 'mark':
        return events.mark(message.name)
      case 'stop':
        return this.close(true)
    }
  }

  #start({ streamSid, accountSid, callSid }: Extract<StreamMessage, { type: 'start' }>): void {
    if (this.#streamSid !== null || accountSid !== this.#options.accountSid) return this.#refuse()
    this.#cancelStart()
    this.#streamSid = streamSid
    this.#write = mediaWriter(streamSid)
    this.#startedMs = this.#options.clock.nowMs()
    if (this.#options.events.started(callSid)) return
    this.#refuse()
    this.close()
  }

  #sound(audio: Uint8Array, timestampMs: number | null): void {
    const { clock, counts, events } = this.#options
    const untilMs = clock.nowMs() - this.#startedMs + AHEAD_MAX_MS
    for (const { audio: cut, mediaMs } of this.#cutter.push(audio, timestampMs, untilMs)) {
      if (this.#stopped) return
      if (mediaMs <= untilMs) events.frame({ audio: cut }, mediaMs)
      else counts.floodedFrames++
    }
  }

  #digit(digit: string): void {
    const nowMs = this.#options.clock.nowMs()
    if (nowMs - this.#digitsSinceMs >= 1000) {
      this.#digitsSinceMs = nowMs
      this.#digits = 0
    }
    if (++this.#digits <= DIGITS_PER_SECOND) this.#options.events.digit(digit)
    else this.#refuse()
  }

  #refuse(): void {
    this.#options.counts.badMessages++
    if (++this.#bad >= BAD_MESSAGES_MAX) this.close()
  }

  #stop(told: boolean): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#cancelStart()
    this.#options.events.stopped(told)
  }
}
