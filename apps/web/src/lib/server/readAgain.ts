import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

const EVERY_MS = 1000

/** The families that were read less than a second ago, by their hashed keys: whether they are to be read once more. */
const families = new WeakMap<QueryClient, Map<string, boolean>>()

/**
 * Reads again what a live message has made old: at once, and then at most once a second, however many messages come.
 */
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
  // A read under way may be older than the message. Cancelled each time, it would never end; so another one follows it.
  wanted.set(family, client.isFetching({ queryKey }) > 0)
  void client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  setTimeout(() => {
    const isWanted = wanted.get(family)
    wanted.delete(family)
    if (isWanted) readNow(client, queryKey, family, wanted)
  }, EVERY_MS)
}
