import { QUERY_DEFAULTS, type Parsed, type Route } from '@parley/contract'
import { QueryCache, QueryClient, queryOptions, type QueryKey } from '@tanstack/react-query'
import { HttpError, request, requestPage, type Input } from './http.ts'

type Shape = Route['body']

/** Reads try again, but never without a session: the specification knows that by the 401 in the message. */
export function shouldRetry(failures: number, error: Error): boolean {
  return failures < QUERY_DEFAULTS.readRetries && !error.message.includes('401')
}

export function backOffMs(failures: number): number {
  return Math.min(QUERY_DEFAULTS.backoffFirstMs * 2 ** failures, QUERY_DEFAULTS.backoffMaxMs)
}

export function createQueryClient(onSessionLost: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof HttpError && error.status === 401) onSessionLost()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: QUERY_DEFAULTS.staleMs,
        gcTime: QUERY_DEFAULTS.cacheMs,
        refetchOnWindowFocus: false,
        retry: shouldRetry,
        retryDelay: backOffMs,
      },
      mutations: { retry: false },
    },
  })
}

/** Cache keys begin with the route's id, so that `invalidateQueries({ queryKey: keyOf(route) })` reaches every variant. */
export function keyOf(route: Pick<Route, 'id'>, ...rest: readonly unknown[]): QueryKey {
  return [route.id, ...rest]
}

/** A read of a route as query options: one definition for hooks, loaders and invalidation. */
export function read<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(route: Route<P, Q, B, R>, input: Input<P, Q, B>) {
  return queryOptions<Parsed<R>>({
    queryKey: keyOf(route, input.params, input.query),
    queryFn: ({ signal }) => request(route, { ...input, signal }),
  })
}

/** The same for lists that come in pages. */
export function readPage<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: Route<P, Q, B, R>,
  input: Input<P, Q, B>,
) {
  return queryOptions({
    queryKey: keyOf(route, 'page', input.params, input.query),
    queryFn: ({ signal }) => requestPage(route, { ...input, signal }),
  })
}
