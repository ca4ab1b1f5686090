import { RECENT_CALLS, type Call } from '@parley/contract'
import { reportsRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readPage } from '../../lib/server/queries.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Card, CardTitle } from '../../ui/Card.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'

const PLACES = Array.from({ length: RECENT_CALLS }, (_, place) => place)

/** The latest calls. The screen decides how a call is rendered. */
export function RecentActivity({ renderCall }: { readonly renderCall: (call: Call) => ReactNode }) {
  const { recent } = useWords().reports
  const { id } = useSignedInUser()
  const { data, isError, isFetching, refetch } = useQuery(
    readPage(reportsRoutes.calls, { params: { id }, query: { limit: RECENT_CALLS } }),
  )
  const calls = data?.items ?? []
  return (
    <Card aria-labelledby="recent-activity">
      <CardTitle id="recent-activity" title={recent.title} />
      {isError && !data && (
        <ErrorState title={recent.failedTitle} retrying={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !isError && (
        <div aria-busy="true" className="grid gap-5">
          {PLACES.map((place) => (
            <div key={place} className="grid gap-1.5">
              <Skeleton className="h-6 w-40" />
              <Skeleton className="h-4 w-full" />
            </div>
          ))}
        </div>
      )}
      {data && calls.length === 0 && <p className="text-muted">{recent.empty}</p>}
      {calls.length > 0 && (
        <ul className="grid grid-cols-1 gap-5">
          {calls.map((call) => (
            <li key={call.id}>{renderCall(call)}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}
