import { areDigits, type Frame, levelDbm0 } from '@parley/voice-ports'

/** Longest queue, a minute: a sender that is further ahead is not pacing. */
const QUEUE_MAX = 3000
const DIGIT_MS = 200
const DIGITS_MAX = 64
/** What w and W wait, as with most carriers. */
const WAITS_MS: Readonly<Record<string, number>> = { w: 500, W: 1000 }
/** A queue that digits have held up catches up with frames that nobody misses. */
const BACKLOG = 10
const QUIET_DBM0 = -55

type Item =
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'digit'; readonly digit: string }

export interface Played {
  readonly frame: Frame | null
  readonly digit: string | null
  /** Marks that everything before was played for. */
  readonly marks: readonly string[]
}

/** What was sent to a phone and not yet played: frames, digits and marks in their order. */
export class Playout {
  #queue: Item[] = []
  #busyUntilMs = -Infinity

  send(frame: Frame): void {
    this.#add({ type: 'frame', frame })
  }

  mark(name: string): void {
    this.#add({ type: 'mark', name })
  }

  sendDigits(digits: string): void {
    if (areDigits(digits)) for (const digit of digits.slice(0, DIGITS_MAX)) this.#add({ type: 'digit', digit })
  }

  clear(): void {
    this.#queue = this.#queue.filter(({ type }) => type === 'digit')
  }

  /** What is played in the 20 ms from here on. Marks behind the last frame come with the next beat. */
  next(nowMs: number): Played {
    const marks: string[] = []
    if (nowMs < this.#busyUntilMs) return { frame: null, digit: null, marks }
    for (let item = this.#queue.shift(); item; item = this.#queue.shift()) {
      switch (item.type) {
        case 'mark':
          marks.push(item.name)
          break
        case 'digit': {
          const waitMs = WAITS_MS[item.digit]
          this.#busyUntilMs = nowMs + (waitMs ?? DIGIT_MS)
          return { frame: null, digit: waitMs === undefined ? item.digit : null, marks }
        }
        case 'frame':
          if (this.#queue.length <= BACKLOG || !isMissable(item.frame)) return { frame: item.frame, digit: null, marks }
      }
    }
    return { frame: null, digit: null, marks }
  }

  #add(item: Item): void {
    if (this.#queue.length < QUEUE_MAX) this.#queue.push(item)
  }
}

const isMissable = ({ audio, text }: Frame) => text === undefined && levelDbm0(audio) < QUIET_DBM0
