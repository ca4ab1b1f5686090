// The native side of a shell, as Capacitor's bridge sees it: plugins by name, with a phone's state behind them.

type Fields = Readonly<Record<string, unknown>>

/** A call of a plugin as the bridge passes it on. */
export interface NativeCall {
  readonly plugin: string
  readonly method: string
  readonly options: Fields
}

/** A listener of the page: `id` is the bridge's own. */
interface Listening {
  readonly plugin: string
  readonly event: string
  readonly id: string
}

/** The plugins of a phone. Its state outlives the page, as a phone's does. */
export class Device {
  readonly platform: 'ios' | 'android'
  readonly calls: NativeCall[] = []
  /** Keychain or Keystore. */
  readonly secure = new Map<string, string>()
  /** Files written, as bytes in base64 pieces. */
  readonly files = new Map<string, string[]>()
  readonly shared: Fields[] = []
  /** The link that started the app. */
  launchUrl: string | undefined
  notifications: 'granted' | 'denied' | 'prompt' = 'prompt'
  /** What the user does at the device's lock. */
  unlocks = true
  /** Sends an event to a listener of the page. */
  send: (id: string, data: Fields) => void = () => undefined
  #listening: Listening[] = []
  /** The event that started the app: told to its first listener. */
  #kept: { readonly plugin: string; readonly event: string; readonly data: Fields } | undefined
  readonly #answers = new Map<string, (options: Fields) => unknown>()

  constructor(platform: 'ios' | 'android') {
    this.platform = platform
  }

  /** Sets what a plugin's method answers; a thrown error is its rejection. */
  answer(plugin: string, method: string, answer: (options: Fields) => unknown): void {
    this.#answers.set(`${plugin}.${method}`, answer)
  }

  /** The page is gone, and its listeners with it. */
  forgetPage(): void {
    this.#listening = []
  }

  listen(plugin: string, event: string, id: string): void {
    this.#listening.push({ plugin, event, id })
    const kept = this.#kept
    if (kept?.plugin !== plugin || kept.event !== event) return
    this.#kept = undefined
    this.send(id, kept.data)
  }

  /** Keeps an event for a page that does not listen yet, as a tap that starts the app. */
  keep(plugin: string, event: string, data: Fields): void {
    this.#kept = { plugin, event, data }
  }

  emit(plugin: string, event: string, data: Fields = {}): void {
    for (const each of this.#listening) if (each.plugin === plugin && each.event === event) this.send(each.id, data)
  }

  hears(plugin: string, event: string): boolean {
    return this.#listening.some((each) => each.plugin === plugin && each.event === event)
  }

  /** The options of the calls of a method so far. */
  asked(plugin: string, method: string): Fields[] {
    return this.calls.filter((each) => each.plugin === plugin && each.method === method).map(({ options }) => options)
  }

  /** A plugin's answer. Throws what the plugin rejects with. */
  handle({ plugin, method, options }: NativeCall): unknown {
    this.calls.push({ plugin, method, options })
    const own = this.#answers.get(`${plugin}.${method}`)
    if (own) return own(options)
    const usual = this.#usual(options)[`${plugin}.${method}`]
    if (!usual) throw new Error(`"${plugin}" plugin is not implemented on ${this.platform}: ${method}`)
    return usual()
  }

  #usual(options: Fields): Readonly<Record<string, () => unknown>> {
    const key = String(options['prefixedKey'])
    const path = String(options['path'])
    return {
      'App.getLaunchUrl': () => (this.launchUrl === undefined ? {} : { url: this.launchUrl }),
      'App.minimizeApp': () => ({}),
      'BiometricAuthNative.checkBiometry': () => ({ isAvailable: true, deviceIsSecure: true }),
      'BiometricAuthNative.internalAuthenticate': () => {
        if (!this.unlocks) throw new Error('Authentication was canceled')
        return {}
      },
      'Browser.open': () => ({}),
      'Browser.close': () => ({}),
      'Filesystem.appendFile': () => {
        this.files.get(path)?.push(String(options['data']))
        return {}
      },
      'Filesystem.writeFile': () => {
        this.files.set(path, [String(options['data'])])
        return { uri: `file:///cache/${path}` }
      },
      'Haptics.notification': () => ({}),
      'LocalNotifications.checkPermissions': () => ({ display: this.notifications }),
      'LocalNotifications.requestPermissions': () => {
        if (this.notifications === 'prompt') this.notifications = 'granted'
        return { display: this.notifications }
      },
      'LocalNotifications.schedule': () => ({ notifications: [] }),
      'PushNotifications.register': () => ({}),
      'PushNotifications.unregister': () => ({}),
      'SecureStorage.internalGetItem': () => ({ data: this.secure.get(key) ?? null }),
      'SecureStorage.internalRemoveItem': () => ({ success: this.secure.delete(key) }),
      'SecureStorage.internalSetItem': () => {
        this.secure.set(key, String(options['data']))
        return {}
      },
      'Share.share': () => {
        this.shared.push(options)
        return {}
      },
      'SplashScreen.hide': () => ({}),
      'StatusBar.setStyle': () => ({}),
    }
  }

  /** The bytes of a file as text. */
  textOf(path: string): string {
    const pieces = this.files.get(path) ?? []
    return pieces
      .map((piece) => new TextDecoder().decode(Uint8Array.from(atob(piece), (c) => c.codePointAt(0) ?? 0)))
      .join('')
  }
}
