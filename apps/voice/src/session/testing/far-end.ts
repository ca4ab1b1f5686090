import {
  type Carrier,
  type CarrierCapabilities,
  type CarrierStanding,
  type DialOptions,
  type EndCause,
  type Frame,
  FRAME_BYTES,
  FRAME_MS,
  type Leg,
  type LegEnd,
  type LegEvent,
  type MachineVerdict,
  silentFrame,
  type VirtualClock,
} from '@parley/voice-ports'
import { steadySpeech, WORD_MS } from './fakes.ts'

/** A far end that a test plays itself: it rings, answers, speaks and hangs up when it is told to. */
export class FarEnd implements Carrier {
  readonly name = 'far end'
  capabilities: CarrierCapabilities = {
    playout: 'ours',
    text: true,
    digits: true,
    transfer: true,
    machineDetection: true,
    silence: 'left_out',
  }
  readonly clock: VirtualClock
  carrierCallId = 'far-1'
  /** The ids that were asked about. */
  readonly askedAbout: string[] = []
  /** How the call was dialed. */
  dialed: DialOptions | null = null
  /** Arrival times of the agent's words, since the answer. */
  readonly words: { readonly text: string; readonly atMs: number }[] = []
  digits = ''
  hangUps = 0
  framesHeard = 0
  /** The sound of the last frames heard. */
  readonly heard: Uint8Array[] = []
  /** A network that does not heed a hang-up, by the leg or by id. */
  ignoresHangUps = false
  /** So many hang-ups are not heeded. */
  failedHangUps = 0
  hangUpsById = 0
  /** `ended` never comes after hung_up. */
  losesEnded = false
  /** Whether the network cannot be asked. */
  isMute = false
  asked = 0
  transferredTo: string | null = null
  /** Delays of the next frames; without one, frames come at once. */
  readonly delaysMs: number[] = []
  /** No frames while the callee is silent. */
  dtx = false
  /** Makes the leg's send() and hangUp() throw. */
  broken = false
  /** A speakerphone: what it plays comes back this many frames later, 12 dB quieter, with its words. */
  echoFrames: number | null = null
  /** Other phones of this network, by number. */
  readonly others = new Map<string, FarEnd>()
  readonly #echo: Frame[] = []
  #onEvent: (event: LegEvent) => void = () => undefined
  #answeredMs: number | null = null
  #speech: { readonly audio: Uint8Array; readonly text?: string }[] = []
  #played: (Frame | string)[] = []
  #mediaMs = 0
  #ended: LegEnd | null = null

  constructor(clock: VirtualClock) {
    this.clock = clock
  }

