import {
  type Clock,
  type DialOptions,
  type EndCause,
  type Frame,
  FRAME_MS,
  isPhoneNumber,
  type Leg,
  type LegEnd,
  type LegEvent,
  specialInformation,
} from '@parley/voice-ports'
import { type NetworkFaults, Path } from './faults.ts'
import { beepsIn, type Persona } from './persona.ts'
import { personaOf } from './personas/index.ts'
import { Playout } from './playout.ts'
import { framesOf, noiseMixer, speakWhole, type Speak } from './sound.ts'

/** Time from dialing to the network's id, and to ringing or refusal. */
const PLACED_MS = 100
const SETUP_MS = 400
/** The duration is known so much later than the end. */
const BILLED_AFTER_MS = 20
/** Detection of answering machines takes as long with the carriers that have it. */
const VERDICT_MS = 3000
/** What a minute costs: about the price of a call within North America. */
const MINUTE_MICROS = 14_000

/** SIP responses (RFC 3261). */
const CODES: Record<EndCause, string> = {
  remote: '200',
  local: '200',
  transferred: '200',
  canceled: '487',
  busy: '486',
  no_answer: '480',
  not_in_service: '404',
  failed: '500',
  dropped: '503',
}

export interface CalleeDoes {
  readonly frame: Frame | null
  readonly digits: string
  readonly ends: 'remote' | 'dropped' | 'failed' | null
  /** A machine's beep is over. */
  readonly beeped?: boolean
}

/** The party at the far end. */
export interface FarParty {
  press(digit: string): void
  /** Advances by 20 ms; `heard` is the frame that the leg played to the party. */
  tick(nowMs: number, heard: Frame | null): CalleeDoes
}

export interface LegOptions {
  readonly carrierCallId: string
  readonly persona: Persona
  readonly dial: DialOptions
  readonly clock: Clock
  readonly speak: Speak
  readonly rng: () => number
  readonly faults: NetworkFaults
  /** Makes the callee that answers by itself. */
  readonly callee: (signal: AbortSignal, nowMs: number) => FarParty
  readonly onEvent: (event: LegEvent) => void
  readonly onAnswered: () => void
  readonly onOver: (end: LegEnd) => void
}

/** One simulated call: rings, carries 20 ms frames both ways on the call's clock, and ends once. */
export class SimulatedLeg implements Leg {
  readonly capabilities = {
    playout: 'ours',
    text: true,
    digits: true,
    transfer: true,
    machineDetection: true,
    silence: 'left_out',
  } as const
  readonly #options: LegOptions
  readonly #abort = new AbortController()
  readonly #addNoise: (frame: Frame | null) => Frame
  readonly #timers = new Set<() => void>()
  readonly #playout = new Playout()
  readonly #path: Path
  #callee: FarParty | null = null
  #ringing = false
  #transferring = false
  #frames = 0
  #answeredMs: number | null = null
  #hangUps = 0
  #over = false

  constructor(options: LegOptions) {
    this.#options = options
    this.#addNoise = noiseMixer(options.rng())
    const { faults, clock, rng } = options
    this.#path = new Path({ faults, clock, rng, emit: (event) => this.#emit(event) })
    this.#after(PLACED_MS, () => this.#emit({ type: 'placed', carrierCallId: options.carrierCallId }))
    this.#after(SETUP_MS, () => this.#setUp())
  }

  get options(): DialOptions {
    return this.#options.dial
  }

  get connectedMs(): number {
    return this.#answeredMs === null ? 0 : Math.round(this.#options.clock.nowMs() - this.#answeredMs)
  }

