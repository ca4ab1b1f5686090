const SIZE = 128

/** Which of the last 128 packet numbers were seen (RFC 3711, section 3.3.2, asks for 64 at least). */
export class ReplayWindow {
  readonly #seen = new Float64Array(SIZE).fill(-1)
  #highest = -1

  /** Whether this number was seen, or is older than the window. */
  has(index: number): boolean {
    return index <= this.#highest - SIZE || this.#seen[index % SIZE] === index
  }

  add(index: number): void {
    this.#seen[index % SIZE] = index
    if (index > this.#highest) this.#highest = index
  }

  clear(): void {
    this.#seen.fill(-1)
    this.#highest = -1
  }
}
