import type { AiSummary, SummaryType } from '@parley/contract'
import { reportsRoutes } from '@parley/contract/page'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { fetchMore } from '../../../lib/server/fetchMore.ts'
import { readGrowing } from '../../../lib/server/queries.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'

const SHOWN = 6

/** AI summaries of the latest calls. */
export function Summaries() {
  const { summaries } = useWords().reports
  const { id } = useSignedInUser()
  const query = useInfiniteQuery(readGrowing(reportsRoutes.summaries, { params: { id }, query: { limit: SHOWN } }))
  const items = query.data?.items ?? []
  return (
    <section aria-labelledby="summaries">
      <h2 id="summaries" className="mb-4 text-lg font-semibold">
        {summaries.title}
      </h2>
      {query.isError && !query.data && (
        <ErrorState title={summaries.failedTitle} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton className="h-40 rounded-base" />}
      {query.data && items.length === 0 && <p className="text-muted">{summaries.empty}</p>}
      <ul className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        {items.map((summary) => (
          <SummaryCard key={summary.callId} summary={summary} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          pending={query.isFetchingNextPage}
          onClick={() => void fetchMore(query)}
        >
          {summaries.more}
        </Button>
      )}
    </section>
  )
}

const TONES = { success: 'good', failed: 'bad', pending: 'live', other: 'neutral' } as const satisfies Record<
  SummaryType,
  Tone
>

function SummaryCard({ summary }: { readonly summary: AiSummary }) {
  const words = useWords().reports.summaries
  return (
    <li className="flex min-w-0 flex-col rounded-base border border-line bg-surface p-4 shadow-soft">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{summary.title}</h3>
        <Badge tone={TONES[summary.type]}>{words.types[summary.type]}</Badge>
      </div>
      <p className="tabular mt-0.5 text-sm text-muted">
        {phoneText(summary.callee).number} · <TimeAgo at={summary.date} />
      </p>
      <p className="mt-2 line-clamp-4 wrap-anywhere">{summary.description}</p>
      {summary.insights.length > 0 && (
        <ul
          aria-label={words.insights}
          className="mt-2 ml-5 list-disc text-sm wrap-anywhere text-muted marker:text-edge"
        >
          {summary.insights.map((insight) => (
            <li key={insight}>{insight}</li>
          ))}
        </ul>
      )}
      {summary.nextSteps.length > 0 && (
        <ul aria-label={words.nextSteps} className="mt-3 grid gap-1 border-t border-line pt-3 text-sm">
          {summary.nextSteps.map((step) => (
            <li key={step} className="flex gap-2">
              <ArrowRight className="mt-0.5 size-4 shrink-0 text-brand" aria-hidden="true" />
              {step}
            </li>
          ))}
        </ul>
      )}
      {summary.actionRequired && summary.actionText && (
        <p className="mt-3 text-sm">
          <strong className="font-semibold text-live">{words.actionRequired}:</strong> {summary.actionText}
        </p>
      )}
    </li>
  )
}
