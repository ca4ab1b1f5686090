import { QUERY_DEFAULTS, type Parsed, type RouteReference } from '@parley/contract'
import {
  infiniteQueryOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  type InfiniteData,
  type QueryKey,
} from '@tanstack/react-query'
import { HttpError, request, requestPage, type Input, type Page } from './http.ts'

type Shape = RouteReference['body']

/** Reads try again, but never without a session: the specification knows that by the 401 in the message. */
export function shouldRetry(failures: number, error: Error): boolean {
  return failures < QUERY_DEFAULTS.readRetries && !error.message.includes('401')
}

export function backOffMs(failures: number): number {
  return Math.min(QUERY_DEFAULTS.backoffFirstMs * 2 ** failures, QUERY_DEFAULTS.backoffMaxMs)
}

export function createQueryClient(onSessionLost: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof HttpError && error.status === 401) onSessionLost()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: QUERY_DEFAULTS.staleMs,
        gcTime: QUERY_DEFAULTS.cacheMs,
        refetchOnWindowFocus: false,
        retry: shouldRetry,
        retryDelay: backOffMs,
      },
      // What a person asks for while offline fails in front of them; it does not happen later, unasked.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/**
 * For what a screen begins by a POST as it opens: done once, whatever is invalidated or comes back meanwhile.
 * Only `refetch` begins anew, and so does the screen opened again.
 */
export const BEGUN_ONCE = { staleTime: 'static', gcTime: 0, retry: false } as const

/** What was begun is over: it is gone at once, and not only when `refetch` has begun another. */
export function forgetBegun(client: QueryClient, queryKey: QueryKey): void {
  client.getQueryCache().find({ queryKey, exact: true })?.reset()
}

/**
 * Cache keys begin with the route's id, so that `invalidateQueries({ queryKey: keyOf(route) })` reaches every variant.
 */
export function keyOf(route: Pick<RouteReference, 'id'>, ...rest: readonly unknown[]): QueryKey {
  return [route.id, ...rest]
}

/** A read of a route as query options: one definition for hooks, loaders and invalidation. */
export function read<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: RouteReference<P, Q, B, R>,
  input: Input<P, Q, B>,
) {
  return queryOptions<Parsed<R>>({
    queryKey: keyOf(route, input.params, input.query),
    queryFn: ({ signal }) => request(route, { ...input, signal }),
  })
}

/** The same for lists that come in pages. */
export function readPage<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: RouteReference<P, Q, B, R>,
  input: Input<P, Q, B>,
) {
  return queryOptions({
    queryKey: keyOf(route, 'page', input.params, input.query),
    queryFn: ({ signal }) => requestPage(route, { ...input, signal }),
  })
}

/** The same for lists that grow, a page at a time, as somebody asks for more. */
export function readGrowing<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: RouteReference<P, Q, B, R>,
  input: Input<P, Q, B>,
) {
  return infiniteQueryOptions({
    queryKey: keyOf(route, 'growing', input.params, input.query),
    queryFn: ({ signal, pageParam }) => requestPage(route, { ...withCursor(input, pageParam), signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: (data) => inOne(data),
  })
}

/**
 * What has been read of a growing list: pages of a list are lists, and one after the other they are one of the same
 * kind.
 */
function inOne<Items>({ pages }: InfiniteData<Page<Items>>): { readonly items: Items; readonly total: number } {
  return { items: pages.flatMap(({ items }) => items) as Items, total: pages[0]?.total ?? 0 }
}

/** Every list that comes in pages takes a cursor, beside what else may be asked of it. */
function withCursor<I extends { readonly query?: unknown }>(input: I, cursor: string | undefined): I {
  return cursor === undefined ? input : { ...input, query: { ...Object(input.query), cursor } }
}
