import type { Clock } from '@parley/voice-ports'
import {
  FIRST_MACHINE_STATE,
  listenForMachine,
  machineDeadlineMs,
  type MachineEvent,
  type MachineSign,
} from './machine.ts'

interface MachineListenerParts {
  readonly clock: Clock
  /** A timer that ends with the call. */
  readonly after: (delayMs: number, task: () => void) => void
  /** Somebody at the far end whom a person speaks to is no machine to us. */
  readonly isPersonSpeaking: () => boolean
  readonly onSign: (sign: MachineSign) => void
}

/** Takes what a call brings through machine.ts, and wakes it at its deadlines. */
export class MachineListener {
  readonly #parts: MachineListenerParts
  #state = FIRST_MACHINE_STATE

  constructor(parts: MachineListenerParts) {
    this.#parts = parts
  }

  get isConversing(): boolean {
    return this.#state.conversing
  }

  hear(event: MachineEvent): void {
    const { clock, after, isPersonSpeaking, onSign } = this.#parts
    if (isPersonSpeaking()) return
    const { state, sign } = listenForMachine(this.#state, event, clock.nowMs())
    this.#state = state
    const dueMs = machineDeadlineMs(state)
    if (event.type !== 'tick' && dueMs !== null) after(dueMs - clock.nowMs(), () => this.hear({ type: 'tick' }))
    if (sign) onSign(sign)
  }
}
