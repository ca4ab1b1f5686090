import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Fact } from '@parley/contract'
import type { FactStore } from '../session/reporting/store.ts'
import { compacted, type FactHead, headLine, lineOf, readLines } from './fact-lines.ts'
import type { Quarantine } from './quarantine.ts'

const COMPACTED_FROM_BYTES = 1024 * 1024

export interface FactFileOptions {
  readonly path: string
  readonly callId: string
  readonly head: FactHead
  readonly quarantine: Quarantine
  /** Told once, when the file is gone. */
  readonly onDone: () => void
  readonly compactedFromBytes?: number
}

/**
 * The facts of one call in a file that only grows. What the api has stays until the call is over: after a crash, the
 * words and the answer are needed to end the call.
 */
export class FactFile implements FactStore {
  readonly #options: FactFileOptions
  #handle: FileHandle | null = null
  #last: Promise<unknown> = Promise.resolve()
  /** The last line may be cut off, by an earlier process or a full disk. */
  #torn = true
  #headed = false
  #bytes = 0
  #compactAtBytes: number
  #over = false

  constructor(options: FactFileOptions) {
    this.#options = options
    this.#compactAtBytes = options.compactedFromBytes ?? COMPACTED_FROM_BYTES
  }

  append(facts: readonly Fact[]): Promise<void> {
    return this.#next(async () => {
      await this.#write(facts.map((fact) => lineOf({ fact })).join(''))
      await this.#handle?.datasync()
    })
  }

  /** Not synced: a fact that is sent again changes nothing. */
  taken(seq: number): void {
    this.#next(async () => {
      await this.#write(lineOf({ taken: seq }))
      if (this.#bytes > this.#compactAtBytes) await this.#compact()
    }).catch(() => (this.#torn = true))
  }

  setAside(facts: readonly Fact[], why: string): void {
    this.#options.quarantine.add(this.#options.callId, facts, why)
  }

  done(): void {
    const { path, onDone } = this.#options
    this.#end(() => rm(path, { force: true }).then(onDone))
  }

  close(): void {
    this.#end(() => Promise.resolve())
  }

  #end(task: () => Promise<void>): void {
    this.#next(async () => {
      await this.#handle?.close()
      this.#handle = null
      await task()
    }).catch(() => undefined)
    this.#over = true
  }

  /** One after the other; after the end nothing is written. */
  #next(task: () => Promise<void>): Promise<void> {
    if (this.#over) return Promise.resolve()
    const run = this.#last.then(task)
    this.#last = run.catch(() => undefined)
    return run
  }

  async #write(lines: string): Promise<void> {
    const { path } = this.#options
    if (!this.#handle) {
      this.#handle = await open(path, 'a', 0o600)
      this.#bytes = (await this.#handle.stat()).size
      await syncFolder(path)
    }
    const head = this.#headed ? '' : headLine(this.#options.head)
    const text = `${this.#torn && this.#bytes > 0 ? '\n' : ''}${head}${lines}`
    this.#torn = true
    await this.#handle.appendFile(text)
    this.#torn = false
    this.#headed = true
    this.#bytes += Buffer.byteLength(text)
  }

  async #compact(): Promise<void> {
    const { path } = this.#options
    const text = compacted(readLines(await readFile(path, 'utf8')))
    const fresh = await open(`${path}.new`, 'w', 0o600)
    await fresh.appendFile(text)
    await fresh.datasync()
    await rename(`${path}.new`, path)
    await this.#handle?.close()
    this.#handle = fresh
    this.#bytes = Buffer.byteLength(text)
    this.#compactAtBytes = Math.max(this.#compactAtBytes, 2 * this.#bytes)
    await syncFolder(path)
  }
}

/** Only then does a new name outlive a crash of the machine. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
