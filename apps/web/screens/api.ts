import { ERROR_STATUS, type ErrorCode, ROUTES, type Route, type Sent } from '@parley/contract'

// A fake server for screens: each route of the contract answers as the test says, in the contract's shape.

type Shape = Route['body']

/** A request of the page as received. */
export interface ReceivedRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

type Answer = (request: ReceivedRequest) => Response | Promise<Response>

interface PageOf {
  readonly total?: number
  readonly nextCursor?: string
}

export interface FakeApi {
  /** Sets the route's response. It must have the contract's shape. */
  answer<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
    route: Route<P, Q, B, R>,
    reply: Sent<R> | ((request: ReceivedRequest) => Sent<R>),
    page?: PageOf,
  ): void
  /** Makes the route refuse with an error code of the contract. */
  refuse(route: Route, code: ErrorCode, more?: { readonly message?: string; readonly field?: string }): void
  /** Makes the route send this body: a file, a foreign page, nothing. */
  send(route: Route, body: string, init?: ResponseInit): void
  /** Makes the route unreachable. */
  lose(route: Route): void
  /** Delays the route's responses until the returned function is called. */
  hold(route: Route): () => void
  /** Any other URL, such as the payments sandbox. */
  elsewhere(pattern: RegExp, answer: (request: Request) => Response | Promise<Response>): void
  /** The requests to the route so far. */
  requests(route: Route): readonly ReceivedRequest[]
  /** Requests for which the test set no response. */
  readonly unanswered: readonly string[]
}

const patternOf = ({ path }: Route) => new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '([^/]+)')}$`)

/** Routes with fewer parameters first. */
const KNOWN = ROUTES.map((route) => ({
  route,
  pattern: patternOf(route),
  names: [...route.path.matchAll(/:([A-Za-z]+)/g)].map(([, n = '']) => n),
})).toSorted((a, b) => a.names.length - b.names.length)

export function createFakeApi(): FakeApi & { readonly fetch: typeof fetch } {
  const answers = new Map<string, Answer>()
  const received = new Map<string, ReceivedRequest[]>()
  const unanswered: string[] = []
  const others: { readonly pattern: RegExp; readonly answer: (request: Request) => Response | Promise<Response> }[] = []
  const real = globalThis.fetch

  const answerTo = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const other = others.findLast(({ pattern }) => pattern.test(url.href))
    if (other) return other.answer(request)
    const known = KNOWN.find(({ route, pattern }) => route.method === request.method && pattern.test(url.pathname))
    if (!known) return real(request)
    const [, ...values] = known.pattern.exec(url.pathname) ?? []
    const text = await request.text()
    const sent: ReceivedRequest = {
      params: Object.fromEntries(known.names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')])),
      query: Object.fromEntries(url.searchParams),
      body: bodyOf(text),
    }
    received.set(known.route.id, [...(received.get(known.route.id) ?? []), sent])
    const answer = answers.get(known.route.id)
    if (answer) return answer(sent)
    unanswered.push(`${request.method} ${url.pathname} (${known.route.id})`)
    return refusal('not_found', {})
  }

  return {
    unanswered,
    requests: (route) => received.get(route.id) ?? [],
    answer(route, reply, page) {
      answers.set(route.id, (request) => {
        const said = typeof reply === 'function' ? (reply as (request: ReceivedRequest) => unknown)(request) : reply
        const body: unknown = route.reply ? route.reply.parse(said) : said
        return json(body, route.status ?? 200, page)
      })
    },
    refuse: (route, code, more = {}) => void answers.set(route.id, () => refusal(code, more)),
    send: (route, body, init) => void answers.set(route.id, () => new Response(body === '' ? null : body, init)),
    lose: (route) => void answers.set(route.id, () => Promise.reject(new TypeError('Failed to fetch'))),
    hold(route) {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const before = answers.get(route.id)
      answers.set(route.id, async (request) => {
        await promise
        return before ? before(request) : refusal('not_found', {})
      })
      return () => resolve(undefined)
    },
    elsewhere: (pattern, answer) => void others.push({ pattern, answer }),
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const aborted = new Promise<never>((_, reject) => {
        const stop = () => reject(request.signal.reason as Error)
        if (request.signal.aborted) stop()
        request.signal.addEventListener('abort', stop)
      })
      return Promise.race([answerTo(request), aborted])
    },
  }
}

function json(body: unknown, status: number, page: PageOf = {}): Response {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (Array.isArray(body)) headers.set('x-total-count', String(page.total ?? body.length))
  if (page.nextCursor !== undefined) headers.set('x-next-cursor', page.nextCursor)
  return new Response(body === undefined || status === 204 ? null : JSON.stringify(body), { status, headers })
}

function refusal(code: ErrorCode, more: { readonly message?: string; readonly field?: string }): Response {
  return json(
    { code, message: more.message ?? `The server says ${code}.`, ...(more.field && { field: more.field }) },
    ERROR_STATUS[code],
  )
}

function bodyOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
