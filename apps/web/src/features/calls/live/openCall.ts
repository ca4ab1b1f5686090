import { useSyncExternalStore } from 'react'

/** Which call is being watched. It is remembered in the tab, so that loading the page again shows it again. */
const STORAGE_KEY = 'parley.openCall'

const watchers = new Set<() => void>()
let openId = remembered()

export function openCall(id: string): void {
  change(id)
}

export function closeCall(): void {
  change(null)
}

export function useOpenCall(): string | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    () => openId,
  )
}

function change(id: string | null): void {
  openId = id
  try {
    if (id === null) sessionStorage.removeItem(STORAGE_KEY)
    else sessionStorage.setItem(STORAGE_KEY, id)
  } catch {
    // Without storage the view closes when the page is loaded again; the bar still leads to the call.
  }
  for (const watcher of watchers) watcher()
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY)
  } catch {
    return null
  }
}
