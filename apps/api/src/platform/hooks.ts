import type { Tx } from './db.ts'

/** What a room's events tell, by event: `{ ended: [call: CallRow, available: number] }`. */
type Events<E> = { readonly [K in keyof E]: readonly unknown[] }

/** What to do at which event, in the transaction that writes the fact. */
type Listeners<E extends Events<E>> = { readonly [K in keyof E]?: (tx: Tx, ...told: E[K]) => Promise<void> }

export interface Hooks<E extends Events<E>> {
  /** For rooms that are built later, as long as the process lives. */
  on(listeners: Listeners<E>): void
  /** Runs listeners one after the other, in the order in which they were added. The first error ends `tx`. */
  run<K extends keyof E>(event: K, tx: Tx, ...told: E[K]): Promise<void>
}

/** How a room lets later rooms, which it does not know, write what follows from its facts. */
export function createHooks<E extends Events<E>>(): Hooks<E> {
  const added: Listeners<E>[] = []
  return {
    on: (listeners) => void added.push(listeners),
    async run(event, tx, ...told) {
      for (const listeners of added) await listeners[event]?.(tx, ...told)
    },
  }
}
