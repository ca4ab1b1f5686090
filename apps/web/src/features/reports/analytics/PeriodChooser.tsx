import { ANALYTICS_DAYS_MAX } from '@parley/contract'
import { useState } from 'react'
import { useSettled } from '../../../lib/useSettled.ts'
import { useWords } from '../../../words/index.ts'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { optionsOf, Select } from '../../../ui/form/Select.tsx'
import { lastDays, PERIODS, type Days, type PeriodName } from './period.ts'

interface PeriodChooserProps {
  readonly timezone: string
  readonly days: Days
  readonly onDays: (days: Days) => void
}

const DAY_MS = 24 * 3_600_000

/** NaN while a date is incomplete. */
function countOf({ from, until }: Days): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS + 1
}

/** The last n days, or a custom range. */
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
    const count = countOf(next)
    if (count >= 1 && count <= ANALYTICS_DAYS_MAX) onDays(next)
  }
  // A year is invalid until its last digit is typed, so no error is shown before.
  const isSettled = useSettled(typed) === typed
  const count = countOf(typed)
  const tooLong = isSettled && count > ANALYTICS_DAYS_MAX ? analytics.tooLong(ANALYTICS_DAYS_MAX) : undefined
  const swapped = isSettled && count < 1 ? analytics.swapped : undefined
  return (
    <div className="flex flex-wrap items-start gap-3">
      <Field label={analytics.period} className="w-44">
        <Select value={period} onValueChange={choose} options={optionsOf(PERIODS, analytics.periods)} />
      </Field>
      {period === 'own' && (
        <>
          <Field label={analytics.from} className="w-40" error={tooLong}>
            <Input
              type="date"
              value={typed.from}
              max={typed.until}
              onChange={({ target }) => type({ from: target.value })}
            />
          </Field>
          <Field label={analytics.until} className="w-40" error={swapped}>
            <Input
              type="date"
              value={typed.until}
              min={typed.from}
              onChange={({ target }) => type({ until: target.value })}
            />
          </Field>
        </>
      )}
    </div>
  )
}
