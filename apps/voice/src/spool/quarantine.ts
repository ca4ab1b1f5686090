import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs'
import type { Logger } from 'pino'

const MAX_BYTES = 8 * 1024 * 1024
/** They hold what people said. */
const KEPT_MS = 30 * 86_400_000

/**
 * A file of facts that could not be delivered, a line each, for a person to look at. At its bound it replaces the one
 * before it; after a month without an entry it goes.
 */
export class Quarantine {
  readonly #file: string
  readonly #log: Logger
  readonly #maxBytes: number

  constructor(file: string, log: Logger, maxBytes = MAX_BYTES) {
    this.#file = file
    this.#log = log
    this.#maxBytes = maxBytes
    for (const each of [file, this.#former])
      if (Date.now() - (statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > KEPT_MS)
        rmSync(each, { force: true })
  }

  get #former(): string {
    return `${this.#file}.1`
  }

  /** Never throws. The log names the types of the facts, not what was said. */
  add(callId: string, facts: readonly { readonly type: string }[], why: string): void {
    if (facts.length === 0) return
    const types = [...new Set(facts.map(({ type }) => type))]
    this.#log.error({ alarm: 'facts_set_aside', callId, why, count: facts.length, types }, 'facts set aside')
    const setAsideAt = new Date().toISOString()
    const lines = facts.map((fact) => `${JSON.stringify({ callId, setAsideAt, why, fact })}\n`).join('')
    try {
      const bytes = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
      if (bytes > 0 && bytes + Buffer.byteLength(lines) > this.#maxBytes) renameSync(this.#file, this.#former)
      appendFileSync(this.#file, lines, { mode: 0o600 })
    } catch (error) {
      this.#log.error({ alarm: 'facts_lost', callId, err: error }, 'facts could not be set aside')
    }
  }
}
