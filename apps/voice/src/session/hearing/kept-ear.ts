import type { Clock, Ear, EarEvent, Frame, Listening } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { EAR_FAILURES_MAX, EAR_REOPEN_MAX_MS, EAR_REOPEN_MS } from '../limits.ts'

export interface KeptEarOptions {
  readonly ear: Ear
  readonly clock: Clock
  readonly log: Logger
  readonly after: (delayMs: number, task: () => void) => void
  /** BCP 47, read at each opening. */
  readonly language: () => string
  readonly onEvent: (event: Exclude<EarEvent, { type: 'failed' }>) => void
  /** The ear failed EAR_FAILURES_MAX times without a word in between, and is not opened again. */
  readonly onLost: () => void
}

/** Keeps one ear open during a call: reopens a failed one with growing waits, and gives up after a budget. */
export class KeptEar {
  readonly #options: KeptEarOptions
  #listening: Listening | null = null
  #current: symbol | null = null
  #failures = 0
  #closed = false

  constructor(options: KeptEarOptions) {
    this.#options = options
  }

  /** Does nothing while the ear is open, waits to be reopened or is given up. */
  open(): void {
    if (this.#failures === 0) this.#openNow()
  }

  #openNow(): void {
    if (this.#closed || this.#current) return
    const { ear, clock, language } = this.#options
    // Events of an ear that has failed or was replaced do not count, and an ear may fail before listen() has returned.
    const opening = Symbol('ear')
    this.#current = opening
    const listening = ear.listen(language(), clock, (event) => {
      if (this.#current === opening) this.#take(event)
    })
    if (this.#current === opening) this.#listening = listening
    else listening.close()
  }

  push(frame: Frame): void {
    this.#listening?.push(frame)
  }

  finalize(): void {
    this.#listening?.finalize()
  }

  close(): void {
    this.#closed = true
    this.#letGo()
  }

  #take(event: EarEvent): void {
    if (event.type !== 'failed') {
      this.#failures = 0
      return this.#options.onEvent(event)
    }
    const { ear, log, after, onLost } = this.#options
    log.error({ ear: ear.name, why: event.message }, 'ear failed')
    this.#letGo()
    this.#failures++
    if (this.#failures >= EAR_FAILURES_MAX) return onLost()
    after(Math.min(EAR_REOPEN_MAX_MS, EAR_REOPEN_MS * 2 ** (this.#failures - 1)), () => this.#openNow())
  }

  #letGo(): void {
    this.#current = null
    this.#listening?.close()
    this.#listening = null
  }
}
