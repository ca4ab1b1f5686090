import type { Analytics } from '@parley/contract'
import type { ReactNode } from 'react'
import { count, duration, percent, tenths } from '../../../lib/format/format.ts'
import { useWords } from '../../../words/index.ts'
import { Skeleton } from '../../../ui/states.tsx'

/** The period in four numbers. */
export function PeriodCards({ totals }: { readonly totals: Analytics['totals'] | undefined }) {
  const { analytics } = useWords().reports
  const all = totals?.calls ?? 0
  const rate = totals && all > 0 ? percent((100 * totals.answered) / all) : '–'
  return (
    <section aria-label={analytics.cards} aria-busy={!totals}>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure name={analytics.calls} below={totals && totals.running > 0 && analytics.running(count(totals.running))}>
          {totals && count(all)}
        </Figure>
        <Figure name={analytics.answerRate} below={totals && analytics.answeredOf(count(totals.answered), count(all))}>
          {totals && rate}
        </Figure>
        <Figure
          name={analytics.talkTime}
          below={totals && all > 0 && analytics.perCall(duration(totals.seconds / all))}
        >
          {totals && duration(totals.seconds)}
        </Figure>
        <Figure name={analytics.credits} below={totals && all > 0 && analytics.perCall(tenths(totals.credits / all))}>
          {totals && count(totals.credits)}
        </Figure>
      </dl>
    </section>
  )
}

function Figure({
  name,
  below,
  children,
}: {
  readonly name: string
  readonly below?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="rounded-base border border-line bg-surface p-4 shadow-soft">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-2">
        <span className="tabular block text-xl font-semibold">{children ?? <Skeleton className="h-9 w-20" />}</span>
        <span className="tabular block min-h-5 text-sm text-muted">{below}</span>
      </dd>
    </div>
  )
}
