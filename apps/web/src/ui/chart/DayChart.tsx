import { useState, type PointerEvent } from 'react'
import { classes } from '../../lib/classes.ts'
import { count } from '../../lib/format/format.ts'
import { axisOf, barsPath, labelledPlaces, linePath } from './dayChart.ts'

interface Series {
  readonly name: string
  readonly color: string
  /** Bars are stacked; a line is drawn over them. */
  readonly kind?: 'bar' | 'line'
}

export interface DayPoint {
  /** The label below the axis, where there is room. */
  readonly label: string
  /** The heading of the tip over the day. */
  readonly title: string
  /** One for each series. */
  readonly values: readonly number[]
}

interface DayChartProps {
  readonly series: readonly Series[]
  readonly points: readonly DayPoint[]
}

/** Days side by side, hidden from screen readers: a table beside it has the numbers. Fills its container. */
export function DayChart({ series, points }: DayChartProps) {
  const [pointed, setPointed] = useState<number>()
  const kinds = series.map(({ kind = 'bar' }) => kind)
  const axis = axisOf(
    points.map(({ values }) => values),
    kinds,
  )
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setPointed(Math.min(points.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * points.length))))
  }
  return (
    <div className="flex h-full flex-col gap-2 text-sm text-muted" data-chart="">
      <div
        className="relative ml-9 min-h-0 flex-1"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        {axis.ticks.map((tick) => (
          <div
            key={tick}
            className="absolute inset-x-0 border-t border-line"
            style={{ bottom: `${(100 * tick) / axis.top}%` }}
          >
            <span className="tabular absolute right-full mr-2 -translate-y-1/2">{count(tick)}</span>
          </div>
        ))}
        {pointed !== undefined && (
          <div
            className="absolute inset-y-0 bg-mint"
            style={{ left: share(pointed, points), width: share(1, points) }}
          />
        )}
        <svg
          viewBox={`0 0 ${points.length} ${axis.top}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          {series.map(({ name, color, kind }, place) =>
            kind === 'line' ? (
              <path
                key={name}
                d={linePath(points, place, axis.top)}
                stroke={color}
                fill="none"
                strokeWidth="2"
                vectorEffect="non-scaling-stroke"
              />
            ) : (
              <path key={name} d={barsPath(points, place, kinds, axis.top)} fill={color} />
            ),
          )}
        </svg>
        {pointed !== undefined && points[pointed] && (
          <Tip series={series} point={points[pointed]} isRight={pointed >= points.length / 2} />
        )}
      </div>
      <div className="relative ml-9 h-5">
        {/* A phone has room for every second label. */}
        {labelledPlaces(points.length).map((place, label) => (
          <span
            key={place}
            className={classes(
              'tabular absolute -translate-x-1/2 whitespace-nowrap',
              label % 2 === 1 && 'max-sm:hidden',
            )}
            style={{ left: `${(100 * (place + 0.5)) / points.length}%` }}
          >
            {points[place]?.label}
          </span>
        ))}
      </div>
      <ul className="flex flex-wrap justify-center gap-x-4 gap-y-1">
        {series.map((each) => (
          <Key key={each.name} {...each} />
        ))}
      </ul>
    </div>
  )
}

function share(days: number, points: readonly DayPoint[]): string {
  return `${(100 * days) / points.length}%`
}

function Key({ name, color, value }: Series & { readonly value?: number }) {
  return (
    <li className="flex items-center gap-1.5 text-ink">
      <span className="size-2 shrink-0 rounded-full" style={{ background: color }} />
      {name}
      {value !== undefined && <span className="tabular ml-auto pl-3 font-medium">{count(value)}</span>}
    </li>
  )
}

/** On the other side of the pointed day. */
function Tip({
  series,
  point,
  isRight,
}: {
  readonly series: readonly Series[]
  readonly point: DayPoint
  readonly isRight: boolean
}) {
  return (
    <div
      className={classes(
        'pointer-events-none absolute top-0 z-10 rounded-base border border-line bg-surface px-3 py-2 shadow-soft',
        isRight ? 'left-2' : 'right-2',
      )}
    >
      <p className="mb-1">{point.title}</p>
      <ul>
        {series.map((each, place) => (
          <Key key={each.name} {...each} value={point.values[place] ?? 0} />
        ))}
      </ul>
    </div>
  )
}
