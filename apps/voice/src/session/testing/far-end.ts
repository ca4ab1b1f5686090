import {
  type Carrier,
  type EndCause,
  type Frame,
  FRAME_BYTES,
  FRAME_MS,
  type Leg,
  type LegEvent,
  silentFrame,
  type VirtualClock,
} from '@parley/voice-ports'
import { steadySpeech, WORD_MS } from './fakes.ts'

/** A far end that a test plays itself: it rings, answers, speaks and hangs up when it is told to. */
export class FarEnd implements Carrier {
  readonly name = 'far end'
  readonly capabilities = { playout: 'ours', text: true } as const
  readonly clock: VirtualClock
  /** Arrival times of the agent's words, since the answer. */
  readonly words: { readonly text: string; readonly atMs: number }[] = []
  digits = ''
  hangUps = 0
  framesHeard = 0
  /** The sound of the last frames heard. */
  readonly heard: Uint8Array[] = []
  /** A network that forgets to say that the call is over. */
  forgetsEnd = false
  /** Makes the leg's send() and hangUp() throw. */
  broken = false
  #onEvent: (event: LegEvent) => void = () => undefined
  #answeredMs: number | null = null
  #speech: { readonly audio: Uint8Array; readonly text?: string }[] = []
  #played: (Frame | string)[] = []
  #over = false

  constructor(clock: VirtualClock) {
    this.clock = clock
  }

  dial(_: unknown, __: unknown, onEvent: (event: LegEvent) => void): Leg {
    this.#onEvent = onEvent
    return {
      send: (frame) => {
        if (this.broken) throw new Error('The leg is closed.')
        this.#played.push(frame)
      },
      mark: (name) => void this.#played.push(name),
      clear: () => void this.#played.splice(0),
      sendDigits: (digits) => void (this.digits += digits),
      hangUp: () => {
        this.hangUps++
        if (this.broken) throw new Error('The leg is closed.')
        if (!this.forgetsEnd) this.end(this.#answeredMs === null ? 'canceled' : 'local')
      },
    }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  ring(): void {
    this.#onEvent({ type: 'ringing' })
  }

  answer(): void {
    this.#answeredMs = this.clock.nowMs()
    this.#onEvent({ type: 'answered' })
    this.clock.after(FRAME_MS, () => this.#beat())
  }

  press(digit: string): void {
    this.#onEvent({ type: 'digit', digit })
  }

  end(cause: EndCause): void {
    if (this.#over) return
    this.#over = true
    const connectedMs = this.#answeredMs === null ? 0 : this.clock.nowMs() - this.#answeredMs
    this.clock.after(0, () => this.#onEvent({ type: 'ended', cause, connectedMs }))
  }

  /** Speaks from now on, at 300 ms a word. */
  say(text: string): Promise<void> {
    const { audio, words } = steadySpeech(text)
    for (let at = 0; at < audio.length; at += FRAME_BYTES) {
      const word = words.find(({ endMs }) => Math.ceil(endMs / FRAME_MS) === at / FRAME_BYTES + 1)
      this.#speech.push({ audio: audio.subarray(at, at + FRAME_BYTES), ...(word && { text: word.text }) })
    }
    return Promise.resolve()
  }

  /** Says it and waits until it is said. */
  async says(text: string): Promise<void> {
    await this.say(text)
    await this.clock.advance(text.split(' ').length * WORD_MS)
  }

  #beat(): void {
    if (this.#over) return
    this.clock.after(FRAME_MS, () => this.#beat())
    for (let item = this.#played.shift(); item !== undefined; item = this.#played.shift()) {
      if (typeof item === 'string') {
        this.#onEvent({ type: 'mark', name: item })
        continue
      }
      this.framesHeard++
      this.heard.push(item.audio)
      if (item.text !== undefined)
        this.words.push({ text: item.text, atMs: this.clock.nowMs() - (this.#answeredMs ?? 0) })
      break
    }
    this.#onEvent({ type: 'frame', frame: this.#speech.shift() ?? silentFrame() })
  }
}
