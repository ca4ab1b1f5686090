import { useSyncExternalStore } from 'react'
import { platform } from '../platform/index.ts'

/**
 * Whether this browser announces ended calls. `unasked`: not asked yet; `denied`: by the browser; `off`: by the user.
 */
export type Notifying = 'unsupported' | 'unasked' | 'denied' | 'off' | 'on'

const STORAGE_KEY = 'parley.notifications'
const watchers = new Set<() => void>()

export function notifying(): Notifying {
  const permission = platform().notices.permission()
  if (permission !== 'granted') return permission
  return isSwitchedOff() ? 'off' : 'on'
}

export function useNotifying(): Notifying {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }, notifying)
}

/** Asks for the browser's permission once. Call it in a click handler. */
export async function requestNotifications(): Promise<void> {
  if (notifying() !== 'unasked' || isSwitchedOff()) return
  await platform().notices.ask()
  notifyWatchers()
}

export function setNotifying(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {
    // Without storage the choice is lost; the browser's own setting remains.
  }
  notifyWatchers()
  platform().notices.switched(on)
  if (on) void requestNotifications()
}

/** Shows a notification when the page is not visible. A click opens the call. */
export async function notify(callId: string, title: string, body: string): Promise<void> {
  if (document.visibilityState === 'visible' || notifying() !== 'on') return
  await platform().notices.show({ callId, title, body })
}

function isSwitchedOff(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'off'
  } catch {
    return false
  }
}

function notifyWatchers(): void {
  for (const watcher of watchers) watcher()
}
