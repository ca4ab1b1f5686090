import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { count } from '../../../lib/format/format.ts'
import { useIsWide } from '../../../lib/media.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { usePages } from '../../../lib/server/usePages.ts'
import { useWords } from '../../../words/index.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Pager, Records, RecordSheet } from '../../../ui/Records.tsx'
import { EmptyState } from '../../../ui/states.tsx'
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
  return (
    <Records
      query={{ ...pages, data: isLoaded ? pages.data : undefined }}
      failedTitle={history.failedTitle}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <EmptyState title={history.emptyTitle} hint={history.emptyHint}>
          <ButtonLink>
            <Link to="/make-call">{history.makeCall}</Link>
          </ButtonLink>
        </EmptyState>
      }
    >
      {({ items, total }) => (
        <>
          <RecordSheet
            isBusy={pages.isPlaceholderData}
            foot={
              <Pager pages={pages} labels={history}>
                {history.showing(count(pages.before + 1), count(pages.before + items.length), count(total))}
              </Pager>
            }
          >
            <List calls={items} onView={viewCall} onRetry={callAgain} isRetrying={isWaiting} />
          </RecordSheet>
          {confirmation}
        </>
      )}
    </Records>
  )
}
