/** What `useInfiniteQuery` returns, as far as it matters here. */
interface Growing {
  readonly data?: { readonly items: readonly unknown[] } | undefined
  fetchNextPage(): Promise<Growing & { readonly isError: boolean; readonly hasNextPage: boolean }>
}

const ATTEMPTS_MAX = 3

/**
 * Loads the next page of a list. A refetch of the whole list (after a live message, or when the connection is back)
 * cancels a page that is being loaded: the page is then fetched again, so that a press of "Show more" is never lost.
 */
export async function fetchMore(list: Growing): Promise<void> {
  let before = list.data?.items.length ?? 0
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const { data, isError, hasNextPage } = await list.fetchNextPage()
    const after = data?.items.length ?? 0
    if (isError || !hasNextPage || after > before) return
    before = after
  }
}
