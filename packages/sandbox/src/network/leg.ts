import {
  type Clock,
  type DialOptions,
  type EndCause,
  type Frame,
  FRAME_MS,
  type Leg,
  type LegEvent,
  specialInformation,
} from '@parley/voice-ports'
import { framesOf, noisyLine, speakWhole, type Speak } from './line.ts'
import type { Persona } from './persona.ts'

/** From dialing to the far telephone's bell, or to the network's refusal. */
const SETUP_MS = 400
/** A minute of our voice waiting to be played; a sender that is further ahead is not pacing. */
const QUEUE_MAX = 3000
const DIGIT_MS = 200
const DIGITS_MAX = 64

export interface CalleeDoes {
  readonly frame: Frame | null
  readonly digits: string
  readonly ends: 'remote' | 'dropped' | 'failed' | null
}

/** Whoever is at the far end. */
export interface FarParty {
  press(digit: string): void
  /** The next 20 ms: `heard` is what the line played to them in the last. */
  tick(nowMs: number, heard: Frame | null): CalleeDoes
}

export interface LegParts {
  readonly persona: Persona
  readonly options: DialOptions
  readonly clock: Clock
  readonly speak: Speak
  readonly rng: () => number
  /** Who answers by themselves. */
  readonly callee: (signal: AbortSignal, nowMs: number) => FarParty
  readonly onEvent: (event: LegEvent) => void
  readonly onOver: () => void
}

/** One simulated call: rings, carries 20 ms frames both ways on the call's clock, and ends once. */
export class SimulatedLeg implements Leg {
  readonly #parts: LegParts
  readonly #abort = new AbortController()
  readonly #line: (frame: Frame | null) => Frame
  readonly #timers = new Set<() => void>()
  readonly #queue: (Frame | { readonly mark: string })[] = []
  #digits = ''
  #digitDueMs = 0
  #callee: FarParty | null = null
  #ringing = false
  #announcement: readonly Frame[] | null = null
  #answeredMs: number | null = null
  #over = false

  constructor(parts: LegParts) {
    this.#parts = parts
    this.#line = noisyLine(parts.rng())
    this.#after(SETUP_MS, () => this.#setUp())
  }

  get options(): DialOptions {
    return this.#parts.options
  }

