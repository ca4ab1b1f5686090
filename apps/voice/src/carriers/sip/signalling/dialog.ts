import { type Facts, Headers, type SipRequest, type SipResponse } from './message.ts'
import { parseNameAddr, parseUri, type SipUri } from './syntax.ts'

const ROUTES_MAX = 16

/** Our end of a dialog, as it stood in the INVITE. */
export interface LocalEnd {
  readonly callId: string
  readonly tag: string
  /** name-addr without its tag. */
  readonly from: string
  /** name-addr of the far end without its tag. */
  readonly to: string
  readonly contact: string
}

export interface Draft {
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** Content type of the body. */
  readonly type?: string
}

/** RFC 3261 section 12, from the side that called. */
export class Dialog {
  readonly local: LocalEnd
  /** Empty where the far end gave none, as before RFC 3261. */
  readonly remoteTag: string
  /** In the order of our requests. */
  readonly #routes: readonly string[]
  #remoteTarget: string
  #remoteCseq: number | null = null

  /** `response`: what created it, a provisional one or a 2xx, with its To tag. */
  constructor(local: LocalEnd, remoteTag: string, response: SipResponse, requestUri: string) {
    this.local = local
    this.remoteTag = remoteTag
    const routes = response.headers.values('record-route').filter((route) => parseNameAddr(route) !== null)
    this.#routes = routes.slice(0, ROUTES_MAX).toReversed()
    this.#remoteTarget = requestUri
    this.retarget(response.headers)
  }

  /** Requests go to the newest Contact (section 12.2.1.2); one that is no URI is ignored. */
  retarget(headers: Headers): void {
    const uri = parseNameAddr(headers.values('contact')[0] ?? '')?.uri
    const parsed = uri === undefined ? null : parseUri(uri)
    if (uri !== undefined && parsed && parsed.scheme !== 'tel') this.#remoteTarget = uri
  }

  get remoteTarget(): string {
    return this.#remoteTarget
  }

  /** Where requests of this dialog are sent to: the first route, or the far end itself. */
  get nextHop(): SipUri | null {
    return parseUri(this.#firstRoute ?? this.#remoteTarget)
  }

  get #firstRoute(): string | null {
    return parseNameAddr(this.#routes[0] ?? '')?.uri ?? null
  }

  request(method: string, cseq: number, { headers = [], body = '', type = 'application/sdp' }: Draft = {}): SipRequest {
    const { callId, tag, from, to, contact } = this.local
    const first = this.#firstRoute
    const isStrict = first !== null && !parseUri(first)?.params.has('lr')
    // A strict router takes the request URI; ours then stands last among the routes (section 12.2.1.1).
    const uri = isStrict ? first : this.#remoteTarget
    const routes = isStrict ? [...this.#routes.slice(1), `<${this.#remoteTarget}>`] : this.#routes
    const all = new Headers().add('max-forwards', '70')
    for (const route of routes) all.add('route', route)
    all.add('from', `${from};tag=${tag}`).add('to', this.remoteTag === '' ? to : `${to};tag=${this.remoteTag}`)
    all.add('call-id', callId).add('cseq', `${cseq} ${method}`)
    if (['INVITE', 'UPDATE', 'REFER', 'SUBSCRIBE'].includes(method)) all.add('contact', contact)
    for (const [name, value] of headers) all.add(name, value)
    if (body !== '') all.add('content-type', type)
    return { type: 'request', method, uri, headers: all, body }
  }

  /** Whether a request of the far end comes in its order (section 12.2.2). */
  takes({ cseq }: Facts): boolean {
    if (this.#remoteCseq !== null && cseq <= this.#remoteCseq) return false
    this.#remoteCseq = cseq
    return true
  }
}
