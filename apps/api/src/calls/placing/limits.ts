/** Nobody wants a call that starts long after the button was pressed: by then it has failed. */
export const DIAL_BUDGET_MS = 15_000
/** Call time that a callee is let to ring. */
export const ANSWER_TIMEOUT_SECONDS = 45

/** The wall-clock time in which an ordered call is over, however long it rings and talks. */
export function longestCallMs(limitSeconds: number, clockSpeed = 1): number {
  return DIAL_BUDGET_MS + ((ANSWER_TIMEOUT_SECONDS + limitSeconds) * 1000) / clockSpeed
}
