import type { Clock, Ticker } from '@parley/voice-ports'
import { PERSON_GONE_MS } from '../limits.ts'
import { Microphone } from './microphone.ts'

export interface PersonOptions {
  readonly clock: Clock
  readonly ticker: Ticker
  /** 20 ms of the person's voice, in the beat of the call. */
  readonly send: (audio: Uint8Array) => void
  /** true: the user takes over. false: the agent resumes. */
  readonly changed: (speaks: boolean) => void
}

/** The user behind the call, who may take over from the agent. */
export class Person {
  readonly #options: PersonOptions
  #microphone: Microphone | null = null
  #heard = false

  constructor(options: PersonOptions) {
    this.#options = options
  }

  get speaks(): boolean {
    return this.#microphone !== null
  }

  takeOver(): void {
    if (this.#microphone) return
    const { clock, ticker, send, changed } = this.#options
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

  /** From here on the callee hears the user; earlier sound is lost. */
  letThrough(): void {
    this.#heard = this.#microphone !== null
  }

  handBack(): void {
    if (!this.#microphone) return
    this.close()
    this.#options.changed(false)
  }

  /** Ignored unless the user has taken over. */
  speak(audio: Uint8Array, source: object): void {
    this.#microphone?.push(audio, source)
  }

  /** Hands back when the microphone in use is gone. */
  lose(source: object): void {
    if (this.#microphone?.source === source) this.handBack()
  }

  close(): void {
    this.#microphone?.close()
    this.#microphone = null
    this.#heard = false
  }
}
