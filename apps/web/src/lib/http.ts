import { ERROR_STATUS, pathOf, QUERY_DEFAULTS, type ErrorCode, type Parsed, type Route, type Sent } from '@parley/contract'
import { doubtConnection } from './connection.ts'
import { apiUrl } from './native.ts'
import { words } from './words/index.ts'

type Shape = Route['body']

type Part<Name extends string, S extends Shape> = S extends undefined
  ? { readonly [key in Name]?: undefined }
  : Partial<Sent<S>> extends Sent<S>
    ? { readonly [key in Name]?: Sent<S> | undefined }
    : { readonly [key in Name]: Sent<S> }

interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** For routes the contract calls idempotent: the same key places an order once, however often it is sent. */
  readonly idempotencyKey?: string | undefined
}

/** What a route wants: its own params, query and body, as the contract types them. */
export type Input<P extends Shape, Q extends Shape, B extends Shape> = Part<'params', P> &
  Part<'query', Q> &
  Part<'body', B> &
  RequestOptions

/** A page of a list, with how many there are in all and where the next page begins. */
export interface Page<T> {
  readonly items: T
  readonly total: number
  readonly nextCursor: string | undefined
}

/** An answer that is not good. The message is the status, a colon and the body text, or the status text of an empty body. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly #sentence: string | undefined
  readonly field: string | undefined

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    this.status = status
    const reply = errorReplyIn(body)
    this.code = isErrorCode(reply.code) ? reply.code : undefined
    this.#sentence = typeof reply.message === 'string' ? reply.message : undefined
    this.field = typeof reply.field === 'string' ? reply.field : undefined
  }

  /** What went wrong, fit to show: the server's own sentence, or what stands for its code in another language. */
  get sentence(): string | undefined {
    const { server } = words()
    return (this.code && server?.errors[this.code]) ?? this.#sentence
  }
}

function errorReplyIn(body: string): { code?: unknown; message?: unknown; field?: unknown } {
  try {
    const reply: unknown = JSON.parse(body)
    return typeof reply === 'object' && reply !== null ? reply : {}
  } catch {
    return {}
  }
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code)
}

/** The server's sentence where it said one; else what the page says in this place. */
export function sentenceOf(error: unknown, otherwise: string): string {
  return (error instanceof HttpError && error.sentence) || otherwise
}

export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof HttpError ? error.code : undefined
}

export async function request<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: Route<P, Q, B, R>,
  input: Input<P, Q, B>,
): Promise<Parsed<R>> {
  return replyIn<Parsed<R>>(await send(route, input))
}

export async function requestPage<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: Route<P, Q, B, R>,
  input: Input<P, Q, B>,
): Promise<Page<Parsed<R>>> {
  const response = await send(route, input)
  const items = await replyIn<Parsed<R>>(response)
  const { headers } = response
  const counted = Array.isArray(items) ? items.length : 0
  return { items, total: Number(headers.get('X-Total-Count') ?? counted), nextCursor: headers.get('X-Next-Cursor') ?? undefined }
}

type Anything = { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown } & RequestOptions

async function send(route: Route, { params, query, body, signal, idempotencyKey }: Anything): Promise<Response> {
  const timeout = route.method === 'GET' ? AbortSignal.timeout(QUERY_DEFAULTS.readTimeoutMs) : undefined
  const headers = new Headers({ Accept: 'application/json' })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey)
  const response = await fetch(apiUrl(pathOf(route, textsOf(params)) + searchOf(query)), {
    method: route.method,
    credentials: 'include',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.any([signal, timeout].filter((each) => each !== undefined)),
  }).catch((error: unknown) => {
    if (!signal?.aborted) doubtConnection()
    throw error
  })
  if (!response.ok) throw new HttpError(response.status, response.statusText, await response.text())
  return response
}

function textsOf(values: unknown): Record<string, string> {
  const entries = Object.entries(values ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function searchOf(query: unknown): string {
  const search = new URLSearchParams(textsOf(query)).toString()
  return search && `?${search}`
}

/** The server answers by the same contract, which its tests hold it to; the page does not parse it a second time. */
async function replyIn<T>(response: Response): Promise<T> {
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}
