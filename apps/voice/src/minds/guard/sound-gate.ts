import { createChunker, FRAME_BYTES, FRAME_MS, type MindEvent } from '@parley/voice-ports'

type Sound = Extract<MindEvent, { type: 'sound' }>

/** Fast speech: sound of this length needs at least a letter. */
const LETTER_MS = 55
/** Sound held back while its words are not known; more is refused. */
const HELD_BYTES_MAX = (120_000 / FRAME_MS) * FRAME_BYTES

interface Held {
  readonly event: Sound
  /** Letters of its item up to here. */
  readonly letters: number
}

export interface Passed {
  readonly events: readonly Sound[]
  /** Something was said that may not be: no more sound of the reply is let out. */
  readonly isRefused: boolean
}

/** Lets the sound of a mind out only as far as its words are known and may be said. */
export class SoundGate {
  readonly #mayBeSaid: (text: string, isOpen: boolean) => boolean
  readonly #dropped = new Set<string>()
  #chunker = createChunker()
  #held: Held[] = []
  #heldBytes = 0
  #letters = 0
  #allowed = 0
  #outMs = 0
  #isRefused = false

  constructor(mayBeSaid: (text: string, isOpen: boolean) => boolean) {
    this.#mayBeSaid = mayBeSaid
  }

  get dropped(): readonly string[] {
    return [...this.#dropped]
  }

  drop(itemId: string): void {
    this.#dropped.add(itemId)
  }

  take(event: Sound): Passed {
    const before = this.#held.at(-1)?.event.itemId
    const ended = before !== undefined && before !== event.itemId ? this.end() : { events: [], isRefused: false }
    if (this.#isRefused) {
      this.drop(event.itemId)
      return ended
    }
    const pieces = this.#chunker.push(event.text ?? '')
    this.#letters += event.text?.length ?? 0
    this.#held.push({ event, letters: this.#letters })
    this.#heldBytes += event.audio.length
    for (const { text } of pieces) this.#weigh(text, true)
    if (this.#heldBytes > HELD_BYTES_MAX) this.#isRefused = true
    const events = [...ended.events, ...(this.#isRefused ? this.#refuse() : this.#release(false))]
    return { events, isRefused: this.#isRefused }
  }

  /** The item is complete: what is left of it goes out where all its words may be said. */
  end(): Passed {
    if (this.#held.length === 0 && this.#letters === 0) return { events: [], isRefused: false }
    for (const { text } of this.#chunker.flush()) this.#weigh(text, false)
    // Sound without words cannot be checked.
    if (this.#allowed === 0) this.#isRefused = true
    const events = this.#isRefused ? this.#refuse() : this.#release(true)
    this.#chunker = createChunker()
    this.#letters = this.#allowed = this.#outMs = 0
    return { events, isRefused: this.#isRefused }
  }

  #weigh(text: string, isOpen: boolean): void {
    if (this.#isRefused) return
    if (this.#mayBeSaid(text, isOpen)) this.#allowed += text.length + 1
    else this.#isRefused = true
  }

  #refuse(): Sound[] {
    for (const { event } of this.#held) this.drop(event.itemId)
    this.#held = []
    this.#heldBytes = 0
    return []
  }

  #release(isAll: boolean): Sound[] {
    const events: Sound[] = []
    for (let next = this.#held[0]; next !== undefined; next = this.#held[0]) {
      const ms = (next.event.audio.length / FRAME_BYTES) * FRAME_MS
      const isKnown = next.letters <= this.#allowed && this.#outMs + ms <= this.#allowed * LETTER_MS
      if (!isAll && !isKnown) break
      this.#held.shift()
      this.#heldBytes -= next.event.audio.length
      this.#outMs += ms
      events.push(next.event)
    }
    return events
  }
}
