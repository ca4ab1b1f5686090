import { SESSION_TOKEN_HEADER } from '@parley/contract'
import { type Bridge, textOf } from './bridge.ts'

const PLUGIN = 'SecureStorage'
const PREFIX = 'parley_'
/** Keychain: readable while the device is unlocked, never moved to another one. */
const KEYCHAIN_ACCESS = { sync: false, access: 1 }

/** Small secrets in Keychain or Keystore. */
export interface Vault {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}

export function openVault({ call }: Bridge): Vault {
  const keyOf = (name: string) => ({ prefixedKey: PREFIX + name, ...KEYCHAIN_ACCESS })
  return {
    // A key that the system took away, as after a restored backup, is a missing one.
    get: (name) =>
      call(PLUGIN, 'internalGetItem', keyOf(name)).then(
        ({ data }) => textOf(data) || undefined,
        () => undefined,
      ),
    set: async (name, data) => void (await call(PLUGIN, 'internalSetItem', { ...keyOf(name), data })),
    remove: async (name) => void (await call(PLUGIN, 'internalRemoveItem', keyOf(name))),
  }
}

const TOKEN = 'session'

/** The session's token: in memory for requests, in the vault for the next start. */
export class SessionToken {
  readonly #vault: Vault
  #token: string | undefined
  /** One write after the other: the last one counts. */
  #written: Promise<void> = Promise.resolve()

  private constructor(vault: Vault, token: string | undefined) {
    this.#vault = vault
    this.#token = token
  }

  static async load(vault: Vault): Promise<SessionToken> {
    return new SessionToken(vault, await vault.get(TOKEN))
  }

  get isThere(): boolean {
    return this.#token !== undefined
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }
  }

  /** Keeps the token of an answer; resolves when it is stored. */
  received(headers: Pick<Headers, 'get'>): Promise<void> | undefined {
    const token = headers.get(SESSION_TOKEN_HEADER)
    if (!token || token === this.#token) return undefined
    this.#token = token
    return this.#write(() => this.#vault.set(TOKEN, token))
  }

  async forget(): Promise<void> {
    if (this.#token === undefined) return
    this.#token = undefined
    await this.#write(() => this.#vault.remove(TOKEN))
  }

  /** A vault that refuses leaves the session for this run of the app. */
  #write(write: () => Promise<void>): Promise<void> {
    this.#written = this.#written.then(write).catch(() => undefined)
    return this.#written
  }
}
