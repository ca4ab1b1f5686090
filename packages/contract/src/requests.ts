import { pathOf, type Route, type Sent } from './route.ts'

// How a route is asked over HTTP. Each client adds its own way in: a cookie of the page, an API key, the cookies of a
// test.

type Shape = Route['body']

type Part<Name extends string, S extends Shape> = S extends undefined
  ? { readonly [key in Name]?: undefined }
  : Partial<Sent<S>> extends Sent<S>
    ? { readonly [key in Name]?: Sent<S> | undefined }
    : { readonly [key in Name]: Sent<S> }

/** What a route wants: its own params, query and body, as the contract types them. */
export type Asked<P extends Shape, Q extends Shape, B extends Shape> = Part<'params', P> &
  Part<'query', Q> &
  Part<'body', B>

/** The same of any route. */
export interface AnyAsked {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** A list that has more pages says in these where the next one begins, and how many there are in all. */
const TOTAL = 'x-total-count'
const NEXT = 'x-next-cursor'

/** A page of a list. Send `nextCursor` as the query's cursor to get the next; null: this is the last. */
export interface Page<T> {
  readonly items: T
  readonly total: number
  readonly nextCursor: string | null
}

/**
 * The path with its query, and what fetch is to send. Whatever is undefined or null in params and query is left out.
 */
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
