import type { Clock } from '@parley/voice-ports'
import { nextDeadlineMs, type TurnEffect, type TurnEvent, type TurnState } from './state.ts'
import { step } from './turns.ts'

interface TurnLoopParts {
  readonly clock: Clock
  readonly first: TurnState
  readonly perform: (effect: TurnEffect) => void
  /** After each event and what followed from it. */
  readonly onStepped: (state: TurnState) => void
  /** Once the call is over no event counts any more. */
  readonly isOver: () => boolean
  /** Runs what a timer brings; a fault in it ends this call alone. */
  readonly guard: (task: () => void) => void
  /** How the line sounds as a deadline passes. */
  readonly isLoud: () => boolean
}

/** Takes the events of a call through turns.ts, one after the other, and wakes it at its deadlines. */
export class TurnLoop {
  readonly #parts: TurnLoopParts
  readonly #waiting: TurnEvent[] = []
  #state: TurnState
  #isStepping = false
  #timer: { readonly dueMs: number; readonly cancel: () => void } | null = null

  constructor(parts: TurnLoopParts) {
    this.#parts = parts
    this.#state = parts.first
  }

  get state(): TurnState {
    return this.#state
  }

  /** An event that comes of an effect waits until the event before it is done with. */
  dispatch(event: TurnEvent): void {
    const { clock, perform, isOver, onStepped } = this.#parts
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
    const { clock, guard, isOver, isLoud } = this.#parts
    const dueMs = isOver() ? null : nextDeadlineMs(this.#state)
    if (dueMs === null || (this.#timer && this.#timer.dueMs <= dueMs)) return
    this.#timer?.cancel()
    const cancel = clock.after(dueMs - clock.nowMs(), () => {
      this.#timer = null
      guard(() => this.dispatch({ type: 'tick', loud: isLoud() }))
    })
    this.#timer = { dueMs, cancel }
  }
}
