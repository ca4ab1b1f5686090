import { Buffer } from 'node:buffer'
import { complete, contentLength, type Head, MESSAGE_MAX_BYTES, parseHead, type Parsed } from './message.ts'

/** What a stream brought: messages, and whether the far end asked for a sign of life (RFC 5626 section 4.4.1). */
export type Framed =
  | { readonly type: 'message'; readonly parsed: Exclude<Parsed, { problem: string }> }
  | { readonly type: 'ping' }
  /** Where the next message begins is not known: the connection must be closed. */
  | { readonly type: 'broken'; readonly problem: string }

interface Due {
  readonly head: Head
  readonly bodyAt: number
  readonly end: number
}

/** Cuts the bytes of a TCP or TLS connection into messages by Content-Length (RFC 3261 section 18.3). */
export class Framer {
  #held: Buffer = Buffer.alloc(0)
  #searched = 0
  /** A message whose body has not come in full. */
  #due: Due | null = null
  #broken = false

  push(chunk: Buffer): Framed[] {
    if (this.#broken) return []
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const found: Framed[] = []
    for (let next = this.#next(); next !== null; next = this.#next()) {
      found.push(next)
      if (next.type === 'broken') this.#broken = true
      if (this.#broken) break
    }
    return found
  }

  #next(): Framed | null {
    if (this.#due === null && this.#skipEmptyLines()) return { type: 'ping' }
    const due = this.#due ?? this.#readHead()
    if (due === null || 'problem' in due) return due === null ? null : { type: 'broken', ...due }
    this.#due = due
    const { head, bodyAt, end } = due
    if (this.#held.length < end) return null
    const parsed = complete(head, this.#held.toString('utf8', bodyAt, end))
    this.#held = this.#held.subarray(end)
    this.#due = null
    this.#searched = 0
    return 'problem' in parsed ? { type: 'broken', problem: parsed.problem } : { type: 'message', parsed }
  }

  #readHead(): Due | { readonly problem: string } | null {
    const headEnd = this.#held.indexOf('\r\n\r\n', this.#searched)
    if (headEnd < 0) {
      // The mark may be cut in two.
      this.#searched = Math.max(0, this.#held.length - 3)
      return this.#held.length > MESSAGE_MAX_BYTES ? { problem: 'too long' } : null
    }
    const head = parseHead(this.#held.toString('utf8', 0, headEnd))
    if ('problem' in head) return head
    const length = contentLength(head.headers)
    if (typeof length !== 'number') return { problem: 'Content-Length' }
    const end = headEnd + 4 + length
    return end > MESSAGE_MAX_BYTES ? { problem: 'too long' } : { head, bodyAt: headEnd + 4, end }
  }

  /** Drops empty lines between messages; true: two at once, which is a ping. */
  #skipEmptyLines(): boolean {
    if (this.#held.length >= 4 && this.#held.indexOf('\r\n\r\n') === 0) {
      this.#held = this.#held.subarray(4)
      return true
    }
    while (this.#held.length > 2 && this.#held[0] === 0x0d && this.#held[1] === 0x0a && this.#held[2] !== 0x0d)
      this.#held = this.#held.subarray(2)
    if (this.#held.length === 2 && this.#held[0] === 0x0d && this.#held[1] === 0x0a) this.#held = Buffer.alloc(0)
    return false
  }
}
