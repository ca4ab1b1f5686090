import { type AiSummary, type Analytics, CALL_OUTCOMES, OUTCOME_STATUSES } from '@parley/contract'
import { NO_FIGURES } from '../people.ts'

type Day = Analytics['days'][number]

export const aDay = (date: string, change: Partial<Day> = {}): Day => ({ date, ...NO_FIGURES, ...change })

/** A period with its totals. Calls that have not ended count only as `running`. */
export function aPeriod(
  days: readonly Day[],
  change: { readonly running?: number; readonly hours?: Analytics['hours'] } = {},
): Analytics {
  const sum = (name: keyof typeof NO_FIGURES) => days.reduce((all, day) => all + day[name], 0)
  const figures = Object.fromEntries(
    [...CALL_OUTCOMES, ...OUTCOME_STATUSES, 'seconds', 'credits'].map((name) => [name, sum(name as 'met')]),
  )
  const running = change.running ?? 0
  const calls = CALL_OUTCOMES.reduce((all, each) => all + sum(each), running)
  return {
    from: days[0]?.date ?? '2026-11-01',
    until: days.at(-1)?.date ?? '2026-11-01',
    timezone: 'Europe/London',
    totals: { ...NO_FIGURES, ...figures, calls, running },
    days: [...days],
    hours: change.hours ?? [],
  }
}

export const aSummary = (change: Partial<AiSummary> = {}): AiSummary => ({
  callId: 'call-1',
  type: 'success',
  title: 'Book a table for two',
  description: 'The table for two at 7 pm is booked.',
  insights: [],
  nextSteps: [],
  callee: '+12025550100',
  date: '2026-11-20T10:00:00.000Z',
  actionRequired: false,
  actionText: null,
  ...change,
})
