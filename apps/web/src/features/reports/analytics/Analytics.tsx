import { ANALYTICS_DAYS_DEFAULT, type Call } from '@parley/contract'
import { reportsRoutes } from '@parley/contract/page'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { request } from '../../../lib/server/http.ts'
import { keyOf } from '../../../lib/server/queries.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useHead } from '../../../lib/heads.ts'
import { useWords } from '../../../words/index.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { PageHead } from '../../../ui/Card.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx'
import { CallList } from './CallList.tsx'
import { lastDays, type Days } from './period.ts'
import { PeriodCards } from './PeriodCards.tsx'
import { PeriodChooser } from './PeriodChooser.tsx'
import { Pictures } from './Pictures.tsx'
import { Summaries } from './Summaries.tsx'

const PICTURES = [1, 2, 3, 4] as const

/** The server groups by the user's time zone; part of the key, because another zone gives other figures. */
function analyticsQuery(id: string, days: Days, timezone: string) {
  return queryOptions({
    queryKey: keyOf(reportsRoutes.analytics, { id }, days, timezone),
    queryFn: ({ signal }) => request(reportsRoutes.analytics, { params: { id }, query: days, signal }),
  })
}

/** A period in numbers and charts, then summaries and calls. */
export function Analytics({ renderCall }: { readonly renderCall: (call: Call) => ReactNode }) {
  const { analytics } = useWords().reports
  const { id, timezone } = useSignedInUser()
  const [days, setDays] = useState(() => lastDays(ANALYTICS_DAYS_DEFAULT, timezone))
  const query = useQuery({ ...analyticsQuery(id, days, timezone), placeholderData: keepPreviousData })
  return (
    <>
      <PageHead {...useHead('/analytics')}>
        <PeriodChooser timezone={timezone} days={days} onDays={setDays} />
      </PageHead>
      <div className="grid grid-cols-1 gap-8">
        {query.isError && !query.data ? (
          <ErrorState title={analytics.failedTitle} retrying={query.isFetching} onRetry={() => void query.refetch()} />
        ) : (
          <div className="grid grid-cols-1 gap-6" aria-busy={query.isPlaceholderData}>
            <PeriodCards totals={query.data?.totals} />
            {query.isPending && (
              <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
                {PICTURES.map((picture) => (
                  <Skeleton key={picture} className="h-93 rounded-base" />
                ))}
              </div>
            )}
            {query.data && query.data.totals.calls > 0 && (
              <>
                <Pictures analytics={query.data} />
                <p className="text-sm text-muted">
                  {analytics.zone(query.data.timezone)}{' '}
                  <Link to="/settings" className="link">
                    {analytics.changeZone}
                  </Link>
                </p>
              </>
            )}
            {query.data?.totals.calls === 0 && (
              <EmptyState title={analytics.emptyTitle} hint={analytics.emptyHint}>
                <ButtonLink>
                  <Link to="/make-call">{analytics.makeCall}</Link>
                </ButtonLink>
              </EmptyState>
            )}
          </div>
        )}
        {/* Loaded at once but rendered after the figures have their size, so that nothing shifts. */}
        <div className="grid grid-cols-1 gap-8" hidden={query.isPending}>
          <Summaries />
          <CallList renderCall={renderCall} />
        </div>
      </div>
    </>
  )
}
