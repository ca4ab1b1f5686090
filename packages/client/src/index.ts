import {
  accountsRoutes,
  batchesRoutes,
  callsRoutes,
  consentRoutes,
  contactsRoutes,
  type ErrorCode,
  ErrorReply,
  pathOf,
  reportsRoutes,
  type Route,
  type Sent,
  templatesRoutes,
} from '@parley/contract'
import type { z } from 'zod'

/** What the server refused: a code to act on, and its own sentence. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  readonly status: number
  readonly code: ErrorCode
  readonly field: string | undefined
  /** When to come back, where the server said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, reply: ErrorReply, retryAfterSeconds?: number) {
    super(reply.message)
    this.status = status
    this.code = reply.code
    this.field = reply.field
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A page of a list. Send `nextCursor` as the query's cursor to get the next; null: this is the last. */
export interface Page<T> {
  readonly items: T
  readonly total: number
  readonly nextCursor: string | null
}

type Shape<R, Name extends string> = R extends { readonly [key in Name]?: infer S extends z.ZodType } ? S : undefined
type Part<Name extends string, S extends z.ZodType | undefined> = S extends undefined
  ? { readonly [key in Name]?: undefined }
  : Partial<Sent<S>> extends Sent<S>
    ? { readonly [key in Name]?: Sent<S> }
    : { readonly [key in Name]: Sent<S> }

interface Options {
  readonly signal?: AbortSignal
  /** The same key and body have one effect, however often they are sent. */
  readonly idempotencyKey?: string
  /** For routes that take a file. */
  readonly file?: Blob | string
}

type Asked<R> = Part<'params', Shape<R, 'params'>> & Part<'query', Shape<R, 'query'>> & Part<'body', Shape<R, 'body'>> & Options
type Answer<R> =
  Shape<R, 'reply'> extends infer S ? (S extends z.ZodArray ? Page<z.output<S>> : S extends z.ZodType ? z.output<S> : Response) : never
type Method<R> = object extends Asked<R> ? (asked?: Asked<R>) => Promise<Answer<R>> : (asked: Asked<R>) => Promise<Answer<R>>

/** The routes that a key opens. */
type Methods<Routes> = { readonly [K in keyof Routes as Routes[K] extends { readonly access: 'account' } ? K : never]: Method<Routes[K]> }

const ROOMS = {
  account: accountsRoutes,
  calls: callsRoutes,
  templates: templatesRoutes,
  batches: batchesRoutes,
  contacts: contactsRoutes,
  doNotCall: consentRoutes,
  reports: reportsRoutes,
} as const

export type Parley = { readonly [Room in keyof typeof ROOMS]: Methods<(typeof ROOMS)[Room]> }

export interface ClientOptions {
  /** Where Parley is, such as https://parley.example. */
  readonly url: string
  /** An API key, from Settings. */
  readonly key: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Everything a key may do, named and typed as the contract says: `parley.calls.place({ body: { callee, purpose } })`. */
export function createClient(options: ClientOptions): Parley {
  const rooms = Object.entries(ROOMS).map(([room, routes]) => [room, methodsOf(routes, options)])
  // Each room has a method for each of its routes, as Parley says.
  return Object.fromEntries(rooms) as Parley
}

function methodsOf(
  routes: Readonly<Record<string, Route>>,
  options: ClientOptions,
): Record<string, (asked?: AnyAsked) => Promise<unknown>> {
  const open = Object.entries(routes).filter(([, { access }]) => access === 'account')
  return Object.fromEntries(open.map(([name, route]) => [name, (asked: AnyAsked = {}) => ask(options, route, asked)]))
}

interface AnyAsked extends Options {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

async function ask({ url, key, fetch = globalThis.fetch }: ClientOptions, route: Route, asked: AnyAsked): Promise<unknown> {
  const { params, query, body, file, signal, idempotencyKey } = asked
  const search = new URLSearchParams(texts(query)).toString()
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (file !== undefined) headers['content-type'] = 'application/octet-stream'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const sent = body === undefined ? file : JSON.stringify(body)
  const response = await fetch(`${url.replace(/\/$/, '')}${pathOf(route, texts(params))}${search === '' ? '' : `?${search}`}`, {
    method: route.method,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw await errorOf(response)
  return route.reply ? answerOf(response) : response
}

async function answerOf(response: Response): Promise<unknown> {
  const data: unknown = await response.json()
  if (!Array.isArray(data)) return data
  return {
    items: data,
    total: Number(response.headers.get('x-total-count') ?? data.length),
    nextCursor: response.headers.get('x-next-cursor'),
  }
}

/** A proxy's error page is no answer of Parley: it is unavailable. */
async function errorOf(response: Response): Promise<ParleyError> {
  const text = await response.text()
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const reply = ErrorReply.safeParse(jsonOf(text))
  const known = reply.success ? reply.data : { code: 'unavailable' as const, message: `Parley answered ${response.status}.` }
  return new ParleyError(response.status, known, Number.isNaN(after) ? undefined : after)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function texts(values: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
