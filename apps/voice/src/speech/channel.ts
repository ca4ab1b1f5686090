/** Hands items over to one reader. */
export class Channel<T> {
  #items: T[] = []
  #wake: (() => void) | null = null
  #over = false
  #error: Error | null = null

  get isOver(): boolean {
    return this.#over
  }

  push(item: T): void {
    if (this.#over) return
    this.#items.push(item)
    this.#wake?.()
  }

  /** What was pushed before is still read. */
  end(error: Error | null = null): void {
    if (this.#over) return
    this.#over = true
    this.#error = error
    this.#wake?.()
  }

  /** Ends at once and without an error when it is aborted. */
  async *read(signal: AbortSignal): AsyncGenerator<T> {
    const wake = () => this.#wake?.()
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        const [item] = this.#items.splice(0, 1)
        if (item !== undefined) yield item
        else if (this.#error) throw this.#error
        else if (this.#over) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      signal.removeEventListener('abort', wake)
      this.#items = []
    }
  }
}
