import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

type Shown = Pick<IncomingMessage, 'headers'>

/** More than the calls of a day. */
const REMEMBERED = 20_000

/** The secret shared with the api, and the tokens of orders: what concerns a call with a token takes that alone. */
export class Credentials {
  readonly #secret: string
  readonly #tokens = new Map<string, string>()

  constructor(secret: string) {
    this.#secret = secret
  }

  /** @param token undefined: the order is of an api that gives none */
  keep(callId: string, token: string | undefined): void {
    if (token === undefined) return
    this.#tokens.set(callId, token)
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size > REMEMBERED && oldest !== undefined) this.#tokens.delete(oldest)
  }

  isSecret(request: Shown): boolean {
    return shows(request, this.#secret)
  }

  /** Whether a request may command this call or hear it. */
  opens(request: Shown, callId: string): boolean {
    return shows(request, this.#tokens.get(callId) ?? this.#secret)
  }
}

/** Compares digests in constant time; timingSafeEqual needs equal lengths. */
function shows({ headers }: Shown, credential: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${credential}`))
}
