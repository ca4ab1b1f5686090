import { virtualClock } from '@parley/voice-ports'
import { expect, it } from 'vitest'
import { beatOf } from './beat.ts'

it('beats every 20 ms for all legs of a clock, and plays each beat after what has come was read', async () => {
  const clock = virtualClock()
  const log: string[] = []
  const join = (name: string) =>
    beatOf(clock).join({
      send: () => {
        log.push(`${name} sends`)
        setImmediate(() => log.push('read'))
      },
      play: (nowMs) => void log.push(`${name} plays ${nowMs}`),
    })
  const leave = join('a')
  await clock.advance(19)
  expect(log).toEqual(['a sends', 'read', 'a plays 0'])
  leave()
  const other = join('b')
  await clock.advance(60)
  other()
  await clock.advance(100)
  expect(log.filter((entry) => entry.startsWith('b plays'))).toHaveLength(3)
  expect(log.filter((entry) => entry.startsWith('a'))).toHaveLength(2)
})
