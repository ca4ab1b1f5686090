import { CALL_OUTCOMES, type Analytics } from '@parley/contract'
import type { ReactElement } from 'react'
import { Bar, BarChart, CartesianGrid, ComposedChart, Legend, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { exactDate } from '../../../lib/format.ts'
import { useWords } from '../../../lib/words/index.ts'
import { shortDate } from './period.ts'
import { minutesOf, OBJECTIVE_STATES } from './tables.ts'

// The library of the pictures is heavy: this file is loaded by itself, when there is something to draw.

const GOOD = 'var(--color-fill)'
const WAITING = 'var(--color-live-fill)'
const QUIET = 'var(--color-edge)'
const BAD = 'var(--color-danger)'

const OUTCOME_COLORS = { answered: GOOD, voicemail: WAITING, no_answer: QUIET, failed: BAD } as const
const OBJECTIVE_COLORS = { met: GOOD, refused: BAD, open: QUIET } as const

const TICK = { fill: 'var(--color-muted)', fontSize: 12 } as const

interface DaysProps {
  readonly days: Analytics['days']
}

export function OutcomesByDay({ days }: DaysProps) {
  const { outcomes } = useWords().reports.analytics
  return (
    <Frame>
      <BarChart data={[...days]} margin={MARGIN} accessibilityLayer={false}>
        {axes()}
        {CALL_OUTCOMES.map((each) => (
          <Bar
            key={each}
            dataKey={each}
            name={outcomes[each]}
            stackId="calls"
            fill={OUTCOME_COLORS[each]}
            isAnimationActive={false}
            maxBarSize={28}
          />
        ))}
      </BarChart>
    </Frame>
  )
}

export function CostByDay({ days }: DaysProps) {
  const { cost } = useWords().reports.analytics
  const data = days.map(({ date, seconds, credits }) => ({ date, minutes: minutesOf(seconds), credits }))
  return (
    <Frame>
      <ComposedChart data={data} margin={MARGIN} accessibilityLayer={false}>
        {axes()}
        <Bar dataKey="minutes" name={cost.minutes} fill="var(--color-edge)" fillOpacity={0.45} isAnimationActive={false} maxBarSize={28} />
        <Line
          dataKey="credits"
          name={cost.credits}
          stroke="var(--color-brand)"
          strokeWidth={2}
          dot={false}
          type="monotone"
          isAnimationActive={false}
        />
      </ComposedChart>
    </Frame>
  )
}

export function ObjectivesByDay({ days }: DaysProps) {
  const { objectives } = useWords().reports.analytics
  return (
    <Frame>
      <BarChart data={[...days]} margin={MARGIN} accessibilityLayer={false}>
        {axes()}
        {OBJECTIVE_STATES.map((each) => (
          <Bar
            key={each}
            dataKey={each}
            name={objectives[each]}
            stackId="objectives"
            fill={OBJECTIVE_COLORS[each]}
            isAnimationActive={false}
            maxBarSize={28}
          />
        ))}
      </BarChart>
    </Frame>
  )
}

const MARGIN = { top: 4, right: 4, bottom: 0, left: -20 } as const

function Frame({ children }: { readonly children: ReactElement }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      {children}
    </ResponsiveContainer>
  )
}

/** The library looks for these among its own children, so they come as elements and not as a component. */
function axes() {
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--color-line)" />,
    <XAxis key="x" dataKey="date" tickFormatter={shortDate} tick={TICK} tickLine={false} axisLine={false} minTickGap={24} />,
    <YAxis key="y" allowDecimals={false} tick={TICK} tickLine={false} axisLine={false} width={52} />,
    <Tooltip
      key="tip"
      cursor={{ fill: 'var(--color-mint)' }}
      labelFormatter={(date) => (typeof date === 'string' ? exactDate(`${date}T12:00:00`) : '')}
      contentStyle={{ background: 'var(--color-surface)', border: '1px solid var(--color-line)', borderRadius: '0.75rem', fontSize: 14 }}
      labelStyle={{ color: 'var(--color-muted)' }}
      itemStyle={{ color: 'var(--color-ink)', padding: 0 }}
    />,
    <Legend
      key="legend"
      itemSorter={null}
      iconType="circle"
      iconSize={8}
      formatter={(name: string) => <span style={{ color: 'var(--color-ink)', fontSize: 14 }}>{name}</span>}
    />,
  ]
}
