import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fetchMore } from '../../lib/server/fetchMore.ts'
import { count } from '../../lib/format/format.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { batchesQuery } from './api.ts'
import { doneOf } from './plan.ts'
import { toneOf } from './status.ts'

/** Earlier batches and drafts. */
export function BatchList() {
  const { list, statuses } = useWords().batches
  const { id } = useSignedInUser()
  const query = useInfiniteQuery({ ...batchesQuery(id), refetchOnMount: 'always' })
  const items = query.data?.items ?? []
  if (query.isError && !query.data)
    return <ErrorState title={list.failedTitle} retrying={query.isFetching} onRetry={() => void query.refetch()} />
  if (items.length === 0) return null
  return (
    <section aria-labelledby="batches" className="mt-10">
      <h2 id="batches" className="mb-4 text-lg font-semibold">
        {list.title}
      </h2>
      <ul className="divide-y divide-line rounded-base border border-line bg-surface shadow-soft">
        {items.map((batch) => (
          <li key={batch.id} className="relative flex items-center justify-between gap-3 px-4 py-3 sm:px-5">
            <div className="min-w-0">
              <Link
                to="."
                search={{ tab: 'batch', batch: batch.id }}
                aria-label={list.openBatch(batch.name)}
                className="block truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-brand"
              >
                {batch.name}
              </Link>
              <p className="tabular text-sm text-muted">
                {list.line(count(doneOf(batch.contacts)), count(batch.totalCalls))} · <TimeAgo at={batch.createdAt} />
              </p>
            </div>
            <Badge tone={toneOf(batch.status)} pulse={batch.status === 'running'}>
              {statuses[batch.status]}
            </Badge>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          pending={query.isFetchingNextPage}
          onClick={() => void fetchMore(query)}
        >
          {list.more}
        </Button>
      )}
    </section>
  )
}
