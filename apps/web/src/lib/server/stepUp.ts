import { useSyncExternalStore } from 'react'

/** Told whether the person proved who they are. */
type Settle = (proven: boolean) => void

let hosts = 0
let waiting: { readonly proven: Promise<boolean>; readonly settle: Settle } | undefined
const listeners = new Set<() => void>()

/**
 * Asks the person to confirm that it is them, in one dialog for all that waits for it. False: they would not, or
 * nothing can ask.
 */
export async function askForProof(): Promise<boolean> {
  if (hosts === 0) return false
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    waiting = { proven: promise, settle: resolve }
    for (const listener of listeners) listener()
  }
  return waiting.proven
}

export function settleProof(proven: boolean): void {
  waiting?.settle(proven)
  waiting = undefined
  for (const listener of listeners) listener()
}

/** For the one place that shows the dialog. Whatever waits when it goes is not proven any more. */
export function useProofAsked(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== undefined)
}

function subscribe(listener: () => void): () => void {
  hosts++
  listeners.add(listener)
  return () => {
    hosts--
    listeners.delete(listener)
    if (hosts === 0) settleProof(false)
  }
}
