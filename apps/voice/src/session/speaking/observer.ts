import type { Outcome } from '@parley/contract'
import type { Asked, Mind, Usage } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { OBSERVING_MS } from '../limits.ts'
import type { Outcomes } from './outcomes.ts'

export interface ObserverOptions {
  readonly mind: Mind
  readonly outcomes: Outcomes
  /** The question about the callee's last turn; null when there is none. */
  readonly question: () => Asked | null
  readonly log: Logger
  readonly events: {
    outcomes(outcomes: readonly Outcome[]): void
    language(language: string): void
    optedOut(quote: string): void
    usage(usage: Usage): void
  }
}

/** The mind's second look at each turn of the callee, beside the speaking: one at a time, the last turn always. */
export class Observer {
  readonly #options: ObserverOptions
  readonly #abort = new AbortController()
  #running: Promise<void> | null = null
  #again = false
  #ended = false

  constructor(options: ObserverOptions) {
    this.#options = options
  }

  /** The callee's turn is over. */
  look(): void {
    if (this.#ended || !this.#options.mind.observe) return
    this.#again = true
    this.#running ??= this.#run().finally(() => (this.#running = null))
  }

  /** The call is over: what is under way may still tell its outcome, for a while. */
  async end(budgetMs: number): Promise<void> {
    this.#ended = true
    this.#again = false
    if (!this.#running) return
    const timer = setTimeout(() => this.#abort.abort(), budgetMs)
    await Promise.race([this.#running, aborted(this.#abort.signal)])
    clearTimeout(timer)
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false
      const asked = this.#options.question()
      if (asked) await this.#observe(asked)
    }
  }

  async #observe(asked: Asked): Promise<void> {
    const { mind, outcomes, events, log } = this.#options
    const askedAt = outcomes.version
    const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(OBSERVING_MS)])
    const take = async () => {
      for await (const event of mind.observe?.(asked, signal) ?? []) {
        if (signal.aborted) return
        if (event.type === 'usage') events.usage(event)
        else if (event.type === 'outcome') {
          const isKept = outcomes.observe(event.index, event.outcome, askedAt)
          // After the call the conclusion tells them.
          if (isKept && !this.#ended) events.outcomes(outcomes.list)
        } else if (this.#ended) continue
        else if (event.type === 'language') events.language(event.language)
        else events.optedOut(event.quote)
      }
    }
    try {
      // One that does not heed its signal must not keep later turns from being looked at.
      await Promise.race([take(), aborted(signal)])
    } catch (error) {
      log.warn({ mind: mind.name, err: error }, 'observation failed')
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
