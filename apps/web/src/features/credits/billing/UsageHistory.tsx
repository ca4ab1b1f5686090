import { USAGE_HISTORY_DAYS } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count, duration, exactDate } from '../../../lib/format/format.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/states.tsx'
import { usageQuery } from '../api.ts'
import { CELL, HEAD, Sheet } from './table.tsx'

/** The last ten days by the day a call ended, and what they come to. */
export function UsageHistory() {
  const { usage } = useWords().credits
  const { id } = useSignedInUser()
  const { data, isError, isFetching, refetch } = useQuery(usageQuery(id))
  if (!data)
    return isError ? (
      <ErrorState title={usage.failedTitle} retrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <LoadingRows />
    )
  const days = data.days.filter(({ calls }) => calls > 0)
  if (days.length === 0)
    return (
      <EmptyState title={usage.empty(USAGE_HISTORY_DAYS)} hint={usage.emptyHint}>
        <ButtonLink>
          <Link to="/make-call">{usage.makeCall}</Link>
        </ButtonLink>
      </EmptyState>
    )
  const most = Math.max(1, ...days.map(({ credits }) => credits))
  return (
    <Sheet>
      <table className="tabular w-full border-collapse text-left">
        <caption className="sr-only">{usage.caption(USAGE_HISTORY_DAYS)}</caption>
        <thead>
          <tr className={HEAD}>
            <th scope="col">{usage.columns.date}</th>
            <th scope="col" className="text-right">
              {usage.columns.calls}
            </th>
            <th scope="col" className="text-right">
              {usage.columns.duration}
            </th>
            <th scope="col" className="text-right">
              {usage.columns.credits}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, calls, seconds, credits }) => (
            <tr key={date}>
              <th scope="row" className={`${CELL} min-w-18 font-normal sm:whitespace-nowrap`}>
                {exactDate(`${date}T12:00:00`)}
              </th>
              <td className={`${CELL} text-right`}>{count(calls)}</td>
              <td className={`${CELL} text-right whitespace-nowrap`}>{duration(seconds)}</td>
              <td className={`${CELL} text-right`}>
                {count(credits)}
                <span
                  aria-hidden="true"
                  className="mt-1 ml-auto block h-1 max-w-24 origin-right rounded-full bg-fill"
                  style={{ transform: `scaleX(${credits / most})` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className={CELL}>
              {usage.total}
            </th>
            <td className={`${CELL} text-right`}>{count(data.totals.calls)}</td>
            <td className={`${CELL} text-right whitespace-nowrap`}>{duration(data.totals.seconds)}</td>
            <td className={`${CELL} text-right`}>{count(data.totals.credits)}</td>
          </tr>
        </tfoot>
      </table>
    </Sheet>
  )
}
