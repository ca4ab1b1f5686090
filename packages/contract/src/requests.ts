import { pathOf, type Route, type Sent } from './route.ts'

// Builds the HTTP request of a route. Each client adds its own credentials: a page's cookie, an API key or a test's
// cookies.

type Shape = Route['body']

type Part<Name extends string, S extends Shape> = S extends undefined
  ? { readonly [key in Name]?: undefined }
  : Partial<Sent<S>> extends Sent<S>
    ? { readonly [key in Name]?: Sent<S> | undefined }
    : { readonly [key in Name]: Sent<S> }

/** The params, query and body of a route, typed by the contract. */
export type Asked<P extends Shape, Q extends Shape, B extends Shape> = Part<'params', P> &
  Part<'query', Q> &
  Part<'body', B>

/** The same of any route. */
export interface AnyAsked {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** Response headers of a list: the total, and the cursor of the next page. */
const TOTAL = 'x-total-count'
const NEXT = 'x-next-cursor'

/** A page of a list. Send `nextCursor` as the query's cursor to get the next; null: this is the last. */
export interface Page<T> {
  readonly items: T
  readonly total: number
  readonly nextCursor: string | null
}

/** The path with its query, and the init of fetch. Undefined and null values are left out. */
export function requestOf(
  route: Pick<Route, 'method' | 'path'>,
  { params, query, body }: AnyAsked,
): { path: string; method: string; headers: Record<string, string>; body?: string } {
  const search = new URLSearchParams(textsOf(query)).toString()
  return {
    path: pathOf(route, textsOf(params)) + (search && `?${search}`),
    method: route.method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

export function pageOf<T>(items: T, headers: { get(name: string): string | null }): Page<T> {
  const counted = Array.isArray(items) ? items.length : 0
  return { items, total: Number(headers.get(TOTAL) ?? counted), nextCursor: headers.get(NEXT) }
}

function textsOf(values: unknown): Record<string, string> {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