  dial(options: DialOptions, clock: unknown, onEvent: (event: LegEvent) => void): Leg {
    const other = this.others.get(options.to)
    if (other) return other.dial(options, clock, onEvent)
    this.#onEvent = onEvent
    this.dialed = options
    this.clock.after(100, () => {
      if (!this.#ended) onEvent({ type: 'placed', carrierCallId: this.carrierCallId })
    })
    const capabilities = () => this.capabilities
    return {
      get capabilities() {
        return capabilities()
      },
      send: (frame) => {
        if (this.broken) throw new Error('The leg is closed.')
        this.#played.push(frame)
      },
      mark: (name) => void this.#played.push(name),
      clear: () => void this.#played.splice(0),
      sendDigits: (digits) => void (this.digits += digits),
      transfer: (to) => void (this.transferredTo = to),
      hangUp: () => {
        this.hangUps++
        if (this.broken) throw new Error('The leg is closed.')
        this.#hangUp()
      },
    }
  }

  ask(id: string): Promise<CarrierStanding | null> {
    this.asked++
    this.askedAbout.push(id)
    if (this.isMute) return Promise.reject(new Error('The network does not answer.'))
    return Promise.resolve(
      this.#ended ? { state: 'ended', ...this.#ended } : { state: 'live', connectedMs: this.#connectedMs },
    )
  }

  hangUp(): Promise<void> {
    this.hangUpsById++
    if (this.isMute) return Promise.reject(new Error('The network does not answer.'))
    this.#hangUp()
    return Promise.resolve()
  }

  #hangUp(): void {
    if (this.failedHangUps-- > 0 || this.ignoresHangUps) return
    this.end(this.#answeredMs === null ? 'canceled' : 'local')
  }

  get #connectedMs(): number {
    return this.#answeredMs === null ? 0 : this.clock.nowMs() - this.#answeredMs
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  /** The leg goes on over another carrier. */
  changeOver(carrierCallId: string): void {
    this.carrierCallId = carrierCallId
    this.#onEvent({ type: 'placed', carrierCallId })
  }

  ring(): void {
    this.#onEvent({ type: 'ringing' })
  }

  answer(): void {
    this.#answeredMs = this.clock.nowMs()
    this.#onEvent({ type: 'answered' })
    this.#onEvent({ type: 'media', state: 'up' })
    this.clock.after(FRAME_MS, () => this.#beat())
  }

  press(digit: string): void {
    this.#onEvent({ type: 'digit', digit })
  }

  judge(verdict: MachineVerdict): void {
    this.#onEvent({ type: 'machine', verdict, atMs: this.#connectedMs })
  }

  end(cause: EndCause): void {
    if (this.#ended) return
    const end: LegEnd = { cause, connectedMs: this.#connectedMs, code: null, cost: null }
    this.#ended = end
    this.clock.after(0, () => {
      if (this.#answeredMs !== null) this.#onEvent({ type: 'media', state: 'down' })
      this.#onEvent({ type: 'hung_up' })
    })
    if (!this.losesEnded) this.clock.after(FRAME_MS, () => this.#onEvent({ type: 'ended', ...end }))
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

  /** Frames that were sent and not yet played. */
  get buffered(): number {
    return this.#played.filter((item) => typeof item !== 'string').length
  }

  /** Says it and waits until it is said. */
  async says(text: string): Promise<void> {
    await this.say(text)
    await this.clock.advance(text.split(' ').length * WORD_MS)
  }

  /** Lets this sound be heard from now on. */
  sounds(audio: Uint8Array): void {
    for (let at = 0; at < audio.length; at += FRAME_BYTES)
      this.#speech.push({ audio: audio.subarray(at, at + FRAME_BYTES) })
  }

  #beat(): void {
    if (this.#ended) return
    this.clock.after(FRAME_MS, () => this.#beat())
    let played = silentFrame()
    for (let item = this.#played.shift(); item !== undefined; item = this.#played.shift()) {
      if (typeof item === 'string') {
        this.#onEvent({ type: 'mark', name: item })
        continue
      }
      played = item
      this.framesHeard++
      this.heard.push(item.audio)
      if (item.text !== undefined)
        this.words.push({ text: item.text, atMs: this.clock.nowMs() - (this.#answeredMs ?? 0) })
      break
    }
    const spoken = this.#speech.shift()
    const event: LegEvent = { type: 'frame', frame: spoken ?? this.#echoOf(played), mediaMs: this.#mediaMs }
    this.#mediaMs += FRAME_MS
    if (this.dtx && !spoken) return
    const delayMs = this.delaysMs.shift() ?? 0
    if (delayMs === 0) return this.#onEvent(event)
    this.clock.after(delayMs, () => {
      if (!this.#ended) this.#onEvent(event)
    })
  }

  #echoOf(played: Frame): Frame {
    if (this.echoFrames === null) return silentFrame()
    this.#echo.push({ ...played, audio: played.audio.map(quieter) })
    return (this.#echo.length > this.echoFrames && this.#echo.shift()) || silentFrame()
  }
}

/** Mu-law 12 dB quieter: two segments down. */
function quieter(byte: number): number {
  return (byte & 0x80) | Math.min(0x7f, (byte & 0x7f) + 0x20)
}
