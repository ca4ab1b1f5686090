import { afterReading, type Clock } from '@parley/voice-ports'
import { type CalleeSide, nextDeadlineMs, type TurnEffect, type TurnEvent, type TurnState } from './state.ts'
import { step } from './turns.ts'

interface TurnLoopOptions {
  readonly clock: Clock
  readonly first: TurnState
  readonly perform: (effect: TurnEffect) => void
  /** Called after each event and its effects. */
  readonly onStepped: (state: TurnState) => void
  /** When true, events are ignored. */
  readonly isOver: () => boolean
  /** Runs a timer's task; a fault in it ends this call alone. */
  readonly guard: (task: () => void) => void
  readonly side: () => CalleeSide
}

/** Feeds the events of a call into turns.ts, one at a time, and ticks it at its deadlines. */
export class TurnLoop {
  readonly #options: TurnLoopOptions
  readonly #waiting: TurnEvent[] = []
  #state: TurnState
  #isStepping = false
  #timer: { readonly dueMs: number; readonly cancel: () => void } | null = null

  constructor(options: TurnLoopOptions) {
    this.#options = options
    this.#state = options.first
  }

  get state(): TurnState {
    return this.#state
  }

  /** An event raised by an effect is queued until the current event is done. */
  dispatch(event: TurnEvent): void {
    const { clock, perform, isOver, onStepped } = this.#options
    this.#waiting.push(event)
    if (this.#isStepping) return
    this.#isStepping = true
    try {
      for (let next = this.#waiting.shift(); next && !isOver(); next = this.#waiting.shift()) {
        const { state, effects } = step(this.#state, next, clock.nowMs())
        this.#state = state
        for (const effect of effects) perform(effect)
      }
    } finally {
      this.#isStepping = false
    }
    onStepped(this.#state)
    this.#armTimer()
  }

  close(): void {
    this.#timer?.cancel()
  }

  #armTimer(): void {
    const { clock, guard, isOver, side } = this.#options
    const dueMs = isOver() ? null : nextDeadlineMs(this.#state)
    if (dueMs === null || (this.#timer && this.#timer.dueMs <= dueMs)) return
    this.#timer?.cancel()
    const cancel = afterReading(clock, dueMs - clock.nowMs(), () => {
      this.#timer = null
      guard(() => this.dispatch({ type: 'tick', side: side() }))
    })
    this.#timer = { dueMs, cancel }
  }
}
