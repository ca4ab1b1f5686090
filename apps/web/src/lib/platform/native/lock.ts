import type { Lock } from '../port.ts'
import type { Bridge } from './bridge.ts'

const PLUGIN = 'BiometricAuthNative'
const STORAGE_KEY = 'parley.lock'
/** A glance at another app does not lock this one. */
const AWAY_MS = 60_000

/** `now` is in milliseconds. */
export function openLock({ call, listen }: Bridge, now: () => number = Date.now): Lock {
  const listeners = new Set<() => void>()
  let leftMs: number | undefined
  listen('App', 'appStateChange', ({ isActive }) => {
    const isBack = isActive === true && leftMs !== undefined && now() - leftMs >= AWAY_MS
    leftMs = isActive === true ? undefined : (leftMs ?? now())
    if (isBack) for (const listener of listeners) listener()
  })
  return {
    isAvailable: () =>
      call(PLUGIN, 'checkBiometry').then(
        ({ isAvailable, deviceIsSecure }) => isAvailable === true || deviceIsSecure === true,
        () => false,
      ),
    isOn: () => localStorage.getItem(STORAGE_KEY) !== null,
    async setOn(on) {
      if (on) localStorage.setItem(STORAGE_KEY, 'on')
      else localStorage.removeItem(STORAGE_KEY)
    },
    unlock: (reason) =>
      call(PLUGIN, 'internalAuthenticate', { reason, androidTitle: reason, allowDeviceCredential: true }).then(
        () => true,
        () => false,
      ),
    onReturn(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
