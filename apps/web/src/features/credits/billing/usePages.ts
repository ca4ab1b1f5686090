import { LIST_LIMIT_DEFAULT } from '@parley/contract'
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '../../../lib/http.ts'

/** The pages of a list, by the cursors that led to them. */
export function usePages<T>(queryAt: (cursor: string | undefined) => UseQueryOptions<Page<T>>) {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const page = useQuery({ ...queryAt(cursors.at(-1)), placeholderData: keepPreviousData })
  const nextCursor = page.isPlaceholderData ? undefined : page.data?.nextCursor
  return {
    ...page,
    /** How many stand on the pages before this one. */
    before: cursors.length * LIST_LIMIT_DEFAULT,
    newer: cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined,
    older: nextCursor === undefined ? undefined : () => setCursors([...cursors, nextCursor]),
  }
}
