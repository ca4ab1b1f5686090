/** Shares of a list of times, in whole tenths of a millisecond. */
export function shares(timesMs: readonly number[]): {
  readonly p50: string
  readonly p95: string
  readonly worst: string
  readonly count: string
} {
  const sorted = timesMs.toSorted((a, b) => a - b)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(1)
  return { p50: at(0.5), p95: at(0.95), worst: at(1), count: `${sorted.length}` }
}
