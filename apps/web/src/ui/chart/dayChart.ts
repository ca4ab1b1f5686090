/** Geometry of DayChart: a day is 1 wide, a value as high as itself, and the axis ends at `top`. */

type Kinds = readonly ('bar' | 'line')[]
interface Point {
  readonly values: readonly number[]
}

const TICKS = 4
const LABELS_MAX = 6

/** Axis steps of 1, 2 or 5 times a power of ten, up to the highest day. */
export function axisOf(days: readonly (readonly number[])[], kinds: Kinds): { top: number; ticks: readonly number[] } {
  const heights = days.map((values) => {
    const bars = values.filter((_, place) => kinds[place] === 'bar').reduce((sum, value) => sum + value, 0)
    return Math.max(bars, ...values.filter((_, place) => kinds[place] === 'line'))
  })
  const rough = Math.max(1, Math.max(0, ...heights) / TICKS)
  const ten = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * ten).find((each) => each >= rough) ?? rough
  const steps = Math.max(1, Math.ceil(Math.max(0, ...heights) / step))
  return { top: step * steps, ticks: Array.from({ length: steps + 1 }, (_, place) => place * step) }
}

/** The days that get a label, evenly spaced. */
export function labelledPlaces(days: number): readonly number[] {
  const apart = Math.max(1, Math.ceil(days / LABELS_MAX))
  return Array.from({ length: days }, (_, place) => place).filter(
    (place) => place % apart === Math.floor((apart - 1) / 2),
  )
}

/** One path for all bars of a series, stacked on the previous series. */
export function barsPath(points: readonly Point[], series: number, kinds: Kinds, top: number): string {
  const width = points.length > 14 ? 0.72 : 0.44
  const bars = points.map(({ values }, day) => {
    const value = values[series] ?? 0
    if (value <= 0) return ''
    const below = values.slice(0, series).reduce((sum, each, place) => sum + (kinds[place] === 'bar' ? each : 0), 0)
    return `M${round(day + (1 - width) / 2)} ${round(top - below)}h${width}v${round(-value)}h${-width}z`
  })
  return bars.join('')
}

export function linePath(points: readonly Point[], series: number, top: number): string {
  return points
    .map(({ values }, day) => `${day === 0 ? 'M' : 'L'}${day + 0.5} ${round(top - (values[series] ?? 0))}`)
    .join('')
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
