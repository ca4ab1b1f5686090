import { type CallDetails, SESSION_TOKEN_HEADER, SHELL_HEADER, type User } from '@parley/contract'
import { createRequire } from 'node:module'
import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import { Device, type NativeCall } from '../../../screens/device.ts'
import { visit } from '../../../../standalone/src/browser.ts'
import { until } from '../../../../standalone/src/world.ts'
import { type ShellWorld, WWW } from './world.ts'

/** Capacitor's own bridge, as both shells inject it. */
const BRIDGE = createRequire(new URL('../../../../mobile/package.json', import.meta.url))
  .resolve('@capacitor/android/package.json')
  .replace('package.json', 'capacitor/src/main/assets/native-bridge.js')
const SIZE = { width: 390, height: 844 }
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
  /** Errors that the page reported. */
  complaints: readonly string[] = []
  readonly #browser: Browser
  #context: BrowserContext | undefined
  #page: Page | undefined

  constructor(browser: Browser, platform: 'ios' | 'android') {
    this.device = new Device(platform)
    this.#browser = browser
    this.device.answer('Console', 'log', () => ({}))
    this.device.send = (id, data) => {
      const result = { callbackId: id, success: true, save: true, data }
      void this.page.evaluate((each) => {
        const { fromNative } = Reflect.get(globalThis, 'Capacitor') as { fromNative: (result: unknown) => void }
        fromNative(each)
      }, result)
    }
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
      viewport: SIZE,
      ignoreHTTPSErrors: true,
      hasTouch: true,
    })
    this.#context = page.context()
    this.#page = page
    this.complaints = complaints
    await this.#context.exposeBinding('toDevice', async (_, text: string) =>
      this.#answer(JSON.parse(text) as BridgeCall),
    )
    await this.#context.exposeBinding('pageBegins', () => this.device.forgetPage())
    await this.#context.addInitScript(plug, this.device.platform)
    await this.#context.addInitScript({ path: BRIDGE })
    return page
  }

  async #answer({ callbackId, pluginId: plugin, methodName: method, options }: BridgeCall): Promise<unknown> {
    if (method === 'addListener') {
      this.device.listen(plugin, String(options['eventName']), callbackId)
      return undefined
    }
    if (method === 'removeListener') return undefined
    try {
      return {
        callbackId,
        pluginId: plugin,
        methodName: method,
        success: true,
        data: await this.device.handle({ plugin, method, options }),
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
  // As Capacitor does, which drops the listeners of the page before.
  if (window === window.top) (Reflect.get(globalThis, 'pageBegins') as () => void)()
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

/** Headers of a request as the app's page sends it. */
function headersOf(platform: 'ios' | 'android', token?: string): Record<string, string> {
  const session = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return { 'content-type': 'application/json', origin: WWW, [SHELL_HEADER]: platform, ...session }
}

/** A new user with a verified address, signed in nowhere. */
export async function newPerson(world: ShellWorld): Promise<{ readonly email: string }> {
  const { parley } = world
  const email = `phone-${randomUUID()}@parley.example`
  const registered = await fetch(`${parley.url}/api/auth/register`, {
    method: 'POST',
    headers: headersOf('ios'),
    body: JSON.stringify({ name: 'Ada Lovelace', email, password: PASSWORD }),
  })
  if (registered.status !== 201)
    throw new Error(`Registering answered ${registered.status}: ${await registered.text()}`)
  const { search } = new URL(await mailedLink(world, email))
  const verified = await fetch(`${parley.url}/api/auth/verify-email${search}`)
  if (!verified.ok) throw new Error(`Verifying answered ${verified.status}`)
  return { email }
}

/** The newest mailed code. */
export async function mailedCode(world: ShellWorld, email: string): Promise<string> {
  return until(`a code for ${email}`, async () =>
    world
      .mailsTo(email)
      .map((text) => /Your code: (\S+)/.exec(text)?.[1])
      .find((code) => code !== undefined),
  )
}

/** The link of the newest mail. */
export async function mailedLink(world: ShellWorld, email: string): Promise<string> {
  return until(`a link for ${email}`, async () =>
    world
      .mailsTo(email)
      .map((text) => /https:\/\/[^\s"<]+token=[^\s"<&]+/.exec(text)?.[0])
      .find((link) => link !== undefined),
  )
}

/** Signs a new user in as the page of a shell does. */
async function newSession(world: ShellWorld, platform: 'ios' | 'android'): Promise<string> {
  const { email } = await newPerson(world)
  const ask = (code?: string) =>
    fetch(`${world.parley.url}/api/auth/login`, {
      method: 'POST',
      headers: headersOf(platform),
      body: JSON.stringify({ email, password: PASSWORD, ...(code !== undefined && { code }) }),
    })
  const first = await ask()
  const answer = first.ok ? first : await ask(await mailedCode(world, email))
  const token = answer.headers.get(SESSION_TOKEN_HEADER)
  if (!token) throw new Error(`Login answered ${answer.status} without a token: ${await answer.text()}`)
  return token
}

/** Of each platform; each takes some seconds, most of them for two mails. */
const SESSIONS_AHEAD = 3

/** Sessions of new users, made during the tests before. */
function sessionsAhead(world: ShellWorld): (platform: 'ios' | 'android') => Promise<string> {
  const begin = (platform: 'ios' | 'android') => {
    const session = newSession(world, platform)
    // Told to the test that takes it, if one does.
    session.catch(() => undefined)
    return session
  }
  const several = (platform: 'ios' | 'android') => Array.from({ length: SESSIONS_AHEAD }, () => begin(platform))
  const ahead = { ios: several('ios'), android: several('android') }
  afterAll(() => Promise.allSettled([...ahead.ios, ...ahead.android]))
  return (platform) => {
    ahead[platform].push(begin(platform))
    return ahead[platform].shift() ?? begin(platform)
  }
}

/** What the api says of a token, as the shell's page asks. */
export async function statusOf(world: ShellWorld, token: string): Promise<number> {
  return (await fetch(`${world.parley.url}/api/auth/user`, { headers: headersOf('ios', token) })).status
}

/** The phone's user as a program: asks the api with the phone's token. */
interface Owner {
  balance(): Promise<number>
  place(callee: string): Promise<{ readonly id: string }>
  ended(callId: string): Promise<unknown>
  /** Has later calls recorded. */
  record(): Promise<unknown>
  recorded(callId: string): Promise<unknown>
}

function ownerOf({ parley }: ShellWorld, platform: 'ios' | 'android', token: string): Owner {
  const ask = async <T>(path: string, body?: unknown, method = 'POST'): Promise<T> => {
    const init = body === undefined ? {} : { method, body: JSON.stringify(body) }
    const answer = await fetch(parley.url + path, { ...init, headers: headersOf(platform, token) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  return {
    async record() {
      const { id } = await ask<User>('/api/auth/user')
      await ask(`/api/user/${id}/settings`, { recordCalls: true }, 'PATCH')
    },
    recorded: (id) => until('the recording', async () => (await ask<CallDetails>(`/api/calls/${id}`)).hasRecording),
    balance: async () => Number((await ask<User>('/api/auth/user')).creditBalance),
    place: (callee) =>
      ask('/api/calls', { callee, purpose: 'Book a table', objectives: ['A table'], maxDurationMinutes: 1 }),
    ended: (id) =>
      until('the call to end', async () => (await ask<CallDetails>(`/api/calls/${id}`)).completedAt !== null, 60_000),
  }
}

export interface Phones {
  readonly world: ShellWorld
  readonly aPhone: (platform?: 'ios' | 'android') => Phone
  /** A phone of a new user who is signed in. */
  readonly signedIn: (
    platform?: 'ios' | 'android',
  ) => Promise<{ readonly phone: Phone; readonly person: Owner; readonly token: string }>
}

/** The phones of a file's tests: closed after each, and a page that complained fails its test. */
export function openPhones(world: ShellWorld): Phones {
  const phones: Phone[] = []
  const newToken = sessionsAhead(world)
  afterEach(async () => {
    const complaints = phones.flatMap((phone) => phone.complaints)
    await Promise.all(phones.splice(0).map((phone) => phone.close()))
    expect(complaints).toEqual([])
  })
  const aPhone: Phones['aPhone'] = (platform = 'ios') => {
    const phone = new Phone(world.browser, platform)
    phones.push(phone)
    return phone
  }
  return {
    world,
    aPhone,
    async signedIn(platform) {
      const phone = aPhone(platform)
      const token = await newToken(phone.device.platform)
      phone.device.secure.set('parley_session', token)
      return { phone, person: ownerOf(world, phone.device.platform, token), token }
    },
  }
}

export function dashboard(page: Page): Locator {
  return page.getByRole('heading', { name: 'Dashboard', level: 1 })
}

export function tokenOn({ device }: Phone): string | undefined {
  return device.secure.get('parley_session')
}
