import { createHash, randomBytes } from 'node:crypto'
import { parseParams, splitOutside } from './syntax.ts'
import type { Headers, SipResponse } from './message.ts'

/** Digest access authentication: RFC 3261 section 22, RFC 7616, and RFC 8760 for SHA-256. */

export interface Credentials {
  readonly username: string
  readonly password: string
}

interface Challenge {
  readonly header: 'authorization' | 'proxy-authorization'
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  /** As the far end wrote it; null: it named none, which means MD5. */
  readonly algorithm: string | null
  readonly hash: 'md5' | 'sha256'
  readonly session: boolean
  readonly qop: boolean
}

const ALGORITHMS: Readonly<Record<string, { readonly hash: 'md5' | 'sha256'; readonly session: boolean }>> = {
  'sha-256': { hash: 'sha256', session: false },
  'sha-256-sess': { hash: 'sha256', session: true },
  md5: { hash: 'md5', session: false },
  'md5-sess': { hash: 'md5', session: true },
}
const FIELD_MAX = 1024

/** What became of a 401 or 407. */
export type Challenged = 'answer' | 'wrong credentials' | 'no credentials' | 'unknown scheme'

/** The challenges of one trunk, and the count of each nonce's uses. */
export class Digest {
  readonly #credentials: Credentials | null
  readonly #cnonce: () => string
  readonly #held = new Map<Challenge['header'], { readonly challenge: Challenge; count: number }>()

  constructor(credentials: Credentials | null, cnonce: () => string = () => randomBytes(12).toString('hex')) {
    this.#credentials = credentials
    this.#cnonce = cnonce
  }

  /**
   * Takes the challenge of a response. `answered` are the headers of the request it answers: where these held an
   * answer to the same nonce, the credentials are wrong. A new nonce is answered even if it is not called stale, since
   * not every registrar says so; the caller bounds how often.
   */
  take(response: SipResponse, answered: Headers): Challenged {
    const proxy = response.status === 407
    const header = proxy ? 'proxy-authorization' : 'authorization'
    const offered = response.headers
      .all(proxy ? 'proxy-authenticate' : 'www-authenticate')
      .slice(0, 8)
      .flatMap((line) => parseChallenge(line, header) ?? [])
    // RFC 8760 section 2.4: the first one that is supported; a strong one is taken before MD5 in any order.
    const challenge = offered.find(({ hash }) => hash === 'sha256') ?? offered[0]
    if (!challenge) return 'unknown scheme'
    if (!this.#credentials) return 'no credentials'
    const before = answered.get(header)
    if (before?.includes(` nonce="${quoted(challenge.nonce)}"`)) return 'wrong credentials'
    this.#held.set(header, { challenge, count: 0 })
    return 'answer'
  }

  /** Credentials for a request, by the challenges that came so far; none: nothing is added. */
  authorize(headers: Headers, method: string, uri: string): void {
    for (const [header, held] of this.#held) {
      if (!this.#credentials) return
      held.count++
      headers.add(header, this.#answer(held.challenge, held.count, this.#credentials, method, uri))
    }
  }

  #answer(challenge: Challenge, count: number, { username, password }: Credentials, method: string, uri: string) {
    const { realm, nonce, opaque, algorithm, hash, session, qop } = challenge
    const digest = (text: string) => createHash(hash).update(text).digest('hex')
    const cnonce = this.#cnonce()
    const nc = count.toString(16).padStart(8, '0')
    const plain = digest(`${username}:${realm}:${password}`)
    const ha1 = session ? digest(`${plain}:${nonce}:${cnonce}`) : plain
    const ha2 = digest(`${method}:${uri}`)
    const response = digest(qop ? `${ha1}:${nonce}:${nc}:${cnonce}:auth:${ha2}` : `${ha1}:${nonce}:${ha2}`)
    const parts = [
      `username="${quoted(username)}"`,
      `realm="${quoted(realm)}"`,
      `nonce="${quoted(nonce)}"`,
      `uri="${uri}"`,
      `response="${response}"`,
      ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
      ...(opaque === null ? [] : [`opaque="${quoted(opaque)}"`]),
      ...(qop ? [`qop=auth`, `nc=${nc}`] : []),
      ...(qop || session ? [`cnonce="${cnonce}"`] : []),
    ]
    return `Digest ${parts.join(', ')}`
  }
}

const quoted = (text: string): string => text.replaceAll(/["\\]/g, String.raw`\$&`)

/** Null: another scheme, an unknown algorithm, or a quality of protection that is not offered here. */
function parseChallenge(text: string, header: Challenge['header']): Challenge | null {
  const match = /^Digest[ \t]+/i.exec(text)
  const parts = match && splitOutside(text.slice(match[0].length), ',')
  const params = parts && parseParams(parts)
  const realm = params?.get('realm')
  const nonce = params?.get('nonce')
  if (!params || realm == null || nonce == null || realm.length > FIELD_MAX || nonce.length > FIELD_MAX) return null
  const algorithm = params.get('algorithm') ?? null
  const known = ALGORITHMS[(algorithm ?? 'md5').toLowerCase()]
  const qops = params
    .get('qop')
    ?.split(',')
    .map((qop) => qop.trim().toLowerCase())
  if (!known || (qops && !qops.includes('auth'))) return null
  return {
    header,
    realm,
    nonce,
    opaque: params.get('opaque') ?? null,
    algorithm,
    ...known,
    qop: qops !== undefined,
  }
}
