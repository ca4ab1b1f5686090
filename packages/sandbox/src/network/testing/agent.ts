import {
  createToneDetector,
  type EndCause,
  type Frame,
  FRAME_BYTES,
  FRAME_MS,
  type LegEvent,
  levelDbm0,
  SILENCE_BYTE,
  type ToneEvent,
  virtualClock,
} from '@parley/voice-ports'
import { createTestNetwork, type SimulatedCarrier, type Speak } from '../index.ts'

export const WORD_MS = 320

/** Every word takes 320 ms and is loud in its first 240. */
const steady: Speak = async function* (text) {
  const words = text.split(' ')
  const audio = Uint8Array.from({ length: words.length * WORD_MS * 8 }, (_, i) =>
    i % (WORD_MS * 8) < 240 * 8 ? (i % 80 < 40 ? 0x9f : 0x1f) : SILENCE_BYTE,
  )
  yield { audio, words: words.map((word, at) => ({ text: word, endMs: (at + 1) * WORD_MS })) }
}

interface Heard {
  readonly text: string
  readonly atMs: number
}

/** An agent that listens to everything and says what the test tells it to. */
export class Agent {
  readonly clock = virtualClock()
  readonly events: LegEvent[] = []
  readonly words: Heard[] = []
  readonly tones: { readonly tone: ToneEvent; readonly atMs: number }[] = []
  readonly levels: number[] = []
  readonly mediaTimes: number[] = []
  readonly arrivals: number[] = []
  answeredMs = -1
  hungUpMs = -1
  ended: { readonly cause: EndCause; readonly connectedMs: number; readonly atMs: number } | null = null
  readonly carrier: SimulatedCarrier
  readonly leg
  readonly #toSay: Frame[] = []
  readonly #detector = createToneDetector()

  constructor(ending: string, options: Partial<Parameters<typeof createTestNetwork>[0]> = {}) {
    this.carrier = createTestNetwork({ speak: steady, rng: () => 0.5, ...options })
    const to = `+1212555${ending}`
    const dialing = {
      callId: 'call',
      to,
      from: null,
      userId: 'user',
      language: 'en',
      answerTimeoutMs: 20_000,
      limitMs: 3_600_000,
      detectMachine: true,
      webhookBase: null,
    }
    this.leg = this.carrier.dial(dialing, this.clock, (event) => this.#on(event))
  }

  get text(): string {
    return this.words.map(({ text }) => text).join(' ')
  }

  #on(event: LegEvent): void {
    const atMs = this.clock.nowMs()
    if (event.type !== 'frame') this.events.push(event)
    if (event.type === 'answered') this.answeredMs = atMs
    if (event.type === 'hung_up') this.hungUpMs = atMs
    if (event.type === 'ended') this.ended = { ...event, atMs: this.hungUpMs }
    if (event.type !== 'frame') return
    this.levels.push(levelDbm0(event.frame.audio))
    this.mediaTimes.push(event.mediaMs)
    this.arrivals.push(atMs)
    if (event.frame.text !== undefined) this.words.push({ text: event.frame.text, atMs })
    for (const tone of this.#detector.push(event.frame.audio)) this.tones.push({ tone, atMs })
    this.leg.send(this.#toSay.shift() ?? { audio: new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE) })
  }

  async say(text: string): Promise<void> {
    for await (const { audio, words } of steady(text, {
      language: 'en',
      voiceId: 'default',
      signal: new AbortController().signal,
    })) {
      for (let at = 0; at < audio.length; at += FRAME_BYTES) {
        const endMs = (at + FRAME_BYTES) / 8
        const word = words.find((one) => one.endMs > endMs - FRAME_MS && one.endMs <= endMs)
        this.#toSay.push({ audio: audio.subarray(at, at + FRAME_BYTES), ...(word && { text: word.text }) })
      }
    }
  }

  async until(fact: () => boolean, withinMs = 60_000): Promise<void> {
    for (let waitedMs = 0; waitedMs < withinMs && !fact(); waitedMs += FRAME_MS) await this.clock.advance(FRAME_MS)
    if (!fact()) throw new Error(`Not within ${withinMs} ms; heard: "${this.text}"`)
  }

  async answer(): Promise<void> {
    await this.until(() => this.answeredMs >= 0)
  }

  async hears(words: string, withinMs?: number): Promise<void> {
    await this.until(() => this.text.includes(words), withinMs)
  }

  async end(withinMs?: number): Promise<void> {
    await this.until(() => this.ended !== null, withinMs)
  }
}
