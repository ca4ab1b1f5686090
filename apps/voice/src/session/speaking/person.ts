import type { Clock, Ticker } from '@parley/voice-ports'
import { PERSON_GONE_MS } from '../limits.ts'
import { Microphone } from './microphone.ts'

export interface PersonParts {
  readonly clock: Clock
  readonly ticker: Ticker
  /** 20 ms of the person's voice, in the beat of the call. */
  readonly send: (audio: Uint8Array) => void
  /** Whether they want to speak now, or the agent goes on. */
  readonly changed: (speaks: boolean) => void
}

/** The person behind the call, who may speak in the agent's place for a while. */
export class Person {
  readonly #parts: PersonParts
  #microphone: Microphone | null = null
  #heard = false

  constructor(parts: PersonParts) {
    this.#parts = parts
  }

  get speaks(): boolean {
    return this.#microphone !== null
  }

  takeOver(): void {
    if (this.#microphone) return
    const { clock, ticker, send, changed } = this.#parts
    const patienceMs = PERSON_GONE_MS * clock.speed
    this.#microphone = new Microphone({
      clock,
      ticker,
      patienceMs,
      onFrame: (audio) => this.#heard && send(audio),
      onSilence: () => this.handBack(),
    })
    changed(true)
  }

  /** From here on the callee hears them; what they said before is lost. */
  letThrough(): void {
    this.#heard = this.#microphone !== null
  }

  handBack(): void {
    if (!this.#microphone) return
    this.close()
    this.#parts.changed(false)
  }

  /** Unheard unless they have taken over. */
  speak(audio: Uint8Array, source: object): void {
    this.#microphone?.push(audio, source)
  }

  /** This microphone is gone: if it was theirs, the agent goes on. */
  lose(source: object): void {
    if (this.#microphone?.source === source) this.handBack()
  }

  close(): void {
    this.#microphone?.close()
    this.#microphone = null
    this.#heard = false
  }
}
