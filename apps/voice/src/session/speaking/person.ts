import type { Clock, Ticker } from '@parley/voice-ports'
import { PERSON_GONE_MS } from '../limits.ts'
import { Microphone } from './microphone.ts'

export interface PersonOptions {
  readonly clock: Clock
  readonly ticker: Ticker
  /** 20 ms of the person's voice, in the beat of the call. */
  readonly send: (audio: Uint8Array) => void
  /** true: the user takes over. false: the agent resumes. */
  readonly changed: (speaks: boolean, by: PersonBy) => void
}

/** Where the user speaks. */
export type PersonBy = 'page' | 'phone'

/** The user behind the call, who may take over from the agent. */
export class Person {
  readonly #options: PersonOptions
  #microphone: Microphone | null = null
  #heard = false
  #by: PersonBy = 'page'

  constructor(options: PersonOptions) {
    this.#options = options
  }

  get speaks(): boolean {
    return this.#microphone !== null
  }

  /** A phone may send nothing in silence: its leg tells that it is gone. */
  takeOver(by: PersonBy = 'page', source?: object): void {
    if (this.#microphone) return
    this.#by = by
    const { clock, ticker, send, changed } = this.#options
    const patienceMs = by === 'phone' ? null : PERSON_GONE_MS * clock.speed
    this.#microphone = new Microphone({
      clock,
      ticker,
      patienceMs,
      source,
      onFrame: (audio) => this.#heard && send(audio),
      onSilence: () => this.handBack(),
    })
    changed(true, by)
  }

  /** From here on the callee hears the user; earlier sound is lost. */
  letThrough(): void {
    this.#heard = this.#microphone !== null
  }

  handBack(): void {
    if (!this.#microphone) return
    this.close()
    this.#options.changed(false, this.#by)
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
