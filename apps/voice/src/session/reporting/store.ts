import type { Fact } from '@parley/contract'
import type { Logger } from 'pino'

/** Where the facts of one call are kept until the api has them. */
export interface FactStore {
  /** Resolves when the facts outlive a crash of the machine; rejects when they could not be written. */
  append(facts: readonly Fact[]): Promise<void>
  /** The api has everything up to this number. */
  taken(seq: number): void
  /** Facts that are not sent any more, for a person to look at. */
  setAside(facts: readonly Fact[], why: string): void
  /** Nothing is left to send. */
  done(): void
  /** What is left is for the next process. */
  close(): void
}

/** Keeps nothing beyond the process: for rehearsals. */
export function memoryStore(callId: string, log: Logger): FactStore {
  return {
    append: () => Promise.resolve(),
    taken: () => undefined,
    setAside: (facts, why) =>
      log.error({ alarm: 'facts_set_aside', callId, why, types: facts.map(({ type }) => type) }, 'facts lost'),
    done: () => undefined,
    close: () => undefined,
  }
}
