import { type Clock, FRAME_MS } from '@parley/voice-ports'
import type { Counts } from '../options.ts'
import type { MediaStream } from './stream.ts'

/** A minute of sound, for the longest replacement of a stream. */
const FRAMES_MAX = 3000
const MARKS_MAX = 2000
/** Within 4000 characters of TwiML. */
const DIGITS_MAX = 500
/** A mark that Twilio has not returned so long after its sound was played is lost. */
const MARK_LOST_MS = 3000

type Item =
  | { readonly type: 'frame'; readonly audio: Uint8Array }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'digits'; readonly digits: string }

export interface OutboundOptions {
  readonly clock: Clock
  readonly counts: Counts
  /** Everything sent before this mark was played. */
  readonly onMark: (name: string) => void
  /** What was sent before is played: the digits are due. What is sent later waits for resume(). */
  readonly onDigits: (digits: string) => void
}

/**
 * Our sound, marks and digits in their order. Without a stream, and from digits until resume(), they wait. Every mark
 * goes out under a name of its own, so that one which comes back because of clear(), or crosses it, is known.
 */
export class Outbound {
  readonly #options: OutboundOptions
  /** The leg's names by the names on the wire. */
  readonly #marks = new Map<string, string>()
  #stream: MediaStream | null = null
  #queue: Item[] = []
  #frames = 0
  #names = 0
  #awaits: { readonly mark: string; readonly digits: string; readonly cancel: () => void } | null = null
  #held = false
  #muted = false
  #playsUntilMs = 0

  constructor(options: OutboundOptions) {
    this.#options = options
  }

  /** Digits are being played, or are about to be. */
  get isHeld(): boolean {
    return this.#held
  }

  send(audio: Uint8Array): void {
    this.#put({ type: 'frame', audio })
  }

  mark(name: string): void {
    this.#put({ type: 'mark', name })
  }

  sendDigits(digits: string): void {
    if (digits.length <= DIGITS_MAX) this.#put({ type: 'digits', digits })
    else this.#options.counts.lostDigits += digits.length
  }

  clear(): void {
    this.#queue = this.#queue.filter(({ type }) => type === 'digits')
    this.#frames = 0
    this.#marks.clear()
    this.#stream?.clear()
    this.#playsUntilMs = this.#options.clock.nowMs()
  }

  attach(stream: MediaStream): void {
    this.#stream = stream
    this.#playsUntilMs = this.#options.clock.nowMs()
    this.#flush()
  }

  /** The stream is gone: its marks never come back. */
  detach(): void {
    this.#stream = null
    this.#marks.clear()
    if (this.#awaits) this.marked(this.#awaits.mark)
  }

  /** Nobody hears us until then: nothing waits. */
  mute(muted: boolean): void {
    this.#muted = muted
    if (muted) this.#queue = []
    if (muted) this.#frames = 0
  }

  /** The digits were played, or never will be. */
  resume(): void {
    this.#held = false
    this.#flush()
  }

  /** A mark came back on the wire. */
  marked(wireName: string): void {
    const awaited = this.#awaits
    if (awaited?.mark === wireName) {
      awaited.cancel()
      this.#awaits = null
      return this.#options.onDigits(awaited.digits)
    }
    const name = this.#marks.get(wireName)
    if (name === undefined) return
    this.#marks.delete(wireName)
    this.#options.onMark(name)
  }

  end(): void {
    this.#awaits?.cancel()
    this.#awaits = null
    this.#stream = null
    this.mute(true)
  }

  #put(item: Item): void {
    if (this.#muted) return
    const { counts } = this.#options
    if (item.type === 'frame' && ++this.#frames > FRAMES_MAX) {
      this.#frames--
      counts.droppedFrames++
      return
    }
    if (item.type !== 'frame' && this.#queue.length >= FRAMES_MAX + MARKS_MAX) return
    this.#queue.push(item)
    this.#flush()
  }

  #flush(): void {
    const stream = this.#stream
    while (stream && !this.#held) {
      const item = this.#queue.shift()
      if (!item) return
      switch (item.type) {
        case 'frame':
          this.#play(stream, item.audio)
          break
        case 'mark':
          stream.mark(this.#remember(item.name))
          break
        case 'digits':
          this.#press(stream, item.digits)
          break
      }
    }
  }

  #play(stream: MediaStream, audio: Uint8Array): void {
    this.#frames--
    if (!stream.media(audio)) this.#options.counts.droppedFrames++
    this.#playsUntilMs = Math.max(this.#playsUntilMs, this.#options.clock.nowMs()) + FRAME_MS
  }

  #remember(name: string): string {
    const wireName = `m${++this.#names}`
    const [oldest] = this.#marks.keys()
    if (this.#marks.size >= MARKS_MAX && oldest !== undefined) this.#marks.delete(oldest)
    this.#marks.set(wireName, name)
    return wireName
  }

  /** Digits that follow each other go out as one: each replacement of the stream is heard as a pause. */
  #press(stream: MediaStream, first: string): void {
    let digits = first
    for (let next = this.#queue[0]; next?.type === 'digits'; next = this.#queue[0]) {
      if (digits.length + next.digits.length > DIGITS_MAX) break
      digits += next.digits
      this.#queue.shift()
    }
    this.#held = true
    const mark = `d${++this.#names}`
    const waitMs = this.#playsUntilMs - this.#options.clock.nowMs() + MARK_LOST_MS
    const cancel = this.#options.clock.after(waitMs, () => this.marked(mark))
    this.#awaits = { mark, digits, cancel }
    stream.mark(mark)
  }
}
