import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { count } from '../../../lib/format/format.ts'
import { useIsWide } from '../../../lib/media.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { usePages } from '../../../lib/server/usePages.ts'
import { useWords } from '../../../words/index.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/states.tsx'
import { historyQuery } from '../api.ts'
import { useCallAgain } from '../placing/useCallAgain.tsx'
import { CallCards } from './CallCards.tsx'
import { CallTable } from './CallTable.tsx'
import { viewCall } from './viewedCall.ts'

/** All calls, fifty a page: a table where there is room, cards on a phone. */
export function CallHistory() {
  const { history } = useWords().calls
  const { id } = useSignedInUser()
  const pages = usePages((cursor) => historyQuery(id, cursor))
  const { callAgain, isWaiting, confirmation } = useCallAgain()
  // The first rows are drawn in slices, so that a slow phone can be touched meanwhile.
  const isLoaded = useDeferredValue(pages.data !== undefined)
  const List = useIsWide() ? CallTable : CallCards
  if (!pages.data || !isLoaded)
    return pages.isError ? (
      <ErrorState title={history.failedTitle} retrying={pages.isFetching} onRetry={() => void pages.refetch()} />
    ) : (
      <LoadingRows />
    )
  const { items, total } = pages.data
  if (items.length === 0)
    return (
      <EmptyState title={history.emptyTitle} hint={history.emptyHint}>
        <ButtonLink>
          <Link to="/make-call">{history.makeCall}</Link>
        </ButtonLink>
      </EmptyState>
    )
  return (
    <div className="overflow-hidden rounded-base border border-line bg-surface shadow-soft">
      <div
        className={pages.isPlaceholderData ? 'opacity-60 transition-opacity' : undefined}
        aria-busy={pages.isPlaceholderData}
      >
        <List calls={items} onView={viewCall} onRetry={callAgain} isRetrying={isWaiting} />
      </div>
      <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 sm:px-5">
        <p className="tabular text-sm text-muted" aria-live="polite">
          {history.showing(count(pages.before + 1), count(pages.before + items.length), count(total))}
        </p>
        <div className="flex gap-2">
          <Button variant="secondary" size="small" disabled={!pages.previous} onClick={pages.previous}>
            {history.previous}
          </Button>
          <Button variant="secondary" size="small" disabled={!pages.next} onClick={pages.next}>
            {history.next}
          </Button>
        </div>
      </footer>
      {confirmation}
    </div>
  )
}
