import { ANALYTICS_DAYS_MAX } from '@parley/contract'
import { useState } from 'react'
import { useWords } from '../../../lib/words/index.ts'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { optionsOf, Select } from '../../../ui/Select.tsx'
import { lastDays, PERIODS, type Days, type PeriodName } from './period.ts'

interface PeriodChooserProps {
  readonly timezone: string
  readonly days: Days
  readonly onDays: (days: Days) => void
}

const DAY_MS = 24 * 3_600_000

/** The last days, or days of one's own choice. */
export function PeriodChooser({ timezone, days, onDays }: PeriodChooserProps) {
  const { analytics } = useWords().reports
  const [period, setPeriod] = useState<PeriodName>('30')
  const [typed, setTyped] = useState(days)
  const choose = (next: PeriodName) => {
    setPeriod(next)
    if (next === 'own') setTyped(days)
    else onDays(lastDays(Number(next), timezone))
  }
  const type = (change: Partial<Days>) => {
    const next = { ...typed, ...change }
    setTyped(next)
    const count = (Date.parse(next.until) - Date.parse(next.from)) / DAY_MS + 1
    if (count >= 1 && count <= ANALYTICS_DAYS_MAX) onDays(next)
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label={analytics.period} className="w-44">
        <Select value={period} onValueChange={choose} options={optionsOf(PERIODS, analytics.periods)} />
      </Field>
      {period === 'own' && (
        <>
          <Field label={analytics.from} className="w-40">
            <Input type="date" value={typed.from} max={typed.until} onChange={({ target }) => type({ from: target.value })} />
          </Field>
          <Field label={analytics.until} className="w-40">
            <Input type="date" value={typed.until} min={typed.from} onChange={({ target }) => type({ until: target.value })} />
          </Field>
        </>
      )}
    </div>
  )
}
