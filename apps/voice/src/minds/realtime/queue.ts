/** Events of one reply from a socket to whoever reads them. */
export class EventQueue<Event> {
  readonly #waiting: Event[] = []
  #wake: (() => void) | null = null
  #over = false
  #error: Error | null = null

  push(event: Event): void {
    if (this.#over) return
    this.#waiting.push(event)
    this.#wake?.()
  }

  /** What was pushed before is still read. */
  end(error: Error | null = null): void {
    if (this.#over) return
    this.#over = true
    this.#error = error
    this.#wake?.()
  }

  /** Ends at once, without an error, when the signal is aborted. */
  async *read(signal: AbortSignal): AsyncGenerator<Event> {
    const wake = () => this.#wake?.()
    signal.addEventListener('abort', wake, { once: true })
    try {
      while (!signal.aborted) {
        const next = this.#waiting.shift()
        if (next !== undefined) {
          yield next
          continue
        }
        if (this.#over) break
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
      if (this.#error && !signal.aborted) throw this.#error
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }
}

/** Whether the promise was settled before the signal was aborted. */
export function settledBefore(promise: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(false)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(() => resolve(!signal.aborted), reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
