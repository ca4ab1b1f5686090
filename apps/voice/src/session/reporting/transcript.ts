import type { Turn } from '@parley/contract'
import type { Clock, HeardTurn } from '@parley/voice-ports'

/** Shortest time between updates of a growing turn; its beginning and end are reported at once. */
const UPDATE_MS = 200

type Open = { -readonly [K in keyof Turn]: Turn[K] }

/** The turns of both sides as far as they were heard. Calls `onTurn` on every change. */
export class Transcript {
  readonly #clock: Clock
  readonly #onTurn: (turn: Turn) => void
  readonly #turns: Open[] = []
  #agent: Open | null = null
  #callee: Open | null = null
  #lastCallee: Open | null = null
  #originMs = 0
  readonly #unsent = new Set<Open>()
  #toldMs = -Infinity
  #timer: (() => void) | null = null
  #withheld = false

  constructor(clock: Clock, onTurn: (turn: Turn) => void) {
    this.#clock = clock
    this.#onTurn = onTurn
  }

  /** Turn times count from here. */
  answered(): void {
    this.#originMs = this.#clock.nowMs()
  }

  heard(): HeardTurn[] {
    return this.#turns.map(({ index, speaker, text, heard, startMs, endMs }) => ({
      index,
      speaker,
      text,
      heard: speaker === 'user' || heard,
      startMs,
      endMs,
    }))
  }

  calleeSays(text: string, sinceMs: number): void {
    this.#callee = this.#grow(this.#callee, 'user', text, sinceMs)
  }

  calleeDone(untilMs: number): void {
    if (this.#callee) this.#close(this.#callee, untilMs, true)
    this.#lastCallee = this.#callee
    this.#callee = null
  }

  /** Replaces the last turn's text by the ear's final one. */
  reviseCallee(text: string): void {
    if (!this.#lastCallee || this.#lastCallee.text === text) return
    this.#lastCallee.text = text
    this.#tell(this.#lastCallee)
  }

  /** `estimated`: the voice gives no word times, and where the text ends is estimated by time. */
  agentHeard(text: string, sinceMs: number, estimated = false): void {
    if (text === '') return
    const turn = this.#agent
    // Told as false too once it was true: a turn heard out is no estimate any more.
    const changes = estimated || turn?.estimated !== undefined ? { estimated } : {}
    if (turn && turn.estimated !== changes.estimated) {
      Object.assign(turn, changes)
      this.#unsent.add(turn)
    }
    this.#agent = this.#grow(turn, 'agent', text, sinceMs, changes)
  }

  /** Index of the agent's turn under way; null where there is none. */
  get agentTurn(): number | null {
    return this.#agent?.index ?? null
  }

  agentDone(heard: boolean): void {
    if (this.#agent) this.#close(this.#agent, this.#clock.nowMs(), heard)
    this.#agent = null
  }

  /** The callee refused to be recorded: later turns are not reported. */
  withhold(): void {
    this.calleeDone(this.#clock.nowMs())
    this.agentDone(false)
    this.#withheld = true
  }

  get isWithheld(): boolean {
    return this.#withheld
  }

  /** Closes open turns at the end of the call. */
  end(calleeUntilMs: number): void {
    this.calleeDone(calleeUntilMs)
    this.agentDone(false)
    this.#timer?.()
  }

  #grow(
    turn: Open | null,
    speaker: Turn['speaker'],
    text: string,
    sinceMs: number,
    more: Pick<Turn, 'estimated'> = {},
  ): Open {
    if (turn) {
      if (turn.text === text) return turn
      turn.text = text
      this.#unsent.add(turn)
      this.#tellSoon()
      return turn
    }
    const opened: Open = {
      index: this.#turns.length,
      speaker,
      text,
      startMs: this.#sinceAnswer(sinceMs),
      endMs: null,
      heard: false,
      ...more,
    }
    this.#turns.push(opened)
    this.#tell(opened)
    return opened
  }

  #close(turn: Open, untilMs: number, heard: boolean): void {
    turn.endMs = Math.max(turn.startMs, this.#sinceAnswer(untilMs))
    turn.heard = heard
    this.#tell(turn)
  }

  #sinceAnswer(atMs: number): number {
    return Math.max(0, Math.round(atMs - this.#originMs))
  }

  #tellSoon(): void {
    if (this.#timer) return
    const waitMs = this.#toldMs + UPDATE_MS - this.#clock.nowMs()
    const tellAll = () => {
      this.#timer = null
      for (const turn of this.#unsent) this.#tell(turn)
    }
    if (waitMs <= 0) tellAll()
    else this.#timer = this.#clock.after(waitMs, tellAll)
  }

  #tell(turn: Open): void {
    if (this.#withheld) return
    this.#unsent.delete(turn)
    this.#toldMs = this.#clock.nowMs()
    this.#onTurn({ ...turn })
  }
}
