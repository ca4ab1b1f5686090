import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DialedCalls } from './session/call/calls.ts'

/** For rehearsals: no call is remembered beyond its process. */
export const noJournal: DialedCalls = { dials: () => undefined, dialedBefore: () => false }

/** More than the calls of a day. */
const KEPT = 20_000

/**
 * Records each call before the carrier gets it, so that after a crash the service knows which phones may have rung.
 * Written synchronously without fsync: survives a crash of the process, not of the machine.
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

  /** Throws when it cannot write; the call must then not be dialed. */
  dials(callId: string): void {
    appendFileSync(this.#file, lineOf(callId))
  }

  /** Whether an earlier process gave the call to the carrier. */
  dialedBefore(callId: string): boolean {
    return this.#earlier.has(callId)
  }
}

function lineOf(callId: string): string {
  return `${JSON.stringify(callId)}\n`
}

/** Skips a last line cut off by a crash: its call was not dialed yet. */
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
