import { LIST_LIMIT_DEFAULT } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSignedInUser } from '../../../lib/session.ts'
import { historyQuery } from '../api.ts'

/** The pages of the history, by the cursors that led to them. */
export function usePages() {
  const { id } = useSignedInUser()
  const [cursors, setCursors] = useState<readonly string[]>([])
  const page = useQuery({ ...historyQuery(id, cursors.at(-1)), placeholderData: keepPreviousData })
  const nextCursor = page.isPlaceholderData ? undefined : page.data?.nextCursor
  return {
    ...page,
    /** How many calls stand on the pages before this one. */
    before: cursors.length * LIST_LIMIT_DEFAULT,
    previous: cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined,
    next: nextCursor === undefined ? undefined : () => setCursors([...cursors, nextCursor]),
  }
}
