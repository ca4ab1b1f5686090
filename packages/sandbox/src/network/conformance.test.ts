import { describe, expect, it } from 'vitest'
import { type Carrier, type Leg, type LegEvent, virtualClock } from '@parley/voice-ports'
import {
  carrierChecks,
  carrierConforms,
  type CarrierCheck,
  type CarrierUnderTest,
} from '@parley/voice-ports/conformance'
import { createSimulatedCarrier } from './index.ts'

/** Nobody here has anything to say. */
async function* noVoice(): AsyncGenerator<never> {}

function simulated(): CarrierUnderTest {
  const clock = virtualClock()
  return {
    carrier: createSimulatedCarrier({ speak: noVoice, rng: () => 0.5 }),
    clock,
    advance: (ms) => clock.advance(ms),
    numbers: { answers: '+12125550107', busy: '+442075550101', noAnswer: '+12125550102' },
    toleranceMs: 0,
  }
}

carrierConforms('simulated', simulated)

type Break = (forward: (event: LegEvent) => void, under: CarrierUnderTest) => (event: LegEvent) => void

/** The same carrier, with its news spoiled on the way, or its leg. */
function broken(spoil: Break, spoilLeg: (leg: Leg) => Partial<Leg> = () => ({})): () => CarrierUnderTest {
  return () => {
    const under = simulated()
    const carrier: Carrier = {
      ...under.carrier,
      dial(options, clock, onEvent) {
        const leg = under.carrier.dial(options, clock, spoil(onEvent, under))
        const whole: Leg = {
          send: (frame) => leg.send(frame),
          mark: (name) => leg.mark(name),
          clear: () => leg.clear(),
          sendDigits: (digits) => leg.sendDigits(digits),
          hangUp: () => leg.hangUp(),
        }
        return { ...whole, ...spoilLeg(whole) }
      },
    }
    return { ...under, carrier }
  }
}

const faithful: Break = (forward) => forward
const replacing =
  (change: (event: LegEvent) => LegEvent | null): Break =>
  (forward) =>
  (event) => {
    const changed = change(event)
    if (changed) forward(changed)
  }

const faults: [string, CarrierCheck, () => CarrierUnderTest, RegExp][] = [
  [
    'news from within dial()',
    'dial returns before anything happens, and ringing comes before the answer',
    broken((forward) => {
      forward({ type: 'ringing' })
      return forward
    }),
    /before dial/,
  ],
  [
    'every tenth frame late',
    'frames of 20 ms come every 20 ms from the answer on',
    broken((forward, under) => {
      let count = 0
      return (event) =>
        void (event.type === 'frame' && ++count % 10 === 0
          ? under.clock.after(15, () => forward(event))
          : forward(event))
    }),
    /from its time/,
  ],
  [
    'frames of 10 ms',
    'frames of 20 ms come every 20 ms from the answer on',
    broken(
      replacing((event) =>
        event.type === 'frame' ? { ...event, frame: { audio: event.frame.audio.subarray(80) } } : event,
      ),
    ),
    /160 bytes/,
  ],
  [
    'a clock that drifts',
    'frames of 20 ms come every 20 ms from the answer on',
    broken((forward, under) => {
      let count = 0
      return (event) =>
        void (event.type === 'frame' ? under.clock.after(count++ * 0.2, () => forward(event)) : forward(event))
    }),
    /from its time/,
  ],
  [
    'lost marks',
    'marks come in order, and not before what was sent ahead of them has been played',
    broken(replacing((event) => (event.type === 'mark' && event.name === 'first' ? null : event))),
    /marks came as: second/,
  ],
  [
    'marks told when sent instead of when played',
    'marks come in order, and not before what was sent ahead of them has been played',
    () => {
      let tell: (event: LegEvent) => void = () => {}
      return broken(
        (forward) => (
          (tell = forward),
          replacing((event) => (event.type === 'mark' ? null : event))(forward, simulated())
        ),
        () => ({ mark: (name) => tell({ type: 'mark', name }), send: () => {} }),
      )()
    },
    /audio came after|marks came as/,
  ],
  [
    'clear that forgets nothing',
    'clear drops the marks that are pending, and only those',
    broken(faithful, () => ({ clear: () => {} })),
    /cleared mark/,
  ],
  [
    'double end',
    'hanging up ends once, and counts the connected time',
    broken((forward) => (event) => {
      forward(event)
      if (event.type === 'ended') forward(event)
    }),
    /ended came 2 times/,
  ],
  [
    'time counted from the dialing',
    'hanging up ends once, and counts the connected time',
    broken(
      replacing((event) => (event.type === 'ended' ? { ...event, connectedMs: event.connectedMs + 2800 } : event)),
    ),
    /were counted as/,
  ],
  [
    'marks after the end',
    'after the end every method does nothing',
    () => {
      let tell: (event: LegEvent) => void = () => {}
      return broken(
        (forward) => (tell = forward),
        (leg) => ({ mark: (name) => (name === 'late' ? tell({ type: 'mark', name }) : leg.mark(name)) }),
      )()
    },
    /mark came after ended/,
  ],
  [
    'a cancelled call that counts as ours',
    'before the answer every method is safe, and hanging up cancels',
    broken(replacing((event) => (event.type === 'ended' ? { ...event, cause: 'local' } : event))),
    /not as canceled/,
  ],
  [
    'one cause for all',
    'a busy line and a line that nobody answers say so, without connected time',
    broken(replacing((event) => (event.type === 'ended' ? { ...event, cause: 'failed' } : event))),
    /not as busy/,
  ],
  [
    'a close that leaves calls open',
    'closing the carrier ends its calls, once each',
    () => {
      const under = simulated()
      return { ...under, carrier: { ...under.carrier, close: () => Promise.resolve() } }
    },
    /ended came 0 times/,
  ],
]

describe('the checks find', () => {
  it.each(faults)('%s', async (_, check, make, complaint) => {
    await expect(carrierChecks[check](make)).rejects.toThrow(complaint)
  })
  it('a fault for every check', () => {
    expect(new Set(faults.map(([, check]) => check))).toEqual(new Set(Object.keys(carrierChecks)))
  })
})
