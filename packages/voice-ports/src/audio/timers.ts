interface Timer {
  readonly dueMs: number
  readonly order: number
  task: (() => void) | null
}

/** Timers ordered by due time, then by insertion. */
export class TimerQueue {
  readonly #heap: Timer[] = []
  #orders = 0

  /** Returns the timer's cancellation. */
  add(dueMs: number, task: () => void): () => void {
    const timer: Timer = { dueMs, order: this.#orders++, task }
    this.#heap.push(timer)
    this.#rise(this.#heap.length - 1)
    return () => {
      timer.task = null
    }
  }

  nextDueMs(): number | null {
    while (this.#heap[0]?.task === null) this.#removeFirst()
    return this.#heap[0]?.dueMs ?? null
  }

  /** Runs the timers due by `dueMs`; those added meanwhile wait for the next call. */
  runDue(dueMs: number): void {
    const setBefore = this.#orders
    for (let first = this.#heap[0]; first && first.dueMs <= dueMs && first.order < setBefore; first = this.#heap[0]) {
      this.#removeFirst()
      first.task?.()
    }
  }

  #removeFirst(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#sink(0)
  }

  #before(a: number, b: number): boolean {
    const left = this.#heap[a]
    const right = this.#heap[b]
    if (!left || !right) return left !== undefined
    return left.dueMs < right.dueMs || (left.dueMs === right.dueMs && left.order < right.order)
  }

  #swap(a: number, b: number): void {
    const left = this.#heap[a]
    const right = this.#heap[b]
    if (!left || !right) return
    this.#heap[a] = right
    this.#heap[b] = left
  }

  #rise(start: number): void {
    for (let at = start; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(start: number): void {
    for (let at = start; ;) {
      const left = 2 * at + 1
      const smaller = this.#before(left + 1, left) ? left + 1 : left
      if (!this.#before(smaller, at)) return
      this.#swap(at, smaller)
      at = smaller
    }
  }
}
