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
import { framesOf, noiseMixer, speakWhole, type Speak } from './sound.ts'
import type { Persona } from './persona.ts'

/** Time from dialing to ringing or refusal. */
const SETUP_MS = 400
/** Longest queue of frames to play, a minute: a sender that is further ahead is not pacing. */
const QUEUE_MAX = 3000
const DIGIT_MS = 200
const DIGITS_MAX = 64

export interface CalleeDoes {
  readonly frame: Frame | null
  readonly digits: string
  readonly ends: 'remote' | 'dropped' | 'failed' | null
}

/** The party at the far end. */
export interface FarParty {
  press(digit: string): void
  /** Advances by 20 ms; `heard` is the frame that the leg played to the party. */
  tick(nowMs: number, heard: Frame | null): CalleeDoes
}

export interface LegOptions {
  readonly persona: Persona
  readonly dial: DialOptions
  readonly clock: Clock
  readonly speak: Speak
  readonly rng: () => number
  /** Makes the callee that answers by itself. */
  readonly callee: (signal: AbortSignal, nowMs: number) => FarParty
  readonly onEvent: (event: LegEvent) => void
  readonly onOver: () => void
}

/** One simulated call: rings, carries 20 ms frames both ways on the call's clock, and ends once. */
export class SimulatedLeg implements Leg {
  readonly #options: LegOptions
  readonly #abort = new AbortController()
  readonly #addNoise: (frame: Frame | null) => Frame
  readonly #timers = new Set<() => void>()
  readonly #queue: (Frame | { readonly mark: string })[] = []
  #digits = ''
  #digitDueMs = 0
  #callee: FarParty | null = null
  #ringing = false
  #announcement: readonly Frame[] | null = null
  #answeredMs: number | null = null
  #over = false

  constructor(options: LegOptions) {
    this.#options = options
    this.#addNoise = noiseMixer(options.rng())
    this.#after(SETUP_MS, () => this.#setUp())
  }

  get options(): DialOptions {
    return this.#options.dial
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

  /** Answers by hand; null when the phone does not ring or answers by itself. */
  pickUp<T extends FarParty>(answering: (signal: AbortSignal) => T): T | null {
    if (!this.#ringing || this.#over || this.#options.persona.pickup.type !== 'by_hand') return null
    const party = answering(this.#abort.signal)
    this.#answer(party)
    return party
  }

  /** Ends the leg as a failing network does. */
  drop(): void {
    this.#end('dropped')
  }

  #after(delayMs: number, task: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
  }

  #emit(event: LegEvent): void {
    if (!this.#over) this.#options.onEvent(event)
  }

  #setUp(): void {
    const { persona, dial, speak } = this.#options
    const { pickup } = persona
    if (pickup.type === 'busy') return this.#end('busy')
    if (pickup.type === 'not_in_service') return this.#announce(pickup.announcement)
    this.#after(dial.answerTimeoutMs, () => this.#giveUp())
    if (pickup.type === 'answers') {
      // The first words are known: making them while it rings keeps the answer prompt.
      this.#warmUp(speak)
      this.#after(pickup.afterMs * (0.85 + 0.3 * this.#options.rng()), () => this.#answer())
    }
    this.#ringing = true
    this.#emit({ type: 'ringing' })
  }

  #warmUp(speak: Speak): void {
    const { persona } = this.#options
    const { rules, voiceId } = persona.scenes.first
    const first = rules.flatMap((rule) => (rule.on.type === 'start' ? rule.does : [])).find((act) => act.type === 'say')
    const text = first?.texts[0]
    // A voice that fails here fails again when it is needed, and then ends the call.
    if (text)
      speakWhole(speak, text, { language: persona.language, voiceId, signal: this.#abort.signal }).catch(() => {})
  }

  #giveUp(): void {
    if (this.#answeredMs === null) this.#end('no_answer')
  }

  #answer(party?: FarParty): void {
    const { callee, clock } = this.#options
    if (this.#answeredMs !== null || this.#over) return
    this.#ringing = false
    this.#answeredMs = clock.nowMs()
    this.#callee = party ?? callee(this.#abort.signal, this.#answeredMs)
    this.#emit({ type: 'answered' })
    this.#beat(this.#answeredMs, () => this.#exchange())
  }

  /** Runs the task every 20 ms from `startMs` on, without drift. */
  #beat(startMs: number, task: () => void): void {
    const { clock } = this.#options
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

  /** One beat: plays one sent frame and returns 20 ms of the far end. */
  #exchange(): void {
    const nowMs = this.#options.clock.nowMs()
    const callee = this.#callee
    if (!callee) return
    this.#dialDigits(nowMs, callee)
    const did = callee.tick(nowMs, this.#play())
    for (const digit of did.digits) this.#emit({ type: 'digit', digit })
    this.#emit({ type: 'frame', frame: this.#addNoise(did.frame) })
    if (did.ends) this.#end(did.ends)
  }

  /** The frame played in this beat. Marks before it fire now: the frame ahead of them has been played. */
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

  /** Early media: the special information tones and an announcement, without an answer. */
  #announce(text: string): void {
    const { persona, clock, speak } = this.#options
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
      if (frame || !this.#announcement) this.#emit({ type: 'frame', frame: this.#addNoise(frame ?? null) })
      else this.#end('not_in_service')
      if (frame) at++
    })
  }

  #end(cause: EndCause): void {
    if (this.#over) return
    this.#over = true
    const { clock, onEvent, onOver } = this.#options
    const connectedMs = this.#answeredMs === null ? 0 : Math.round(clock.nowMs() - this.#answeredMs)
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#queue.length = 0
    this.#abort.abort()
    onOver()
    // Asynchronous, as on a real network: the event never comes from within the call that caused it.
    clock.after(0, () => onEvent({ type: 'ended', cause, connectedMs }))
  }
}
