import { setPlatform } from '../src/lib/platform/index.ts'
import { startNative } from '../src/lib/platform/native/index.ts'
import { openBridge } from '../src/lib/platform/native/bridge.ts'
import type { Device } from './device.ts'

/** Puts a device's plugins on window as Capacitor does. The real bridge is driven by e2e/shell. */
function plugIn(device: Device): void {
  const listeners = new Map<string, (data: unknown) => void>()
  device.send = (id, data) => listeners.get(id)?.(data)
  Object.assign(globalThis, {
    Capacitor: {
      isNativePlatform: () => true,
      getPlatform: () => device.platform,
      nativePromise: async (plugin: string, method: string, options: Record<string, unknown> = {}) =>
        device.handle({ plugin, method, options }),
      addListener(plugin: string, event: string, listener: (data: unknown) => void) {
        const id = String(listeners.size)
        listeners.set(id, listener)
        device.listen(plugin, event, id)
      },
    },
  })
}

/** The backend of the shell: another host than the page's. */
export const API = 'https://api.parley.example'

/** The page runs in a shell from now on, with the fake server as its backend and these push services. */
export async function enterShell(
  device: Device,
  navigate?: (url: string) => void,
  pushServices: readonly string[] = [],
): Promise<void> {
  plugIn(device)
  for (const [name, content] of [
    ['parley-api', API],
    ['parley-push', pushServices.join(' ')],
  ] as const)
    document.head.append(Object.assign(document.createElement('meta'), { name, content }))
  const { side, stop } = await startNative(openBridge(), navigate)
  stopClicks = stop
  setPlatform(side)
}

let stopClicks: () => void = () => undefined

/** The page is in a browser again. */
export function leaveShell(): void {
  stopClicks()
  setPlatform()
  Reflect.deleteProperty(globalThis, 'Capacitor')
  for (const meta of document.querySelectorAll('meta[name^="parley-"]')) meta.remove()
}
