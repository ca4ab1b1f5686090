import { CALL_OUTCOMES, OUTCOME_STATUSES, type Analytics } from '@parley/contract'
import { exactDate } from '../../../lib/format/format.ts'
import { useWords } from '../../../words/index.ts'
import { DayChart, type DayPoint } from '../../../ui/chart/DayChart.tsx'
import { shortDate } from './period.ts'
import { minutesOf } from './tables.ts'

const GOOD = 'var(--color-fill)'
const NEARLY = 'var(--color-brand)'
const WAITING = 'var(--color-live-fill)'
const QUIET = 'var(--color-edge)'
const BAD = 'var(--color-danger)'

const OUTCOME_COLORS = { answered: GOOD, voicemail: WAITING, no_answer: QUIET, failed: BAD } as const
const OBJECTIVE_COLORS = { met: GOOD, met_within_limits: NEARLY, offered: WAITING, refused: BAD, open: QUIET } as const

type Day = Analytics['days'][number]

interface DaysProps {
  readonly days: readonly Day[]
}

function pointsOf(days: readonly Day[], valuesOf: (day: Day) => readonly number[]): DayPoint[] {
  return days.map((day) => ({
    label: shortDate(day.date),
    title: exactDate(`${day.date}T12:00:00`),
    values: valuesOf(day),
  }))
}

export function OutcomesByDay({ days }: DaysProps) {
  const { outcomes } = useWords().reports.analytics
  const series = CALL_OUTCOMES.map((each) => ({ name: outcomes[each], color: OUTCOME_COLORS[each] }))
  return <DayChart series={series} points={pointsOf(days, (day) => CALL_OUTCOMES.map((each) => day[each]))} />
}

export function CostByDay({ days }: DaysProps) {
  const { cost } = useWords().reports.analytics
  const series = [
    { name: cost.minutes, color: 'color-mix(in srgb, var(--color-edge) 45%, transparent)' },
    { name: cost.credits, color: 'var(--color-brand)', kind: 'line' },
  ] as const
  return <DayChart series={series} points={pointsOf(days, ({ seconds, credits }) => [minutesOf(seconds), credits])} />
}

export function ObjectivesByDay({ days }: DaysProps) {
  const { objectives } = useWords().reports.analytics
  const series = OUTCOME_STATUSES.map((each) => ({ name: objectives[each], color: OBJECTIVE_COLORS[each] }))
  return <DayChart series={series} points={pointsOf(days, (day) => OUTCOME_STATUSES.map((each) => day[each]))} />
}
