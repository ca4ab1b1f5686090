import { systemClock } from '@parley/voice-ports'
import { pino } from 'pino'
import { sharedLimits } from '../shared-limits.ts'

// A node of its own: takes one place of the carrier that it is told, says what it got, and lives until it is killed.

const [redisUrl = '', carrier = '', placeMs = ''] = process.argv.slice(2)
const limits = sharedLimits({
  redisUrl,
  limits: { [carrier]: { callsPerSecond: Infinity, callsAtOnce: 1 } },
  clock: systemClock(1),
  log: pino({ level: 'silent' }),
  placeMs: Number(placeMs),
})
const taken = await limits.take(carrier, new AbortController().signal)
process.send?.(typeof taken === 'string' ? taken : 'held')
process.on('disconnect', () => process.exit(0))
