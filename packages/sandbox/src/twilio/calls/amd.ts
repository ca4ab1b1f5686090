import { Timers } from '../clock.ts'
import type { AnsweredBy } from '../parties.ts'
import type { Hook } from '../webhooks.ts'
import type { World } from '../world.ts'

/** What was ordered of answering-machine detection. */
export interface AmdRequest {
  readonly mode: 'Enable' | 'DetectMessageEnd'
  readonly timeoutMs: number
  /** The call goes on beside it, and `hook` is told. */
  readonly isAsync: boolean
  readonly hook: Hook | null
}

/** A machine without a beep is taken to have ended its greeting with silence. */
const GREETING_MAX_MS = 10_000

/** Twilio's detection of answering machines on one call: one verdict. */
export class Amd {
  readonly #timers: Timers
  readonly #clock: World['clock']
  readonly #startedMs: number
  readonly #onVerdict: (answeredBy: AnsweredBy) => void
  #awaitsBeep = false
  #durationMs: number | undefined

  constructor(world: World, request: AmdRequest, party: AnsweredBy, onVerdict: (answeredBy: AnsweredBy) => void) {
    this.#clock = world.clock
    this.#timers = new Timers(world.clock)
    this.#startedMs = world.clock.nowMs()
    this.#onVerdict = onVerdict
    const isMachine = party.startsWith('machine')
    this.#awaitsBeep = isMachine && request.mode === 'DetectMessageEnd'
    if (!this.#awaitsBeep) {
      const verdict = isMachine ? 'machine_start' : party
      this.#timers.after(world.timing.verdictMs, () => this.#judge(verdict))
    } else if (party === 'machine_end_silence') {
      this.#timers.after(Math.min(GREETING_MAX_MS, world.timing.verdictMs), () => this.#judge(party))
    }
    this.#timers.after(request.timeoutMs, () => this.#judge('unknown'))
  }

  /** From the answer to the verdict; undefined before it. */
  get durationMs(): number | undefined {
    return this.#durationMs
  }

  /** The machine's beep is over. */
  beeped(): void {
    if (this.#awaitsBeep) this.#judge('machine_end_beep')
  }

  stop(): void {
    this.#timers.clear()
  }

  #judge(verdict: AnsweredBy): void {
    if (this.#durationMs !== undefined) return
    this.#timers.clear()
    this.#durationMs = this.#clock.nowMs() - this.#startedMs
    this.#onVerdict(verdict)
  }
}
