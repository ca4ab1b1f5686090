/** What Capacitor's native side puts on window before the page starts. Its calls name plugin and method. */
interface Capacitor {
  getPlatform(): string
  nativePromise(plugin: string, method: string, options?: object): Promise<unknown>
  addListener(plugin: string, event: string, listener: (data: unknown) => void): unknown
}

/** A plugin's answer or event, with its fields unverified. */
export type Fields = Readonly<Record<string, unknown>>

/** Calls of native plugins. */
export interface Bridge {
  readonly platform: 'ios' | 'android'
  /** Rejects with the plugin's error, also when the plugin is missing. */
  readonly call: (plugin: string, method: string, options?: object) => Promise<Fields>
  /** For calls whose failure the user need not know: a missing motor, an older system. */
  readonly tell: (plugin: string, method: string, options?: object) => void
  readonly listen: (plugin: string, event: string, listener: (data: Fields) => void) => void
}

export function openBridge(): Bridge {
  // Capacitor sets it before the page starts; startPlatform() has seen it.
  const capacitor = Reflect.get(globalThis, 'Capacitor') as Capacitor
  const call: Bridge['call'] = async (plugin, method, options) =>
    fieldsOf(await capacitor.nativePromise(plugin, method, options))
  return {
    platform: capacitor.getPlatform() === 'ios' ? 'ios' : 'android',
    call,
    tell: (plugin, method, options) => void call(plugin, method, options).catch(() => undefined),
    listen: (plugin, event, listener) => void capacitor.addListener(plugin, event, (data) => listener(fieldsOf(data))),
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A field that should be text; empty if it is not. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
