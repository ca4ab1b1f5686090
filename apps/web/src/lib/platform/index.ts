import type { Platform } from './port.ts'
import { web } from './web.ts'
export { AppleUnavailable, type PickedContact, type Platform } from './port.ts'

let current: Platform = web

/** The device that this page runs on. */
export function platform(): Platform {
  return current
}

/** The URL of a path of the api. */
export function apiUrl(path: string): string {
  return `${current.apiBase}${path}`
}

/** Before the first request: in a shell loads the native side and its session. */
export async function startPlatform(): Promise<void> {
  const shell: unknown = Reflect.get(globalThis, 'Capacitor')
  if (!isShell(shell)) return
  const { startNative } = await import('./native/index.ts')
  setPlatform((await startNative()).side)
}

/** What Capacitor puts on window before the page starts; see native/bridge.ts. */
function isShell(capacitor: unknown): boolean {
  return typeof capacitor === 'object' && capacitor !== null && 'nativePromise' in capacitor
}

/** Used by tests too: without an argument the page is on the web again. */
export function setPlatform(next: Platform = web): void {
  current = next
}
