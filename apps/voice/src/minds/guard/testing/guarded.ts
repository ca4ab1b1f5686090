import { pino } from 'pino'
import { type Mind, virtualClock } from '@parley/voice-ports'
import { plainSummary } from '../../../session/call/wrap-up.ts'
import { type GuardOptions, guardedMind } from '../guard.ts'

/** A mind behind the guard, as the service joins them. */
export function guardedBy(mind: Mind, options: Partial<GuardOptions> = {}): Mind {
  return guardedMind(mind, { log: pino({ level: 'silent' }), clock: virtualClock(), plainSummary, ...options })
}
