import type { Analytics } from '@parley/contract'
import { Fragment } from 'react'
import { count, percent } from '../../../lib/format/format.ts'
import { useWords } from '../../../words/index.ts'
import { hourName, weekdayName } from './period.ts'

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** A week of hours: greener with a higher answer rate; empty without calls. */
export function AnswerHours({ hours }: { readonly hours: Analytics['hours'] }) {
  const { byHour } = useWords().reports.analytics
  const cells = new Map(hours.map((each) => [`${each.weekday} ${each.hour}`, each]))
  return (
    <div className="flex h-full flex-col">
      <div className="grid flex-1 grid-cols-[2.25rem_repeat(24,minmax(0,1fr))] gap-0.5">
        {WEEKDAYS.map((weekday) => (
          <Fragment key={weekday}>
            <span className="self-center text-sm leading-none text-muted">{weekdayName(weekday, 'short')}</span>
            {HOURS.map((hour) => {
              const cell = cells.get(`${weekday} ${hour}`)
              const rate = cell ? cell.answered / cell.calls : 0
              const title =
                cell &&
                byHour.cell(
                  weekdayName(weekday),
                  hourName(hour),
                  percent(100 * rate),
                  count(cell.answered),
                  count(cell.calls),
                )
              return (
                <span
                  key={hour}
                  title={title}
                  className={cell ? 'rounded-[3px] border border-edge/40' : 'rounded-[3px] bg-line/40'}
                  style={cell && { background: shade(rate) }}
                />
              )
            })}
          </Fragment>
        ))}
        <span />
        {HOURS.map((hour) => (
          <span key={hour} className="tabular text-sm whitespace-nowrap text-muted">
            {hour % 6 === 0 ? hour : ''}
          </span>
        ))}
      </div>
      <p className="mt-1 flex items-center justify-end gap-2 text-sm text-muted">
        {byHour.less}
        {[0, 0.33, 0.66, 1].map((rate) => (
          <span
            key={rate}
            className="size-3.5 rounded-[3px] border border-edge/40"
            style={{ background: shade(rate) }}
          />
        ))}
        {byHour.more}
      </p>
    </div>
  )
}

function shade(rate: number): string {
  return `color-mix(in srgb, var(--color-fill) ${Math.round(100 * rate)}%, var(--color-surface))`
}
