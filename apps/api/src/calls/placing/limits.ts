import { SECONDS_PER_CREDIT } from '@parley/contract'
import type { CallRow } from '../schema.ts'

/** A call that starts later than this after placing, or after it got a line, is unwanted, so it fails instead. */
export const DIAL_BUDGET_MS = 15_000
/** The longest wait for a place on a voice node. */
export const LINE_WAIT_MAX_MS = 10 * 60_000
/** Maximum ringing time, in call time. */
export const ANSWER_TIMEOUT_SECONDS = 45

/** Its hold pays for so long; a test call has none. */
export function limitSecondsOf({
  creditsHeld,
  isTest,
  maxDurationMinutes,
}: Pick<CallRow, 'creditsHeld' | 'isTest' | 'maxDurationMinutes'>): number {
  return (isTest ? maxDurationMinutes : creditsHeld) * SECONDS_PER_CREDIT
}

/** The longest wall-clock time of an ordered call, with ringing and talking. */
export function longestCallMs(limitSeconds: number, clockSpeed = 1): number {
  return DIAL_BUDGET_MS + ((ANSWER_TIMEOUT_SECONDS + limitSeconds) * 1000) / clockSpeed
}

/** The same from its placing on, with the longest wait for a line. */
export function longestLifeMs(limitSeconds: number): number {
  return LINE_WAIT_MAX_MS + longestCallMs(limitSeconds)
}
