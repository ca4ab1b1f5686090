import type { Clock } from '@parley/voice-ports'
import {
  FIRST_MACHINE_STATE,
  listenForMachine,
  machineDeadlineMs,
  type MachineEvent,
  type MachineSign,
} from './machine.ts'

interface MachineListenerOptions {
  readonly clock: Clock
  /** A timer that ends with the call. */
  readonly after: (delayMs: number, task: () => void) => void
  /** While the user has taken over, machines are not looked for. */
  readonly isPersonSpeaking: () => boolean
  readonly onSign: (sign: MachineSign) => void
}

/** Feeds the call's events into machine.ts and ticks it at its deadlines. */
export class MachineListener {
  readonly #options: MachineListenerOptions
  #state = FIRST_MACHINE_STATE

  constructor(options: MachineListenerOptions) {
    this.#options = options
  }

  hear(event: MachineEvent): void {
    const { clock, after, isPersonSpeaking, onSign } = this.#options
    if (isPersonSpeaking()) return
    const { state, sign } = listenForMachine(this.#state, event, clock.nowMs())
    this.#state = state
    const dueMs = machineDeadlineMs(state)
    if (event.type !== 'tick' && dueMs !== null) after(dueMs - clock.nowMs(), () => this.hear({ type: 'tick' }))
    if (sign) onSign(sign)
  }
}
