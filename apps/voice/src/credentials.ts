import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Keys } from '@parley/contract/keys'

type Shown = Pick<IncomingMessage, 'headers'>

/** More than the calls of a day. */
const REMEMBERED = 20_000

/** The secrets shared with the api, any of which it may show, and the tokens of orders: what concerns a call with a token takes that alone. */
export class Credentials {
  readonly #secrets: readonly string[]
  readonly #tokens = new Map<string, string>()

  constructor(keys: Keys) {
    this.#secrets = keys.map(({ secret }) => secret)
  }

  /** @param token undefined: the order is of an api that gives none */
  keep(callId: string, token: string | undefined): void {
    if (token === undefined) return
    this.#tokens.set(callId, token)
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size > REMEMBERED && oldest !== undefined) this.#tokens.delete(oldest)
  }

  isSecret(request: Shown): boolean {
    return shows(request, this.#secrets)
  }

  /** Whether a request may command this call or hear it. */
  opens(request: Shown, callId: string): boolean {
    const token = this.#tokens.get(callId)
    return shows(request, token === undefined ? this.#secrets : [token])
  }
}

/** Compares digests in constant time; timingSafeEqual needs equal lengths. */
function shows({ headers }: Shown, credentials: readonly string[]): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const shown = digest(headers.authorization ?? '')
  return credentials.some((credential) => timingSafeEqual(shown, digest(`Bearer ${credential}`)))
}