  send(frame: Frame): void {
    if (this.#isConnected) this.#playout.send(frame)
  }

  mark(name: string): void {
    if (this.#isConnected) this.#playout.mark(name)
  }

  clear(): void {
    this.#playout.clear()
  }

  sendDigits(digits: string): void {
    if (this.#isConnected) this.#playout.sendDigits(digits)
  }

  transfer(to: string): void {
    if (!this.#isConnected || this.#transferring || !isPhoneNumber(to)) return
    this.#transferring = true
    const { pickup } = personaOf(to)
    const fails = (message: string) => () => {
      this.#transferring = false
      this.#emit({ type: 'transfer_failed', message })
    }
    if (pickup.type === 'answers') return this.#after(SETUP_MS + pickup.afterMs, () => this.#end('transferred'))
    if (pickup.type === 'busy' || pickup.type === 'not_in_service')
      return this.#after(SETUP_MS, fails(pickup.type === 'busy' ? '486 Busy Here' : '404 Not Found'))
    this.#after(this.options.answerTimeoutMs, fails('480 Temporarily Unavailable'))
  }

  hangUp(): void {
    if (this.#hangUps++ < (this.#options.faults.failedHangUps ?? 0)) return
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

  get #isConnected(): boolean {
    return this.#callee !== null && !this.#over
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
    const { callee, clock, dial, persona, onAnswered } = this.#options
    if (this.#answeredMs !== null || this.#over) return
    this.#ringing = false
    this.#answeredMs = clock.nowMs()
    this.#callee = party ?? callee(this.#abort.signal, this.#answeredMs)
    onAnswered()
    this.#after(dial.limitMs, () => this.#end('local'))
    if (dial.detectMachine) this.#after(VERDICT_MS, () => this.#judge(verdictOn(persona)))
    this.#emit({ type: 'answered' })
    this.#emit({ type: 'media', state: 'up' })
    this.#beat(this.#answeredMs, () => this.#exchange())
  }

  #judge(verdict: Extract<LegEvent, { type: 'machine' }>['verdict']): void {
    if (this.options.detectMachine) this.#emit({ type: 'machine', verdict, atMs: this.connectedMs })
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

  /** One beat: plays what was sent and returns 20 ms of the far end. */
  #exchange(): void {
    const nowMs = this.#options.clock.nowMs()
    const callee = this.#callee
    if (!callee) return
    const played = this.#playout.next(nowMs)
    for (const name of played.marks) this.#path.mark(name)
    if (played.digit !== null) callee.press(played.digit)
    const did = callee.tick(nowMs, played.frame)
    for (const digit of did.digits) this.#emit({ type: 'digit', digit })
    this.#sound(did.frame, played.frame)
    if (did.beeped) this.#judge('beep')
    if (did.ends) this.#end(did.ends)
  }

  #sound(frame: Frame | null, played: Frame | null): void {
    this.#path.frame(this.#addNoise(frame), this.#frames++ * FRAME_MS, frame === null, played?.audio ?? null)
  }

  /** Early media: the special information tones and an announcement, without an answer. */
  #announce(text: string): void {
    const { persona, clock, speak } = this.#options
    const frames = framesOf({ audio: specialInformation(), words: [] })
    let announcement: readonly Frame[] | null = null
    const { language } = persona
    speakWhole(speak, text, { language, voiceId: persona.scenes.first.voiceId, signal: this.#abort.signal }).then(
      (sound) => (announcement = framesOf(sound)),
      () => (announcement = []),
    )
    let at = 0
    this.#emit({ type: 'media', state: 'up' })
    this.#beat(clock.nowMs(), () => {
      const frame = frames[at] ?? announcement?.[at - frames.length]
      if (frame || !announcement) this.#sound(frame ?? null, null)
      else this.#end('not_in_service')
      if (frame) at++
    })
  }

  #end(cause: EndCause): void {
    if (this.#over) return
    const { clock, faults, onEvent, onOver } = this.#options
    const { connectedMs } = this
    const end: LegEnd = { cause, connectedMs, code: CODES[cause], cost: costOf(connectedMs) }
    const hadMedia = this.#frames > 0 || this.#answeredMs !== null
    this.#over = true
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#abort.abort()
    onOver(end)
    // Asynchronous, as on a real network: the events never come from within the call that caused them.
    clock.after(0, () => {
      if (hadMedia) onEvent({ type: 'media', state: 'down' })
      onEvent({ type: 'hung_up' })
    })
    if (!faults.losesEnded) clock.after(BILLED_AFTER_MS, () => onEvent({ type: 'ended', ...end }))
  }
}

/** By started minutes. */
function costOf(connectedMs: number): LegEnd['cost'] {
  return { amountMicros: Math.ceil(connectedMs / 60_000) * MINUTE_MICROS, currency: 'USD' }
}

function verdictOn(persona: Persona): 'human' | 'machine' | 'unknown' {
  if (persona.scenes.first.manners === 'person') return 'human'
  return beepsIn(persona) ? 'machine' : 'unknown'
}
