import type { Outcome } from '@parley/contract'

/** The outcome of each objective so far. What an observer finds never replaces what the mind has told since. */
export class Outcomes {
  readonly #list: Outcome[]
  readonly #toldAt: number[]
  #tellings = 0

  constructor(objectives: readonly string[]) {
    this.#list = objectives.map((objective) => ({ objective, status: 'open', quote: null, turn: null }))
    this.#toldAt = objectives.map(() => 0)
  }

  get list(): readonly Outcome[] {
    return [...this.#list]
  }

  /** Grows with everything that the mind tells. */
  get version(): number {
    return this.#tellings
  }

  /** Whether there is such an objective. */
  tell(index: number, outcome: Outcome): boolean {
    if (this.#list[index] === undefined) return false
    this.#list[index] = outcome
    this.#toldAt[index] = ++this.#tellings
    return true
  }

  /** Found by an observer that was asked at that version; false where it is not kept. */
  observe(index: number, outcome: Outcome, askedAt: number): boolean {
    if (this.#list[index] === undefined || (this.#toldAt[index] ?? 0) > askedAt) return false
    this.#list[index] = outcome
    return true
  }
}
