import { areDigits, type Frame } from '@parley/voice-ports'

/** 30 s. Whoever sends faster than real time for longer loses what is oldest. */
const ITEMS_MAX = 1500
const DIGITS_MAX = 256
/** w and W wait half a second and a second. */
const SHORT_PAUSE_TICKS = 25
const LONG_PAUSE_TICKS = 50

export type OutItem =
  | { readonly type: 'frame'; readonly audio: Uint8Array }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'pause'; readonly ticks: number }

/** What is to be played, in its order. */
export class Outbox {
  #items: OutItem[] = []
  #first = 0
  #digits = 0
  #dropped = 0

  get dropped(): number {
    return this.#dropped
  }

  send(frame: Frame): void {
    this.#push({ type: 'frame', audio: frame.audio })
  }

  mark(name: string): void {
    this.#push({ type: 'mark', name })
  }

  sendDigits(digits: string): void {
    if (!areDigits(digits) || this.#digits + digits.length > DIGITS_MAX) return
    this.#digits += digits.length
    for (const digit of digits) {
      if (digit === 'w') this.#push({ type: 'pause', ticks: SHORT_PAUSE_TICKS })
      else if (digit === 'W') this.#push({ type: 'pause', ticks: LONG_PAUSE_TICKS })
      else this.#push({ type: 'digit', digit })
    }
  }

  /** Drops sound and marks; digits stay. */
  clear(): void {
    this.#items = this.#items.slice(this.#first).filter(isDialed)
    this.#first = 0
  }

  get next(): OutItem | undefined {
    return this.#items[this.#first]
  }

  take(): OutItem | undefined {
    const item = this.#items[this.#first]
    if (!item) return undefined
    if (isDialed(item)) this.#digits--
    // Shifted in bulk: taking one item costs the same however many wait.
    if (++this.#first >= 64 || this.#first === this.#items.length) {
      this.#items.splice(0, this.#first)
      this.#first = 0
    }
    return item
  }

  #push(item: OutItem): void {
    this.#items.push(item)
    if (this.#items.length - this.#first <= ITEMS_MAX) return
    this.#dropped++
    this.take()
  }
}

const isDialed = ({ type }: OutItem): boolean => type === 'digit' || type === 'pause'
