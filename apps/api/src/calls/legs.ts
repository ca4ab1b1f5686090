import { type CallDetails, creditsForSeconds } from '@parley/contract'
import type { CallLeg, CallRow } from './schema.ts'

type Metered = CallDetails['legs'][number]

interface Sum extends Pick<CallRow, 'durationSeconds' | 'creditsCharged'> {
  /** Beside the first. */
  readonly legs: readonly CallLeg[]
}

/**
 * Seconds and credits of each leg, the callee's first. Each costs the minute begun; where the hold did not cover them
 * all, the first ones are paid from it. null: not known while the call runs.
 */
export function metered({ durationSeconds, creditsCharged, legs }: Sum): Metered[] {
  let left = creditsCharged
  const creditsOf = (seconds: number | null) => {
    if (left === null) return null
    const credits = Math.min(left, creditsForSeconds(seconds ?? 0))
    left -= credits
    return credits
  }
  const first: Metered = {
    leg: 1,
    to: 'callee',
    seconds: durationSeconds,
    credits: creditsOf(durationSeconds),
    end: null,
  }
  const others = legs.toSorted((a, b) => a.leg - b.leg)
  return [
    first,
    ...others.map(({ leg, connectedSeconds: seconds, end = null }) => {
      return { leg, to: 'owner' as const, seconds, credits: creditsOf(seconds), end }
    }),
  ]
}
