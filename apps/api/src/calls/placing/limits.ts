/** A call that starts later than this after placing is unwanted, so it fails instead. */
export const DIAL_BUDGET_MS = 15_000
/** Maximum ringing time, in call time. */
export const ANSWER_TIMEOUT_SECONDS = 45

/** The longest wall-clock time of an ordered call, with ringing and talking. */
export function longestCallMs(limitSeconds: number, clockSpeed = 1): number {
  return DIAL_BUDGET_MS + ((ANSWER_TIMEOUT_SECONDS + limitSeconds) * 1000) / clockSpeed
}
