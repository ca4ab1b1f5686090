import type { Call } from '@parley/contract'
import { useSyncExternalStore } from 'react'

// Kept apart from the lists that lead to it: a newer call may push a line out of its list while its details are being
// read.
const watchers = new Set<() => void>()
let viewed: Call | undefined

export function viewCall(call: Call): void {
  change(call)
}

export function closeViewedCall(): void {
  change(undefined)
}

/** The call whose details are being read. */
export function useViewedCall(): Call | undefined {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    () => viewed,
  )
}

function change(call: Call | undefined): void {
  viewed = call
  for (const watcher of watchers) watcher()
}
