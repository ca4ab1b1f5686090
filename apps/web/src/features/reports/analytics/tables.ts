import { CALL_OUTCOMES, OUTCOME_STATUSES, type Analytics, type OutcomeStatus } from '@parley/contract'
import { percent } from '../../../lib/format/format.ts'
import { words } from '../../../words/index.ts'
import { hourName, weekdayName } from './period.ts'

/** The table of a chart: its head first. */
export type Table = readonly (readonly (string | number)[])[]

type Hour = Analytics['hours'][number]

export function minutesOf(seconds: number): number {
  return Math.round(seconds / 6) / 10
}

export function byDayTable({ days }: Analytics): Table {
  const { columns, outcomes } = words().reports.analytics
  return [
    [columns.date, ...CALL_OUTCOMES.map((each) => outcomes[each])],
    ...days.map((day) => [day.date, ...CALL_OUTCOMES.map((each) => day[each])]),
  ]
}

export function byHourTable({ hours }: Analytics): Table {
  const { columns } = words().reports.analytics
  const rows = hours.map(({ weekday, hour, calls, answered }) => {
    return [weekdayName(weekday), hourName(hour), calls, answered, percent((100 * answered) / calls)]
  })
  return [[columns.weekday, columns.hour, columns.calls, columns.answered, columns.rate], ...rows]
}

export function costTable({ days }: Analytics): Table {
  const { columns, cost } = words().reports.analytics
  return [
    [columns.date, cost.minutes, cost.credits],
    ...days.map(({ date, seconds, credits }) => [date, minutesOf(seconds), credits]),
  ]
}

export function successTable({ days }: Analytics): Table {
  const { columns, objectives } = words().reports.analytics
  return [
    [columns.date, ...OUTCOME_STATUSES.map((each) => objectives[each])],
    ...days.map((day) => [day.date, ...OUTCOME_STATUSES.map((each) => day[each])]),
  ]
}

/** Objectives met, also within the limits, of all. */
export function successOf(figures: Pick<Analytics['days'][number], OutcomeStatus>): {
  readonly met: number
  readonly of: number
} {
  return {
    met: figures.met + figures.met_within_limits,
    of: OUTCOME_STATUSES.reduce((all, each) => all + figures[each], 0),
  }
}

/** The hour with the highest answer rate among those with enough calls; of equals, the one with more calls. */
export function bestHour(hours: readonly Hour[]): Hour | undefined {
  const most = Math.max(0, ...hours.map(({ calls }) => calls))
  const frequent = hours.filter(({ calls, answered }) => answered > 0 && calls >= Math.min(3, most))
  return frequent.toSorted((a, b) => b.answered / b.calls - a.answered / a.calls || b.calls - a.calls)[0]
}
