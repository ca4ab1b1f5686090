import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

const EVERY_MS = 1000

/** Query families refetched less than 1 s ago, by hashed key, with whether another refetch is due. */
const families = new WeakMap<QueryClient, Map<string, boolean>>()

/** Refetches what a live message made stale: at once, then at most once per second. */
export function readAgain(client: QueryClient, ...queryKeys: readonly QueryKey[]): void {
  const wanted = families.get(client) ?? new Map<string, boolean>()
  families.set(client, wanted)
  for (const queryKey of queryKeys) {
    const family = hashKey(queryKey)
    if (wanted.has(family)) wanted.set(family, true)
    else readNow(client, queryKey, family, wanted)
  }
}

function readNow(client: QueryClient, queryKey: QueryKey, family: string, wanted: Map<string, boolean>): void {
  // A running fetch may be older than the message. Cancelling it each time would starve it, so another one follows.
  wanted.set(family, client.isFetching({ queryKey }) > 0)
  void client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  setTimeout(() => {
    const isWanted = wanted.get(family)
    wanted.delete(family)
    if (isWanted) readNow(client, queryKey, family, wanted)
  }, EVERY_MS)
}
