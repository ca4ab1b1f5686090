import { useSyncExternalStore } from 'react'

/**
 * Whether this browser may say that a call has ended. `unasked`: the person has not been asked yet. `denied` is the
 * browser's own no, `off` the person's choice here.
 */
export type Notifying = 'unsupported' | 'unasked' | 'denied' | 'off' | 'on'

const STORAGE_KEY = 'parley.notifications'
const watchers = new Set<() => void>()

export function notifying(): Notifying {
  if (!('Notification' in globalThis) || !('serviceWorker' in navigator)) return 'unsupported'
  const { permission } = Notification
  if (permission === 'default') return 'unasked'
  if (permission === 'denied') return 'denied'
  return isSwitchedOff() ? 'off' : 'on'
}

export function useNotifying(): Notifying {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }, notifying)
}

/** Asks the browser, unless it was asked before. To be called from what a person did. */
export async function requestNotifications(): Promise<void> {
  if (notifying() !== 'unasked' || isSwitchedOff()) return
  await Notification.requestPermission()
  tell()
}

export function setNotifying(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {
    // Without storage the choice cannot be kept; the browser's own switch remains.
  }
  tell()
  if (on) void requestNotifications()
}

/** Says it outside of the page, where the page is not being looked at. A click opens the call. */
export async function notify(callId: string, title: string, body: string): Promise<void> {
  if (document.visibilityState === 'visible' || notifying() !== 'on') return
  const { ready } = navigator.serviceWorker
  const registration = await ready
  await registration.showNotification(title, { body, tag: callId, icon: '/icons/icon-192.png', data: { callId } })
}

function isSwitchedOff(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'off'
  } catch {
    return false
  }
}

function tell(): void {
  for (const watcher of watchers) watcher()
}
