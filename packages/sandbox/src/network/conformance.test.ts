import { describe, expect, it } from 'vitest'
import { type Carrier, type Leg, type LegEvent, virtualClock } from '@parley/voice-ports'
import {
  carrierChecks,
  carrierConforms,
  type CarrierCheck,
  type CarrierUnderTest,
} from '@parley/voice-ports/conformance'
import { createSimulatedCarrier } from './index.ts'

/** A voice without sound. */
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

/** The same carrier with spoiled events or a spoiled leg. */
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
    'events from within dial()',
    'dial() returns before the first event, and ringing precedes answered',
    broken((forward) => {
      forward({ type: 'ringing' })
      return forward
    }),
    /before dial/,
  ],
  [
    'every tenth frame late',
    'after the answer a frame of 160 bytes comes every 20 ms',
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
    'after the answer a frame of 160 bytes comes every 20 ms',
    broken(
      replacing((event) =>
        event.type === 'frame' ? { ...event, frame: { audio: event.frame.audio.subarray(80) } } : event,
      ),
    ),
    /160 bytes/,
  ],
  [
    'a clock that drifts',
    'after the answer a frame of 160 bytes comes every 20 ms',
    broken((forward, under) => {
      let count = 0
      return (event) =>
        void (event.type === 'frame' ? under.clock.after(count++ * 0.2, () => forward(event)) : forward(event))
    }),
    /from its time/,
  ],
  [
    'lost marks',
    'marks come in order, each after the audio sent before it was played',
    broken(replacing((event) => (event.type === 'mark' && event.name === 'first' ? null : event))),
    /marks came as: second/,
  ],
  [
    'marks at sending instead of playing',
    'marks come in order, each after the audio sent before it was played',
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
    'a clear() that drops nothing',
    'clear() drops pending marks and no later ones',
    broken(faithful, () => ({ clear: () => {} })),
    /cleared mark/,
  ],
  [
    'two ended events',
    'hangUp() ends the leg once with the connected time',
    broken((forward) => (event) => {
      forward(event)
      if (event.type === 'ended') forward(event)
    }),
    /ended came 2 times/,
  ],
  [
    'time counted from the dialing',
    'hangUp() ends the leg once with the connected time',
    broken(
      replacing((event) => (event.type === 'ended' ? { ...event, connectedMs: event.connectedMs + 2800 } : event)),
    ),
    /were counted as/,
  ],
  [
    'marks after the end',
    'methods do nothing after the end of the leg',
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
    'a canceled call that ends as local',
    'methods are safe before the answer, and hangUp() cancels',
    broken(replacing((event) => (event.type === 'ended' ? { ...event, cause: 'local' } : event))),
    /not as canceled/,
  ],
  [
    'one cause for every end',
    'a busy and an unanswered leg end as such with 0 ms connected',
    broken(replacing((event) => (event.type === 'ended' ? { ...event, cause: 'failed' } : event))),
    /not as busy/,
  ],
  [
    'a close() that leaves legs open',
    'close() ends each leg once',
    () => {
      const under = simulated()
      return { ...under, carrier: { ...under.carrier, close: () => Promise.resolve() } }
    },
    /ended came 0 times/,
  ],
]

describe('the conformance checks', () => {
  it.each(faults)('reject a carrier with: %s', async (_, check, make, complaint) => {
    await expect(carrierChecks[check](make)).rejects.toThrow(complaint)
  })
  it('are each shown failing by a fault', () => {
    expect(new Set(faults.map(([, check]) => check))).toEqual(new Set(Object.keys(carrierChecks)))
  })
})
