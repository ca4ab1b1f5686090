import { LIST_LIMIT_DEFAULT } from '@parley/contract'
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from './http.ts'

/** A paged list with the cursors visited so far. */
export function usePages<T>(queryAt: (cursor: string | undefined) => UseQueryOptions<Page<T>>) {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const page = useQuery({ ...queryAt(cursors.at(-1)), placeholderData: keepPreviousData })
  const before = cursors.length * LIST_LIMIT_DEFAULT
  // Keeps the previous page and its numbers while the next one loads.
  const [shownBefore, setShownBefore] = useState(before)
  if (!page.isPlaceholderData && shownBefore !== before) setShownBefore(before)
  const nextCursor = page.isPlaceholderData ? undefined : page.data?.nextCursor
  return {
    ...page,
    /** Items on the pages before the current one. */
    before: shownBefore,
    previous: cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined,
    next: nextCursor === null || nextCursor === undefined ? undefined : () => setCursors([...cursors, nextCursor]),
  }
}
