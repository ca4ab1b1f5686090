import { SESSION_TOKEN_HEADER, SHELL_HEADER } from '@parley/contract'
import { createRequire } from 'node:module'
import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { Device, type NativeCall } from '../../screens/device.ts'
import { visit } from '../../../standalone/src/browser.ts'
import { type Person, signUp, storedMails, until } from '../../../standalone/src/world.ts'
import { type ShellWorld, WWW } from './world.ts'

/** Capacitor's own bridge, as both shells inject it. */
const BRIDGE = createRequire(new URL('../../../mobile/package.json', import.meta.url))
  .resolve('@capacitor/android/package.json')
  .replace('package.json', 'capacitor/src/main/assets/native-bridge.js')
export const PHONES = { small: { width: 360, height: 800 }, large: { width: 390, height: 844 } } as const
export const PASSWORD = 'correct horse battery'

interface BridgeCall {
  readonly callbackId: string
  readonly pluginId: string
  readonly methodName: string
  readonly options: NativeCall['options']
}

/** A phone with the app: the page may be killed and started again, the device stays. */
export class Phone {
  readonly device: Device
  readonly complaints: string[] = []
  readonly #browser: Browser
  readonly #size: { readonly width: number; readonly height: number }
  #context: BrowserContext | undefined
  #page: Page | undefined

  constructor(browser: Browser, platform: 'ios' | 'android', size: Phone['size'] = PHONES.large) {
    this.device = new Device(platform)
    this.#browser = browser
    this.#size = size
    this.device.answer('Console', 'log', () => ({}))
    this.device.send = (id, data) => {
      const result = { callbackId: id, success: true, save: true, data }
      void this.page.evaluate((each) => {
        const { fromNative } = Reflect.get(globalThis, 'Capacitor') as { fromNative: (result: unknown) => void }
        fromNative(each)
      }, result)
    }
  }

  get size(): { readonly width: number; readonly height: number } {
    return this.#size
  }

  get page(): Page {
    if (!this.#page) throw new Error('The app is not running')
    return this.#page
  }

  /** Starts the app, as a tap on its icon or on a link does. */
  async start(link?: string): Promise<Page> {
    this.device.launchUrl = link
    const page = await this.#open()
    await page.goto(WWW)
    return page
  }

  /** The system ends the app's process; its storage stays. */
  async kill(): Promise<void> {
    const page = this.#page
    this.#page = undefined
    this.device.forgetPage()
    await page?.close()
  }

  /** A link opens the running app. */
  async openLink(url: string): Promise<void> {
    await until('the app to hear of links', async () => this.device.hears('App', 'appUrlOpen'))
    this.device.emit('App', 'appUrlOpen', { url })
  }

  async close(): Promise<void> {
    await this.#context?.close()
  }

  async #open(): Promise<Page> {
    if (this.#context) {
      this.#page = await this.#context.newPage()
      return this.#page
    }
    const { page, complaints } = await visit(this.#browser, WWW, {
      viewport: this.#size,
      ignoreHTTPSErrors: true,
      hasTouch: true,
    })
    this.#context = page.context()
    this.#page = page
    this.#watch(complaints)
    await this.#context.exposeBinding('toDevice', async (_, text: string) =>
      this.#answer(JSON.parse(text) as BridgeCall),
    )
    await this.#context.addInitScript(plug, this.device.platform)
    await this.#context.addInitScript({ path: BRIDGE })
    return page
  }

  #watch(complaints: string[]): void {
    // The same list, kept by the visit.
    Object.defineProperty(this, 'complaints', { value: complaints })
  }

  #answer({ callbackId, pluginId: plugin, methodName: method, options }: BridgeCall): unknown {
    if (method === 'addListener') return void this.device.listen(plugin, String(options['eventName']), callbackId)
    if (method === 'removeListener') return undefined
    try {
      return {
        callbackId,
        pluginId: plugin,
        methodName: method,
        success: true,
        data: this.device.handle({ plugin, method, options }),
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { callbackId, pluginId: plugin, methodName: method, success: false, error: { message } }
    }
  }
}

/** The end of the bridge that the system provides; runs in the page. */
function plug(platform: 'ios' | 'android'): void {
  const toDevice = Reflect.get(globalThis, 'toDevice') as (text: string) => Promise<unknown>
  const post = (text: string) =>
    void toDevice(text).then((result) => {
      const { fromNative } = Reflect.get(globalThis, 'Capacitor') as { fromNative: (result: unknown) => void }
      if (result !== undefined && result !== null) fromNative(result)
    })
  const ends =
    platform === 'android'
      ? { androidBridge: { postMessage: post } }
      : { webkit: { messageHandlers: { bridge: { postMessage: (data: unknown) => post(JSON.stringify(data)) } } } }
  Object.assign(globalThis, ends)
}

/** A new user, not signed in anywhere on a phone. */
export async function newPerson({ parley }: ShellWorld): Promise<Person & { readonly email: string }> {
  const email = `phone-${randomUUID()}@parley.example`
  return { ...(await signUp(parley.url, email, PASSWORD)), email }
}

/** The newest mailed code. */
export async function mailedCode({ parley }: ShellWorld, email: string): Promise<string> {
  return until(`a code for ${email}`, async () => {
    const mails = await storedMails(parley.url)
    const codes = mails.filter(({ to }) => to === email).map(({ text }) => /Your code: (\S+)/.exec(text)?.[1])
    return codes.find((code) => code !== undefined)
  })
}

/** Signs in as the shell's page does, and keeps the token on the phone. */
export async function signInOn(phone: Phone, world: ShellWorld, email: string): Promise<string> {
  const ask = (code?: string) =>
    fetch(`${world.parley.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: WWW, [SHELL_HEADER]: phone.device.platform },
      body: JSON.stringify({ email, password: PASSWORD, ...(code !== undefined && { code }) }),
    })
  const first = await ask()
  const answer = first.ok ? first : await ask(await mailedCode(world, email))
  const token = answer.headers.get(SESSION_TOKEN_HEADER)
  if (!token) throw new Error(`Login answered ${answer.status} without a token: ${await answer.text()}`)
  phone.device.secure.set('parley_session', token)
  return token
}

/** What the api says of a token, as the shell's page asks. */
export async function statusOf(world: ShellWorld, token: string): Promise<number> {
  const headers = { origin: WWW, authorization: `Bearer ${token}`, [SHELL_HEADER]: 'ios' }
  return (await fetch(`${world.parley.url}/api/auth/user`, { headers })).status
}
