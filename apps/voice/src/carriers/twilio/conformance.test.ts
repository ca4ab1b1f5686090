import { hangsUpAfter } from '@parley/sandbox/testing'
import { systemClock } from '@parley/voice-ports'
import { carrierConforms, type CarrierUnderTest } from '@parley/voice-ports/conformance'
import { afterAll, describe } from 'vitest'
import { type Line, startLine } from './testing.ts'

// Longer than 20 s: legs ring, wait and reach their limits in real time.

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})

const NUMBERS = { answers: '+12125550107', busy: '+442075550101', noAnswer: '+12125550102' }

async function overFarEnd(losesEnded: boolean): Promise<CarrierUnderTest> {
  const clock = systemClock()
  const pressed: { digit: string; atMs: number }[] = []
  const party = () => ({
    ...hangsUpAfter(30_000),
    press: (digit: string) => void pressed.push({ digit, atMs: clock.nowMs() }),
  })
  const line = await startLine({
    far: {
      answering: (to) => {
        if (to === NUMBERS.busy) return { type: 'busy' }
        if (to === NUMBERS.noAnswer) return { type: 'no_answer' }
        return { type: 'answers', afterMs: 100, party }
      },
    },
    carrier: { waits: { quietMs: 1000 } },
  })
  lines.push(line)
  if (losesEnded)
    line.far.faults.set('status', { how: 'lost' }, { times: Infinity, on: ({ event }) => event === 'completed' })
  return {
    carrier: line.carrier,
    clock,
    advance: (ms) => new Promise((resolve) => clock.after(ms, resolve)),
    numbers: NUMBERS,
    digitsHeard: () => pressed,
    // Twilio counts whole seconds, begun ones too.
    toleranceMs: 400,
  }
}

// Each check has a line of its own: they wait side by side. They run in real time, and a machine that does everything
// at once may miss its beat.
describe.concurrent('over the far end', { retry: 2 }, () => {
  carrierConforms('twilio', () => overFarEnd(false))
  carrierConforms('twilio, with a lost ended', () => overFarEnd(true))
})
