import type { Clock, Ear, EarEvent, Listening, ListenOptions } from '@parley/voice-ports'
import type { Line } from './line.ts'

/** Between the end of the ear and the conclusion, which is written over the same session. */
const LINGER_MS = 30_000
/** A call that is only thought about, as where another ear hears it. */
const IDLE_MS = 900_000
/** Failed replies in a row, after which the call goes on without the vendor. */
const FAILURES_MAX = 2

interface Joined {
  readonly line: Line
  readonly items: Set<string>
  isHeard: boolean
  /** Replies in a row that failed. */
  failures: number
  expires: () => void
}

/** The lines of the calls under way: joins ear and mind of a call, which are one session at the vendor. */
export class Calls {
  readonly #open: () => Line
  readonly #clock: Clock
  readonly #joined = new Map<string, Joined>()
  readonly #byItem = new Map<string, Line>()

  constructor(open: () => Line, clock: Clock) {
    this.#open = open
    this.#clock = clock
  }

  get count(): number {
    return this.#joined.size
  }

  /** Opened at the first use. */
  of(callId: string): Line {
    return this.#get(callId).line
  }

  listen(callId: string, options: ListenOptions, onEvent: (event: EarEvent) => void): Listening {
    const joined = this.#get(callId)
    joined.isHeard = true
    const listening = joined.line.listen(options, onEvent)
    return {
      push: (frame) => listening.push(frame),
      finalize: () => listening.finalize(),
      setLanguage: (language) => listening.setLanguage(language),
      close: () => {
        listening.close()
        joined.isHeard = false
        this.#keep(callId, joined, LINGER_MS)
      },
    }
  }

  /** The line that made this item of sound. */
  made(itemId: string): Line | undefined {
    return this.#byItem.get(itemId)
  }

  remember(callId: string, itemId: string): void {
    const joined = this.#joined.get(callId)
    if (!joined || this.#byItem.has(itemId)) return
    joined.items.add(itemId)
    this.#byItem.set(itemId, joined.line)
  }

  replied(callId: string, isGood: boolean): void {
    const joined = this.#joined.get(callId)
    if (joined) joined.failures = isGood ? 0 : joined.failures + 1
  }

  /** Whether nothing more is to be expected of the vendor in this call. */
  isLost(callId: string): boolean {
    const { line, failures } = this.#get(callId)
    return line.isGivenUp || failures >= FAILURES_MAX
  }

  close(callId: string): void {
    const joined = this.#joined.get(callId)
    if (!joined) return
    this.#joined.delete(callId)
    joined.expires()
    for (const itemId of joined.items) this.#byItem.delete(itemId)
    joined.line.close()
  }

  #get(callId: string): Joined {
    const known = this.#joined.get(callId)
    if (known) {
      this.#keep(callId, known, IDLE_MS)
      return known
    }
    const fresh = { items: new Set<string>(), isHeard: false, failures: 0, expires: () => undefined }
    const joined: Joined = { line: this.#open(), ...fresh }
    this.#joined.set(callId, joined)
    this.#keep(callId, joined, IDLE_MS)
    return joined
  }

  /** Nothing of a call is kept for ever. */
  #keep(callId: string, joined: Joined, forMs: number): void {
    joined.expires()
    joined.expires = this.#clock.after(forMs, () => {
      if (joined.isHeard) this.#keep(callId, joined, IDLE_MS)
      else if (this.#joined.get(callId) === joined) this.close(callId)
    })
  }
}

/** An ear that is the same session as the mind of its call. */
export function earOf(name: string, settlesWithinMs: number, calls: Calls): Ear {
  let strangers = 0
  return {
    name,
    settlesWithinMs,
    turns: false,
    listen: (options, _, onEvent) => calls.listen(options.callId ?? `unnamed-${++strangers}`, options, onEvent),
  }
}
