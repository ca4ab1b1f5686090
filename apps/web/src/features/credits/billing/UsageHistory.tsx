import { USAGE_HISTORY_DAYS, type Usage } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count, duration, exactDate } from '../../../lib/format/format.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Records, RecordSheet } from '../../../ui/Records.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { Table } from '../../../ui/Table.tsx'
import { usageQuery } from '../api.ts'

/** The last ten days by the day a call ended, and what they come to. */
export function UsageHistory() {
  const { usage } = useWords().credits
  const { id } = useSignedInUser()
  const query = useQuery(usageQuery(id))
  return (
    <Records
      query={query}
      failedTitle={usage.failedTitle}
      isEmpty={({ days }) => days.every(({ calls }) => calls === 0)}
      empty={
        <EmptyState title={usage.empty(USAGE_HISTORY_DAYS)} hint={usage.emptyHint}>
          <ButtonLink>
            <Link to="/make-call">{usage.makeCall}</Link>
          </ButtonLink>
        </EmptyState>
      }
    >
      {(data) => (
        <RecordSheet>
          <Days {...data} />
        </RecordSheet>
      )}
    </Records>
  )
}

function Days({ days, totals }: Usage) {
  const { usage } = useWords().credits
  const { columns } = usage
  const busy = days.filter(({ calls }) => calls > 0)
  const most = Math.max(1, ...busy.map(({ credits }) => credits))
  return (
    <Table
      caption={usage.caption(USAGE_HISTORY_DAYS)}
      rows={busy}
      rowKey={({ date }) => date}
      columns={[
        {
          name: columns.date,
          cell: ({ date }) => exactDate(`${date}T12:00:00`),
          foot: usage.total,
          isRowHead: true,
          cellClassName: 'min-w-18 sm:whitespace-nowrap',
        },
        { name: columns.calls, cell: ({ calls }) => count(calls), foot: count(totals.calls), align: 'right' },
        {
          name: columns.duration,
          cell: ({ seconds }) => duration(seconds),
          foot: duration(totals.seconds),
          align: 'right',
          className: 'whitespace-nowrap',
        },
        {
          name: columns.credits,
          cell: ({ credits }) => <CreditsBar credits={credits} most={most} />,
          foot: count(totals.credits),
          align: 'right',
        },
      ]}
    />
  )
}

/** How much of the busiest day's. */
function CreditsBar({ credits, most }: { readonly credits: number; readonly most: number }) {
  return (
    <>
      {count(credits)}
      <span
        aria-hidden="true"
        className="mt-1 ml-auto block h-1 max-w-24 origin-right rounded-full bg-fill"
        style={{ transform: `scaleX(${credits / most})` }}
      />
    </>
  )
}
