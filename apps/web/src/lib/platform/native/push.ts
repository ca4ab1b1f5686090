import { pathOf } from '@parley/contract'
import { devicesRoutes } from '@parley/contract/page'
import type { Api } from './api.ts'
import { type Bridge, fieldsOf, textOf } from './bridge.ts'

const PLUGIN = 'PushNotifications'
/** The id of this phone at the server. */
const DEVICE_KEY = 'parley.device'
/** The user switched notifications off on this phone: a start of the app does not switch them on. */
const OFF_KEY = 'parley.push-off'
/** Written by the shell's build: the platforms whose push service it is set up for. */
const META = 'meta[name="parley-push"]'

/** Notifications while the app is not running: tells the server where this phone is reached. */
export class Push {
  readonly #bridge: Bridge
  readonly #api: Api
  readonly #listeners = new Set<() => void>()
  #reached: boolean | undefined

  constructor(bridge: Bridge, api: Api) {
    this.#bridge = bridge
    this.#api = api
    this.#reached = this.#hasService() ? undefined : false
    // Also when the system replaces the token.
    bridge.listen(PLUGIN, 'registration', ({ value }) => void this.#add(textOf(value)).catch(() => undefined))
  }

  /** Whether the server can reach this phone; undefined before it has said so. */
  get reached(): boolean | undefined {
    return this.#reached
  }

  onReach(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The user switched notifications on. */
  begin(): void {
    localStorage.removeItem(OFF_KEY)
    this.resume()
  }

  /** Asks the platform for this phone's address; the same again changes nothing. Without push service asks nothing. */
  resume(): void {
    if (this.#hasService() && localStorage.getItem(OFF_KEY) === null) this.#bridge.tell(PLUGIN, 'register')
  }

  /** The user wants none any more. */
  async stop(): Promise<void> {
    localStorage.setItem(OFF_KEY, 'off')
    const id = this.forget()
    if (id !== null) await this.#remove(id)
  }

  /**
   * The session has ended, and the server forgets the phone with it. If the server does not hear of that, its messages
   * come to a dead token.
   */
  forget(): string | null {
    const id = localStorage.getItem(DEVICE_KEY)
    localStorage.removeItem(DEVICE_KEY)
    if (id !== null) this.#bridge.tell(PLUGIN, 'unregister')
    return id
  }

  #hasService(): boolean {
    const services = document.querySelector<HTMLMetaElement>(META)?.content.split(' ') ?? []
    return services.includes(this.#bridge.platform)
  }

  async #add(token: string): Promise<void> {
    if (localStorage.getItem(OFF_KEY) !== null) return
    const { method, path } = devicesRoutes.add
    const language = document.documentElement.lang === 'es' ? 'es' : 'en'
    const body = { platform: this.#bridge.platform, token, language }
    const response = await this.#api.send(path, { method, body })
    if (!response.ok) return
    const { id, reached } = fieldsOf(await response.json())
    const before = localStorage.getItem(DEVICE_KEY)
    localStorage.setItem(DEVICE_KEY, textOf(id))
    this.#reached = typeof reached === 'boolean' ? reached : undefined
    for (const listener of this.#listeners) listener()
    // The token that this one replaces.
    if (before !== null && before !== id) await this.#remove(before)
  }

  async #remove(id: string): Promise<void> {
    const { method } = devicesRoutes.remove
    await this.#api.send(pathOf(devicesRoutes.remove, { id }), { method }).catch(() => undefined)
  }
}
