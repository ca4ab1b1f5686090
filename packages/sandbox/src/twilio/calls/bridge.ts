import type { FarParty } from '../../network/leg.ts'
import type { Step } from './program.ts'

interface Phone {
  readonly party: FarParty | null
  complete(): void
}

/** Two phones connected with each other: each hears the other's last 20 ms. */
export class Bridge implements Step {
  readonly #child: Phone
  #fromParent: Uint8Array | null = null
  #fromChild: Uint8Array | null = null

  constructor(child: Phone) {
    this.#child = child
  }

  next(): ReturnType<Step['next']> {
    return { audio: this.#fromChild, digit: null }
  }

  hear(audio: Uint8Array | null): void {
    this.#fromParent = audio
  }

  digit(digit: string): void {
    this.#child.party?.press(digit)
  }

  stop(): void {
    this.#child.complete()
  }

  toChild(): ReturnType<Step['next']> {
    return { audio: this.#fromParent, digit: null }
  }

  fromChild(audio: Uint8Array | null): void {
    this.#fromChild = audio
  }
}
