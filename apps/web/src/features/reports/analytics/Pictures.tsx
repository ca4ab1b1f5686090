import type { Analytics } from '@parley/contract'
import { count, credits, percent } from '../../../lib/format/format.ts'
import { useWords } from '../../../words/index.ts'
import { AnswerHours } from './AnswerHours.tsx'
import { ChartCard } from './ChartCard.tsx'
import { CostByDay, ObjectivesByDay, OutcomesByDay } from './Charts.tsx'
import { hourName, weekdayName } from './period.ts'
import { bestHour, byDayTable, byHourTable, costTable, minutesOf, successOf, successTable } from './tables.ts'

/** The four charts of the period. */
export function Pictures({ analytics }: { readonly analytics: Analytics }) {
  const words = useWords().reports.analytics
  const { days, hours, totals } = analytics
  const best = bestHour(hours)
  const success = successOf(totals)
  const minutes = minutesOf(totals.seconds)
  const nameOf = (title: string) => `${title.toLowerCase().replaceAll(' ', '-')}-${analytics.from}-${analytics.until}`
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <ChartCard
        title={words.byDay.title}
        lead={words.byDay.lead(totals.calls, count(totals.calls))}
        table={byDayTable(analytics)}
        fileName={nameOf(words.byDay.title)}
      >
        <OutcomesByDay days={days} />
      </ChartCard>
      <ChartCard
        title={words.byHour.title}
        lead={best ? words.byHour.lead(weekdayName(best.weekday), hourName(best.hour)) : words.byHour.nobody}
        table={byHourTable(analytics)}
        fileName={nameOf(words.byHour.title)}
      >
        <AnswerHours hours={hours} />
      </ChartCard>
      <ChartCard
        title={words.cost.title}
        lead={words.cost.lead(minutes, count(minutes), credits(totals.credits))}
        table={costTable(analytics)}
        fileName={nameOf(words.cost.title)}
      >
        <CostByDay days={days} />
      </ChartCard>
      <ChartCard
        title={words.success.title}
        lead={
          success.of > 0
            ? words.success.lead(count(success.met), count(success.of), percent((100 * success.met) / success.of))
            : words.success.none
        }
        table={successTable(analytics)}
        fileName={nameOf(words.success.title)}
      >
        <ObjectivesByDay days={days} />
      </ChartCard>
    </div>
  )
}
