import type { Clock } from '@parley/voice-ports'

/** Waits for facts of one leg, each within its own time. */
export class Waiting {
  readonly #clock: Clock
  readonly #looks = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Something may have become true. */
  changed(): void {
    for (const look of this.#looks) look()
  }

  /** Whether it became true within this time. */
  until(holds: () => boolean, withinMs: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (held: boolean) => {
        cancel()
        this.#looks.delete(look)
        resolve(held)
      }
      const look = () => {
        if (holds()) finish(true)
      }
      const cancel = this.#clock.after(withinMs, () => finish(holds()))
      this.#looks.add(look)
    })
  }
}