  send(frame: Frame): void {
    if (this.#callee && !this.#over && this.#queue.length < QUEUE_MAX) this.#queue.push(frame)
  }

  mark(name: string): void {
    if (this.#callee && !this.#over && this.#queue.length < QUEUE_MAX) this.#queue.push({ mark: name })
  }

  clear(): void {
    this.#queue.length = 0
  }

  sendDigits(digits: string): void {
    if (this.#callee && !this.#over) this.#digits = (this.#digits + digits).slice(0, DIGITS_MAX)
  }

  hangUp(): void {
    this.#end(this.#answeredMs === null ? 'canceled' : 'local')
  }

  /** Somebody takes the telephone into their hand; null when it does not ring, or answers by itself. */
  pickUp<T extends FarParty>(answering: (signal: AbortSignal) => T): T | null {
    if (!this.#ringing || this.#over || this.#parts.persona.pickup.type !== 'by_hand') return null
    const party = answering(this.#abort.signal)
    this.#answer(party)
    return party
  }

  /** The network itself goes away. */
  drop(): void {
    this.#end('dropped')
  }

  #after(delayMs: number, task: () => void): void {
    const cancel = this.#parts.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
  }

  #emit(event: LegEvent): void {
    if (!this.#over) this.#parts.onEvent(event)
  }

  #setUp(): void {
    const { persona, options, speak } = this.#parts
    const { pickup } = persona
    if (pickup.type === 'busy') return this.#end('busy')
    if (pickup.type === 'not_in_service') return this.#announce(pickup.announcement)
    this.#after(options.answerTimeoutMs, () => this.#giveUp())
    if (pickup.type === 'answers') {
      // Which first words will be said is known; making them while it rings keeps the answer prompt.
      this.#warmUp(speak)
      this.#after(pickup.afterMs * (0.85 + 0.3 * this.#parts.rng()), () => this.#answer())
    }
    this.#ringing = true
    this.#emit({ type: 'ringing' })
  }

  #warmUp(speak: Speak): void {
    const { persona } = this.#parts
    const { rules, voiceId } = persona.scenes.first
    const first = rules.flatMap((rule) => (rule.on.type === 'start' ? rule.does : [])).find((act) => act.type === 'say')
    const text = first?.texts[0]
    // A voice that fails here fails again when it is needed, and ends the call then.
    if (text)
      speakWhole(speak, text, { language: persona.language, voiceId, signal: this.#abort.signal }).catch(() => {})
  }

  #giveUp(): void {
    if (this.#answeredMs === null) this.#end('no_answer')
  }

  #answer(party?: FarParty): void {
    const { callee, clock } = this.#parts
    if (this.#answeredMs !== null || this.#over) return
    this.#ringing = false
    this.#answeredMs = clock.nowMs()
    this.#callee = party ?? callee(this.#abort.signal, this.#answeredMs)
    this.#emit({ type: 'answered' })
    this.#beat(this.#answeredMs, () => this.#exchange())
  }

  /** Every 20 ms from `startMs` on, without drift. */
  #beat(startMs: number, task: () => void): void {
    const { clock } = this.#parts
    let beats = 0
    const next = () => {
      beats++
      this.#after(startMs + beats * FRAME_MS - clock.nowMs(), () => {
        task()
        if (!this.#over) next()
      })
    }
    if (!this.#over) next()
  }

  /** One beat: what was sent before is played now, and 20 ms of the far end come back. */
  #exchange(): void {
    const nowMs = this.#parts.clock.nowMs()
    const callee = this.#callee
    if (!callee) return
    this.#dialDigits(nowMs, callee)
    const did = callee.tick(nowMs, this.#play())
    for (const digit of did.digits) this.#emit({ type: 'digit', digit })
    this.#emit({ type: 'frame', frame: this.#line(did.frame) })
    if (did.ends) this.#end(did.ends)
  }

  /** The frame that is played in this beat. Marks before it fire now: the frame ahead of them is over. */
  #play(): Frame | null {
    for (let item = this.#queue.shift(); item; item = this.#queue.shift()) {
      if (!('mark' in item)) return item
      this.#emit({ type: 'mark', name: item.mark })
    }
    return null
  }

  #dialDigits(nowMs: number, callee: FarParty): void {
    const digit = this.#digits[0]
    if (digit === undefined || nowMs < this.#digitDueMs) return
    this.#digits = this.#digits.slice(1)
    this.#digitDueMs = nowMs + DIGIT_MS
    callee.press(digit)
  }

  /** Early media: the three rising tones and a voice, and then no connection. */
  #announce(text: string): void {
    const { persona, clock, speak } = this.#parts
    const frames = framesOf({ audio: specialInformation(), words: [] })
    speakWhole(speak, text, {
      language: persona.language,
      voiceId: persona.scenes.first.voiceId,
      signal: this.#abort.signal,
    }).then(
      (sound) => (this.#announcement = framesOf(sound)),
      () => (this.#announcement = []),
    )
    let at = 0
    this.#beat(clock.nowMs(), () => {
      const frame = frames[at] ?? this.#announcement?.[at - frames.length]
      if (frame || !this.#announcement) this.#emit({ type: 'frame', frame: this.#line(frame ?? null) })
      else this.#end('not_in_service')
      if (frame) at++
    })
  }

  #end(cause: EndCause): void {
    if (this.#over) return
    this.#over = true
    const { clock, onEvent, onOver } = this.#parts
    const connectedMs = this.#answeredMs === null ? 0 : Math.round(clock.nowMs() - this.#answeredMs)
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#queue.length = 0
    this.#abort.abort()
    onOver()
    // As on a real network, the news comes back by itself and never from within the call that caused it.
    clock.after(0, () => onEvent({ type: 'ended', cause, connectedMs }))
  }
}
