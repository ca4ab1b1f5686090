import { LIST_LIMIT_DEFAULT } from '@parley/contract'
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from './http.ts'

/** The pages of a list, by the cursors that led to them. */
export function usePages<T>(queryAt: (cursor: string | undefined) => UseQueryOptions<Page<T>>) {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const page = useQuery({ ...queryAt(cursors.at(-1)), placeholderData: keepPreviousData })
  const before = cursors.length * LIST_LIMIT_DEFAULT
  // While the next page is on its way the last one still stands there, under its own numbers.
  const [shownBefore, setShownBefore] = useState(before)
  if (!page.isPlaceholderData && shownBefore !== before) setShownBefore(before)
  const nextCursor = page.isPlaceholderData ? undefined : page.data?.nextCursor
  return {
    ...page,
    /** How many stand on the pages before the one that is shown. */
    before: shownBefore,
    previous: cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined,
    next: nextCursor === null || nextCursor === undefined ? undefined : () => setCursors([...cursors, nextCursor]),
  }
}
