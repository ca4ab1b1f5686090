import { CALLS_FOUND_MAX, LIST_LIMIT_DEFAULT, type Call } from '@parley/contract'
import { reportsRoutes } from '@parley/contract/page'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { fetchMore } from '../../../lib/server/fetchMore.ts'
import { count } from '../../../lib/format/format.ts'
import { readGrowing } from '../../../lib/server/queries.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useSettled } from '../../../lib/useSettled.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { optionsOf, Select } from '../../../ui/form/Select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx'

const STATUSES = ['all', 'completed', 'failed', 'in_progress'] as const
type Status = (typeof STATUSES)[number]

/** Every call, by text and status. The screen decides how a call is rendered. */
export function CallList({ renderCall }: { readonly renderCall: (call: Call) => ReactNode }) {
  const { list } = useWords().reports
  const { id } = useSignedInUser()
  const [typed, setTyped] = useState('')
  const [status, setStatus] = useState<Status>('all')
  const q = useSettled(typed.trim())
  const calls = useInfiniteQuery({
    ...readGrowing(reportsRoutes.calls, {
      params: { id },
      query: { limit: LIST_LIMIT_DEFAULT, status, ...(q && { q }) },
    }),
    placeholderData: keepPreviousData,
  })
  const items = calls.data?.items ?? []
  // The server counts matches only up to this number.
  const foundText = (total: number, words: string) =>
    words !== '' && total > CALLS_FOUND_MAX ? list.foundMore(count(CALLS_FOUND_MAX)) : list.found(total, count(total))
  return (
    <section aria-labelledby="found-calls">
      <div className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-3">
        <h2 id="found-calls" className="mr-auto w-full text-lg font-semibold md:w-auto">
          {list.title}
        </h2>
        <Field label={list.search} className="w-full flex-1 sm:w-auto sm:min-w-64 md:max-w-sm">
          <Input
            type="search"
            value={typed}
            placeholder={list.searchPlaceholder}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <Field label={list.status} className="w-40 max-sm:w-full">
          <Select value={status} onValueChange={setStatus} options={optionsOf(STATUSES, list.statuses)} />
        </Field>
      </div>
      <p className="tabular mb-3 text-sm text-muted" aria-live="polite">
        {calls.data && foundText(calls.data.total, q)}
      </p>
      {calls.isError && !calls.data && (
        <ErrorState title={list.failedTitle} retrying={calls.isFetching} onRetry={() => void calls.refetch()} />
      )}
      {calls.isPending && <Skeleton className="h-64 rounded-base" />}
      {calls.data && items.length === 0 && <EmptyState title={list.emptyTitle} hint={list.emptyHint} />}
      {items.length > 0 && (
        <ul aria-busy={calls.isPlaceholderData} className="rounded-base border border-line bg-surface shadow-soft">
          {items.map((call) => (
            <li
              key={call.id}
              className="[contain-intrinsic-size:auto_4.5rem] [content-visibility:auto] border-t border-line px-4 py-3 first:border-t-0 sm:px-5"
            >
              {renderCall(call)}
            </li>
          ))}
        </ul>
      )}
      {calls.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          pending={calls.isFetchingNextPage}
          onClick={() => void fetchMore(calls)}
        >
          {list.more}
        </Button>
      )}
    </section>
  )
}
