import { mkdirSync, readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type FactStore, memoryStore } from '../session/reporting/store.ts'
import { standIn } from '../session/reporting/report.ts'
import { FactFile } from './fact-file.ts'
import { type FactHead, type KeptFacts, readLines } from './fact-lines.ts'
import { Quarantine } from './quarantine.ts'

const SUFFIX = '.jsonl'
/** Facts of one call that a restart sends. */
const NUMBERS_MAX = 100_000

/** A call of an earlier process: its facts have no gaps after `taken`. */
export interface LeftCall extends KeptFacts {
  readonly callId: string
}

export interface FactKeeping {
  storeFor(callId: string, head: FactHead): FactStore
  /** Whether facts of an earlier process are still under way for this call. */
  isLeft(callId: string): boolean
  left(): AsyncIterable<LeftCall>
}

/** For rehearsals: no fact is kept beyond its process. */
export function keepNoFacts(log: Logger): FactKeeping {
  return {
    storeFor: (callId) => memoryStore(callId, log),
    isLeft: () => false,
    async *left() {},
  }
}

/** Facts on their way to the api, in a file a call under the data directory. */
export class FactSpool implements FactKeeping {
  readonly #dir: string
  readonly #log: Logger
  readonly #quarantine: Quarantine
  readonly #left: Set<string>

  constructor(dataDir: string, log: Logger) {
    this.#dir = join(dataDir, 'facts-under-way')
    this.#log = log
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    this.#quarantine = new Quarantine(join(dataDir, 'facts-set-aside.jsonl'), log)
    const names = readdirSync(this.#dir).filter((name) => name.endsWith(SUFFIX))
    this.#left = new Set(names.map((name) => decodeURIComponent(name.slice(0, -SUFFIX.length))))
  }

  storeFor(callId: string, head: FactHead): FactFile {
    const onDone = () => void this.#left.delete(callId)
    return new FactFile({ path: this.#pathOf(callId), callId, head, quarantine: this.#quarantine, onDone })
  }

  isLeft(callId: string): boolean {
    return this.#left.has(callId)
  }

  async *left(): AsyncGenerator<LeftCall> {
    for (const callId of this.#left) {
      const text = await readFile(this.#pathOf(callId), 'utf8').catch((error: unknown) => {
        this.#log.error({ alarm: 'facts_not_read', callId, err: error }, 'facts of an earlier run')
        return null
      })
      const kept = readLines(text ?? '')
      const facts = this.#withoutGaps(callId, kept)
      if (facts.length > 0) yield { ...kept, facts, callId }
      else {
        this.#left.delete(callId)
        // Nothing but a line that was cut off: the api asks about the call.
        if (text !== null) await rm(this.#pathOf(callId), { force: true })
      }
    }
  }

  /** The api takes nothing after a gap: stand-ins take the numbers of what cannot be read. */
  #withoutGaps(callId: string, { facts, taken, unreadable }: KeptFacts): KeptFacts['facts'] {
    this.#quarantine.add(callId, unreadable, 'It is not as the contract says, after a restart.')
    const known = facts.filter(({ seq }) => seq <= taken)
    const bySeq = new Map(facts.map((fact) => [fact.seq, fact]))
    const lastSeq = Math.max(0, ...unreadable.map(({ seq }) => seq), facts.at(-1)?.seq ?? 0)
    for (let seq = taken + 1; seq <= Math.min(lastSeq, taken + NUMBERS_MAX); seq++) {
      const fact = bySeq.get(seq)
      const before = known.at(-1) ?? facts[0]
      if (fact) known.push(fact)
      else if (before) {
        this.#log.error({ alarm: 'fact_missing', callId, seq }, 'a fact was not in its file')
        known.push(standIn({ ...before, seq }))
      }
    }
    return known
  }

  #pathOf(callId: string): string {
    return join(this.#dir, `${encodeURIComponent(callId)}${SUFFIX}`)
  }
}
