import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DialedCalls } from './session/call/calls.ts'

/** For rehearsals: no call is remembered beyond its process. */
export const noJournal: DialedCalls = { dials: () => undefined, dialedBefore: () => false }

/** As many as a day of calls, and more. */
const KEPT = 20_000

/**
 * Which calls were given to the carrier, written down before they are: after a crash it is known of every order whether
 * somebody's telephone may have rung. Written at once and not flushed, it outlives this process, not the machine.
 */
export class Journal implements DialedCalls {
  readonly #file: string
  readonly #earlier: ReadonlySet<string>

  constructor(dir: string) {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    this.#file = join(dir, 'dialed-calls')
    const kept = idsIn(this.#file).slice(-KEPT)
    this.#earlier = new Set(kept)
    writeFileSync(`${this.#file}.new`, kept.map(lineOf).join(''), { mode: 0o600 })
    renameSync(`${this.#file}.new`, this.#file)
  }

  /** Throws when it cannot be written down: then the call must not be dialed. */
  dials(callId: string): void {
    appendFileSync(this.#file, lineOf(callId))
  }

  /** Whether an earlier process gave it to the carrier. */
  dialedBefore(callId: string): boolean {
    return this.#earlier.has(callId)
  }
}

function lineOf(callId: string): string {
  return `${JSON.stringify(callId)}\n`
}

/** A last line that a crash cut off is of a call that was not dialed yet. */
function idsIn(file: string): string[] {
  return textOf(file)
    .split('\n')
    .flatMap((line) => {
      try {
        return [String(JSON.parse(line))]
      } catch {
        return []
      }
    })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
