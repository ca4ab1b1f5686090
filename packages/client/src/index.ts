import {
  accountsRoutes,
  type AnyAsked,
  type Asked,
  batchesRoutes,
  callerNumbersRoutes,
  callsRoutes,
  consentRoutes,
  contactsRoutes,
  type ErrorCode,
  ErrorReply,
  type Page,
  pageOf,
  reportsRoutes,
  requestOf,
  type Route,
  templatesRoutes,
} from '@parley/contract'
import type { z } from 'zod'

export type { Page } from '@parley/contract'

/** A refusal by the server: a code to act on and its message. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  readonly status: number
  readonly code: ErrorCode
  readonly field: string | undefined
  /** The Retry-After header, in seconds. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, reply: ErrorReply, retryAfterSeconds?: number) {
    super(reply.message)
    this.status = status
    this.code = reply.code
    this.field = reply.field
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Shape<R, Name extends string> = R extends { readonly [key in Name]?: infer S extends z.ZodType } ? S : undefined
interface Options {
  readonly signal?: AbortSignal
  /** Repeated requests with the same key and body have one effect. */
  readonly idempotencyKey?: string
  /** For routes that take a file. */
  readonly file?: Blob | string
}

type AskedOf<R> = Asked<Shape<R, 'params'>, Shape<R, 'query'>, Shape<R, 'body'>> & Options
type Answer<R> =
  Shape<R, 'reply'> extends infer S
    ? S extends z.ZodArray
      ? Page<z.output<S>>
      : S extends z.ZodType
        ? z.output<S>
        : Response
    : never
type Method<R> =
  object extends AskedOf<R> ? (asked?: AskedOf<R>) => Promise<Answer<R>> : (asked: AskedOf<R>) => Promise<Answer<R>>

/** The routes that a key opens. */
type Methods<Routes> = {
  readonly [K in keyof Routes as Routes[K] extends { readonly access: 'account' } ? K : never]: Method<Routes[K]>
}

const ROOMS = {
  account: accountsRoutes,
  calls: callsRoutes,
  callerNumbers: callerNumbersRoutes,
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

/**
 * Everything a key may do, named and typed as the contract says: `parley.calls.place({ body: { callee, purpose } })`.
 */
export function createClient(options: ClientOptions): Parley {
  const rooms = Object.entries(ROOMS).map(([room, routes]) => [room, methodsOf(routes, options)])
  // Each room has a method for each of its routes (`Parley`).
  return Object.fromEntries(rooms) as Parley
}

function methodsOf(
  routes: Readonly<Record<string, Route>>,
  options: ClientOptions,
): Record<string, (asked?: AnyAsked & Options) => Promise<unknown>> {
  const open = Object.entries(routes).filter(([, { access }]) => access === 'account')
  return Object.fromEntries(
    open.map(([name, route]) => [name, (asked: AnyAsked & Options = {}) => ask(options, route, asked)]),
  )
}

async function ask(
  { url, key, fetch = globalThis.fetch }: ClientOptions,
  route: Route,
  asked: AnyAsked & Options,
): Promise<unknown> {
  const { file, signal, idempotencyKey } = asked
  const { path, headers, ...init } = requestOf(route, asked)
  const response = await fetch(url.replace(/\/$/, '') + path, {
    ...init,
    headers: {
      ...headers,
      authorization: `Bearer ${key}`,
      ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(file !== undefined && { body: file }),
    ...(signal !== undefined && { signal }),
  })
  if (!response.ok) throw await errorOf(response)
  return route.reply ? answerOf(response) : response
}

async function answerOf(response: Response): Promise<unknown> {
  const data: unknown = await response.json()
  return Array.isArray(data) ? pageOf(data, response.headers) : data
}

/** An answer without Parley's error shape, such as a proxy's page, counts as `unavailable`. */
async function errorOf(response: Response): Promise<ParleyError> {
  const text = await response.text()
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const reply = ErrorReply.safeParse(jsonOf(text))
  const known = reply.success
    ? reply.data
    : { code: 'unavailable' as const, message: `Parley answered ${response.status}.` }
  return new ParleyError(response.status, known, Number.isNaN(after) ? undefined : after)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
