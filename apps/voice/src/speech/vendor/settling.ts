import { afterReading, type Clock } from '@parley/voice-ports'

interface Asked {
  readonly positionMs: number
  readonly cancel: () => void
}

/** Each finalize() at its place in the sound, until its words are final; a vendor that does not answer is not waited for. */
export class Settling {
  readonly #clock: Clock
  readonly #withinMs: number
  readonly #onSettled: () => void
  readonly #onLate: () => void
  #asked: Asked[] = []

  /** `onLate`: what was heard so far has to be final now; `settled` follows. */
  constructor(clock: Clock, withinMs: number, onSettled: () => void, onLate: () => void) {
    this.#clock = clock
    this.#withinMs = withinMs
    this.#onSettled = onSettled
    this.#onLate = onLate
  }

  get isOwed(): boolean {
    return this.#asked.length > 0
  }

  /** Where the first unanswered one stands in the sound. */
  get positionMs(): number | null {
    return this.#asked[0]?.positionMs ?? null
  }

  ask(positionMs: number): void {
    const cancel = afterReading(this.#clock, this.#withinMs, () => {
      this.#onLate()
      this.#settle()
    })
    this.#asked.push({ positionMs, cancel })
  }

  /** The sound up to here is final. */
  coveredUntil(positionMs: number): void {
    while (this.#asked[0] && this.#asked[0].positionMs <= positionMs) this.#settle()
  }

  /** The connection says no more. */
  settleAll(): void {
    while (this.#asked.length > 0) this.#settle()
  }

  close(): void {
    for (const { cancel } of this.#asked.splice(0)) cancel()
  }

  #settle(): void {
    const asked = this.#asked.shift()
    if (!asked) return
    asked.cancel()
    this.#onSettled()
  }
}
