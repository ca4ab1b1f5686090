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

/** Reads are retried, but not without a session, which the specification recognizes by 401 in the message. */
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
      // A mutation made offline fails at once instead of running later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/**
 * For a POST that a screen sends when it opens: once, despite invalidation or a reconnect. Only `refetch` and
 * reopening the screen send it again.
 */
export const BEGUN_ONCE = { staleTime: 'static', gcTime: 0, retry: false } as const

/** Clears the result at once, before `refetch` has a new one. */
export function forgetBegun(client: QueryClient, queryKey: QueryKey): void {
  client.getQueryCache().find({ queryKey, exact: true })?.reset()
}

/**
 * Cache keys start with the route's id, so that `invalidateQueries({ queryKey: keyOf(route) })` matches every
 * variant.
 */
export function keyOf(route: Pick<RouteReference, 'id'>, ...rest: readonly unknown[]): QueryKey {
  return [route.id, ...rest]
}

/** Query options of a read: one definition for hooks, loaders and invalidation. */
export function read<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: RouteReference<P, Q, B, R>,
  input: Input<P, Q, B>,
) {
  return queryOptions<Parsed<R>>({
    queryKey: keyOf(route, input.params, input.query),
    queryFn: ({ signal }) => request(route, { ...input, signal }),
  })
}

/** The same for paged lists. */
export function readPage<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: RouteReference<P, Q, B, R>,
  input: Input<P, Q, B>,
) {
  return queryOptions({
    queryKey: keyOf(route, 'page', input.params, input.query),
    queryFn: ({ signal }) => requestPage(route, { ...input, signal }),
  })
}

/** The same for lists that load more on request. */
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

/** The pages joined into one list; all have the route's item type, which the cast says. */
function inOne<Items>({ pages }: InfiniteData<Page<Items>>): { readonly items: Items; readonly total: number } {
  return { items: pages.flatMap(({ items }) => items) as Items, total: pages[0]?.total ?? 0 }
}

/** Every paged list takes a cursor, besides its other parameters. */
function withCursor<I extends { readonly query?: unknown }>(input: I, cursor: string | undefined): I {
  return cursor === undefined ? input : { ...input, query: { ...Object(input.query), cursor } }
}
