import { pathOf } from '@parley/contract'
import { devicesRoutes } from '@parley/contract/page'
import type { Api } from './api.ts'
import { type Bridge, fieldsOf, textOf } from './bridge.ts'

const PLUGIN = 'PushNotifications'
const STORAGE_KEY = 'parley.device'
/** Written by the shell's build: the platforms whose push service it is set up for. */
const META = 'meta[name="parley-push"]'

/** Notifications while the app is not running: tells the server where this phone is reached. */
export class Push {
  readonly #bridge: Bridge
  readonly #api: Api

  constructor(bridge: Bridge, api: Api) {
    this.#bridge = bridge
    this.#api = api
    bridge.listen(PLUGIN, 'registration', ({ value }) => void this.#add(textOf(value)).catch(() => undefined))
  }

  /** Asks the platform for this phone's address; the same again changes nothing. Without push service asks nothing. */
  begin(): void {
    const services = document.querySelector<HTMLMetaElement>(META)?.content.split(' ') ?? []
    if (services.includes(this.#bridge.platform)) this.#bridge.tell(PLUGIN, 'register')
  }

  /** The user wants none any more. The end of the session does the same by itself. */
  async stop(): Promise<void> {
    const id = localStorage.getItem(STORAGE_KEY)
    localStorage.removeItem(STORAGE_KEY)
    if (id === null) return
    const { method } = devicesRoutes.remove
    await this.#api.send(pathOf(devicesRoutes.remove, { id }), { method }).catch(() => undefined)
  }

  async #add(token: string): Promise<void> {
    const { method, path } = devicesRoutes.add
    const language = document.documentElement.lang === 'es' ? 'es' : 'en'
    const body = { platform: this.#bridge.platform, token, language }
    const response = await this.#api.send(path, { method, body })
    if (response.ok) localStorage.setItem(STORAGE_KEY, textOf(fieldsOf(await response.json())['id']))
  }
}
