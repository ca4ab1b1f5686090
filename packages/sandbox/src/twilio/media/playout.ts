import { FRAME_BYTES, SILENCE_BYTE } from '@parley/voice-ports'

/** Ten minutes: a sender that is further ahead has lost its way. */
const BYTES_MAX = 8000 * 600
const MARKS_MAX = 10_000
const COMPACT_FROM = 64

type Item =
  | { readonly type: 'audio'; readonly audio: Uint8Array; at: number }
  | { readonly type: 'mark'; readonly name: string }

export interface Played {
  /** 20 ms, filled up with silence; null: there is none. */
  readonly audio: Uint8Array | null
  /** Marks that everything before was played for. */
  readonly marks: readonly string[]
}

/** What a customer sent and the callee has not heard yet: audio of any length and marks, in their order. */
export class Buffered {
  #items: Item[] = []
  #head = 0
  #bytes = 0
  #marks = 0
  /** Marks within the frame that is being played. */
  #passed: string[] = []

  get bytes(): number {
    return this.#bytes
  }

  /** False: it is full. */
  add(audio: Uint8Array): boolean {
    if (this.#bytes + audio.length > BYTES_MAX) return false
    this.#bytes += audio.length
    if (audio.length > 0) this.#items.push({ type: 'audio', audio, at: 0 })
    return true
  }

  /** False: it is full. */
  mark(name: string): boolean {
    if (this.#marks >= MARKS_MAX) return false
    this.#marks++
    this.#items.push({ type: 'mark', name })
    return true
  }

  /** Drops the audio; returns the marks that were pending. */
  clear(): string[] {
    const names = this.#items.slice(this.#head).flatMap((item) => (item.type === 'mark' ? [item.name] : []))
    const pending = [...this.#passed, ...names]
    this.#items = []
    this.#passed = []
    this.#head = this.#bytes = this.#marks = 0
    return pending
  }

  /** Moves on by 20 ms. */
  next(): Played {
    const marks = this.#passed
    this.#passed = []
    this.#takeMarks(marks)
    const first = this.#items[this.#head]
    const audio = first ? this.#frame() : null
    if (this.#head >= COMPACT_FROM || this.#head === this.#items.length) this.#compact()
    return { audio, marks }
  }

  #compact(): void {
    if (this.#head > 0) this.#items.splice(0, this.#head)
    this.#head = 0
  }

  #takeMarks(into: string[]): void {
    for (let item = this.#items[this.#head]; item?.type === 'mark'; item = this.#items[this.#head]) {
      into.push(item.name)
      this.#marks--
      this.#head++
    }
  }

  #frame(): Uint8Array {
    return this.#wholeFrame() ?? this.#filledFrame()
  }

  /** As most sound comes: the next 20 ms lie within one piece, and no mark lies within them. */
  #wholeFrame(): Uint8Array | null {
    const item = this.#items[this.#head]
    if (item?.type !== 'audio' || item.at + FRAME_BYTES > item.audio.length) return null
    const frame = item.audio.subarray(item.at, item.at + FRAME_BYTES)
    item.at += FRAME_BYTES
    this.#bytes -= FRAME_BYTES
    if (item.at === item.audio.length) this.#head++
    return frame
  }

  #filledFrame(): Uint8Array {
    const frame = new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
    for (let filled = 0; filled < FRAME_BYTES;) {
      this.#takeMarks(this.#passed)
      const item = this.#items[this.#head]
      if (item?.type !== 'audio') break
      const part = item.audio.subarray(item.at, item.at + FRAME_BYTES - filled)
      frame.set(part, filled)
      filled += part.length
      item.at += part.length
      this.#bytes -= part.length
      if (item.at === item.audio.length) this.#head++
    }
    return frame
  }
}
