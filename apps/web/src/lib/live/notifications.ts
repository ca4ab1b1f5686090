import { useSyncExternalStore } from 'react'
import { platform } from '../platform/index.ts'

/**
 * Whether this device announces ended calls and questions. `unasked`: not asked yet; `denied`: by the browser or phone; `off`: by the user.
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

/** Whether they come while the page is closed too; undefined while that is not known. */
export function useReachesClosed(): boolean | undefined {
  return useSyncExternalStore(
    (watcher) => platform().notices.onReach(watcher),
    () => platform().notices.reachesClosed(),
  )
}

/**
 * With the first call, in its click handler. A phone is not asked: who refuses there is never asked again, so only the
 * switch in Settings asks.
 */
export async function offerNotifications(): Promise<void> {
  if (platform().where === 'browser') await requestNotifications()
}

/** Asks for permission once. */
async function requestNotifications(): Promise<void> {
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
