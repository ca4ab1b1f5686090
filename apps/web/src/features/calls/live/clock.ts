import { creditsForSeconds, SECONDS_PER_CREDIT, type Call, type Turn } from '@parley/contract'
import { useNow } from '../../../lib/format/useNow.ts'
import { isLive } from '../status.ts'

const TICKS_PER_SECOND_MAX = 5

type Clocked = Call & { readonly turns?: readonly Turn[] }

/**
 * Connected seconds in call time. At least the end of the last turn heard, because this device's clock may be behind;
 * at most the limit.
 */
export function elapsedSeconds(call: Clocked, nowMs: number): number {
  if (!isLive(call)) return call.durationSeconds ?? 0
  if (call.connectedAt === null) return 0
  const byTheClock = ((nowMs - Date.parse(call.connectedAt)) / 1000) * call.clockSpeed
  const byTheWords = Math.max(0, ...(call.turns ?? []).map(({ startMs, endMs }) => endMs ?? startMs)) / 1000
  return Math.min(Math.max(byTheClock, byTheWords), limitSeconds(call))
}

/** Elapsed seconds and credits of a call, updated while connected. */
export function useCallClock(call: Clocked) {
  const isRunning = isLive(call) && call.connectedAt !== null
  const now = useNow(isRunning ? 1000 / Math.min(call.clockSpeed, TICKS_PER_SECOND_MAX) : null)
  return { elapsed: elapsedSeconds(call, now), limit: limitSeconds(call), credits: creditsSoFar(call, now) }
}

/** The limit in seconds: as requested, or less when the held credits allow less. */
export function limitSeconds(call: Pick<Call, 'maxDurationMinutes' | 'creditsHeld'>): number {
  const requested = call.maxDurationMinutes * 60
  return call.creditsHeld > 0 ? Math.min(requested, call.creditsHeld * SECONDS_PER_CREDIT) : requested
}

export function creditsSoFar(call: Clocked, nowMs: number): number {
  return call.creditsCharged ?? creditsForSeconds(elapsedSeconds(call, nowMs))
}
