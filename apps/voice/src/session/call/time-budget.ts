import { SECONDS_PER_CREDIT } from '@parley/contract'

const CREDIT_MS = SECONDS_PER_CREDIT * 1000
const creditsOf = (connectedMs: number) => Math.ceil(connectedMs / CREDIT_MS)

/** How long the legs of a call may last: each is charged by the minute begun, and all of them from one hold. */
export class TimeBudget {
  readonly #limitMs: number
  /** Of other legs that are over. */
  #spentCredits = 0

  constructor(limitSeconds: number) {
    this.#limitMs = limitSeconds * 1000
  }

  /** How long the first leg may last, once no other leg is connected. */
  get limitMs(): number {
    const left = Math.floor(this.#limitMs / CREDIT_MS) - this.#spentCredits
    return this.#spentCredits === 0 ? this.#limitMs : Math.max(0, left * CREDIT_MS)
  }

  /**
   * How long the first leg, connected since `elapsedMs`, and another one can last together from now on: the most that
   * any split of the credits gives.
   */
  sharedMs(elapsedMs: number): number {
    const credits = Math.floor(this.#limitMs / CREDIT_MS) - this.#spentCredits
    let mostMs = 0
    for (let other = 1; other < credits; other++)
      mostMs = Math.max(mostMs, Math.min(other * CREDIT_MS, (credits - other) * CREDIT_MS - elapsedMs))
    return mostMs
  }

  /** Another leg is over. */
  spend(connectedMs: number): void {
    this.#spentCredits += creditsOf(connectedMs)
  }
}
