import type { z } from 'zod'
import type { ErrorCode } from './errors-shapes.ts'

/**
 * Who may use a route.
 * - public: anyone
 * - session: a signed-in person's cookie, never an API key
 * - account: a signed-in person or an API key of the account
 * - service: the voice service or a vendor, which proves itself by a secret or a signature
 */
export type Access = 'public' | 'session' | 'account' | 'service'

/** Scopes of an API key: `read` for reading, a room's own scope for writing. */
export const KEY_SCOPES = ['read', 'calls', 'contacts', 'batches'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** The scope a key needs for a route; null: no key is accepted. */
export function scopeOf({
  access,
  method,
  room,
  scope,
}: Pick<Route, 'access' | 'method' | 'room' | 'scope'>): KeyScope | null {
  if (access !== 'account') return null
  if (method === 'GET') return 'read'
  return scope ?? KEY_SCOPES.find((each) => each === room) ?? null
}

export type Room =
  | 'accounts'
  | 'contacts'
  | 'credits'
  | 'consent'
  | 'calls'
  | 'batches'
  | 'notices'
  | 'reports'
  | 'system'

type Shape = z.ZodType | undefined

/** One route of the product: input, output and access. Params are written `:id`. */
export interface Route<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends Shape = Shape,
  A extends Access = Access,
> {
  /** Unique, camelCase; the operationId of the OpenAPI document. */
  readonly id: string
  readonly room: Room
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  readonly access: A
  readonly summary: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** The JSON answer; absent for redirects, files and streams. */
  readonly reply?: R
  /** Status of the answer without an error. Default 200. */
  readonly status?: number
  /** Codes beyond those every route of its access may answer. */
  readonly errors?: readonly ErrorCode[]
  /** The answer is a page of a list: X-Total-Count and, when there is more, X-Next-Cursor. */
  readonly paged?: boolean
  /** A GET with an effect, for browser navigation: refuses HEAD, which mail scanners send. */
  readonly changes?: boolean
  /** The handler honours the Idempotency-Key header. */
  readonly idempotent?: boolean
  /** Needs a step-up: the effect would outlive a stolen session. `email`: only when the body changes the address. */
  readonly stepUp?: 'always' | 'email'
  /** A download: takes a one-use ticket in place of a credential (SHELL_HEADER). */
  readonly ticket?: boolean
  /** The scope for writing, if other than the room's own. */
  readonly scope?: KeyScope
  /** The body is a form posted by another site; the handler checks its proof. */
  readonly form?: boolean
  /** The body is a file as it is, of type audio/wav, text/csv, application/json or application/octet-stream. */
  readonly file?: boolean
  /** Limit of the body. Default BODY_MAX_BYTES. */
  readonly bodyBytes?: number
}

/** All that a client needs of a route. Its shapes are there for their types; a page has none at run time (page.ts). */
export type RouteReference<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends Shape = Shape,
> = Pick<Route<P, Q, B, R>, 'id' | 'method' | 'path' | 'params' | 'query' | 'body' | 'reply'>

/** What a body may be long where its route says nothing else. */
export const BODY_MAX_BYTES = 1024 * 1024

/** Keeps a route's exact types, so that api and web infer their handlers and calls from it. */
export function defineRoute<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  R extends Shape = undefined,
  A extends Access = Access,
>(route: Route<P, Q, B, R, A>): Route<P, Q, B, R, A> {
  return route
}

/** What a caller sends for a shape (before defaults are filled in). */
export type Sent<S extends Shape> = S extends z.ZodType ? z.input<S> : undefined
/** What a handler works with (after parsing). */
export type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined

/** Fills `:name` segments; values are percent-encoded. Throws on a missing one. */
export function pathOf(route: Pick<Route, 'path'>, params: Readonly<Record<string, string>> = {}): string {
  return route.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${route.path} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
}
