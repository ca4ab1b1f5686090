import { describe, expect, it } from 'vitest'
import { type Carrier, type Leg, type LegEvent, virtualClock } from '@parley/voice-ports'
import {
  carrierChecks,
  carrierConforms,
  type CarrierCheck,
  type CarrierUnderTest,
} from '@parley/voice-ports/conformance'
import type { NetworkFaults } from './faults.ts'
import { createTestNetwork } from './index.ts'

/** A voice without sound. */
async function* noVoice(): AsyncGenerator<never> {}

function simulated(faults: NetworkFaults = {}): CarrierUnderTest {
  const clock = virtualClock()
  const heard: { digit: string; atMs: number }[] = []
  const onDigit = (digit: string) => void heard.push({ digit, atMs: clock.nowMs() })
  return {
    carrier: createTestNetwork({ speak: noVoice, rng: () => 0.5, faults, onDigit }),
    digitsHeard: () => heard,
    clock,
    advance: (ms) => clock.advance(ms),
    numbers: { answers: '+12125550107', busy: '+442075550101', noAnswer: '+12125550102' },
    toleranceMs: 0,
  }
}

carrierConforms('simulated', () => simulated())
carrierConforms('simulated, with a lost ended', () => simulated({ losesEnded: true }))

type Break = (forward: (event: LegEvent) => void, under: CarrierUnderTest) => (event: LegEvent) => void

/** A leg whose methods a test can replace. */
function legOf(leg: Leg): Leg {
  return {
    capabilities: leg.capabilities,
    send: (frame) => leg.send(frame),
    mark: (name) => leg.mark(name),
    clear: () => leg.clear(),
    sendDigits: (digits) => leg.sendDigits(digits),
    transfer: (to) => leg.transfer(to),
    hangUp: () => leg.hangUp(),
  }
}

/** The same carrier with spoiled events or a spoiled leg. */
function broken(
  spoil: Break,
  spoilLeg: (leg: Leg) => Partial<Leg> = () => ({}),
  spoilCarrier: Partial<Carrier> = {},
  faults: NetworkFaults = {},
): () => CarrierUnderTest {
  return () => {
    const under = simulated(faults)
    const carrier: Carrier = {
      ...under.carrier,
      ...spoilCarrier,
      dial(options, clock, onEvent) {
        const whole = legOf(under.carrier.dial(options, clock, spoil(onEvent, under)))
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
    broken(faithful, undefined, { close: () => Promise.resolve() }),
    /ended came 0 times/,
  ],
  [
    'no id',
    'placed comes once, with an id, before ringing',
    broken(replacing((event) => (event.type === 'placed' ? null : event))),
    /never placed/,
  ],
  [
    'an id after the answer',
    'placed comes once, with an id, before ringing',
    broken((forward) => {
      let placed: LegEvent | null = null
      return (event) => {
        if (event.type === 'placed') return void (placed = event)
        forward(event)
        if (event.type === 'answered' && placed) forward(placed)
      }
    }),
    /placed after ringing/,
  ],
  [
    'media time that goes back',
    'media time begins at 0 and goes on by whole frames',
    broken(replacing((event) => (event.type === 'frame' ? { ...event, mediaMs: event.mediaMs % 1000 } : event))),
    /went back from 980 to 0/,
  ],
  [
    'media time since the dialing',
    'media time begins at 0 and goes on by whole frames',
    broken(replacing((event) => (event.type === 'frame' ? { ...event, mediaMs: event.mediaMs + 2800 } : event))),
    /began at 2800/,
  ],
  [
    'frames after media went down',
    'frames come between media up and media down only',
    broken((forward) => (event) => {
      forward(event)
      if (event.type === 'media' && event.state === 'down')
        forward({ type: 'frame', frame: { audio: new Uint8Array(160) }, mediaMs: 60_000 })
    }),
    /outside media/,
  ],
  [
    'media that is never up',
    'frames come between media up and media down only',
    broken(replacing((event) => (event.type === 'media' ? null : event))),
    /outside media/,
  ],
  [
    'digits that wait for nothing',
    'digits go out after the audio before them and before the mark behind them',
    broken(faithful, () => ({ send: () => undefined })),
    /behind 200 ms of audio/,
  ],
  [
    'marks that do not wait for digits',
    'digits go out after the audio before them and before the mark behind them',
    () => {
      const under = simulated()
      return {
        ...under,
        carrier: {
          ...under.carrier,
          dial(options, clock, onEvent) {
            const leg = under.carrier.dial(options, clock, onEvent)
            return { ...legOf(leg), sendDigits: (digits) => clock.after(1000, () => leg.sendDigits(digits)) }
          },
        },
      }
    },
    /mark behind digits came before/,
  ],
  [
    'digits that are not checked',
    'digits go out after the audio before them and before the mark behind them',
    broken(faithful, (leg) => ({ sendDigits: (digits) => leg.sendDigits(digits.replaceAll(/[^\d#*wW]/g, '')) })),
    /digits were heard as: 1/,
  ],
  [
    'a verdict that nobody asked for',
    'a machine is looked for only when that was asked for',
    broken((forward) => (event) => {
      forward(event)
      if (event.type === 'answered') forward({ type: 'machine', verdict: 'human', atMs: 0 })
    }),
    /nobody asked/,
  ],
  [
    'verdicts that never come',
    'a machine is looked for only when that was asked for',
    broken(replacing((event) => (event.type === 'machine' ? null : event))),
    /0 verdicts came with the capability true/,
  ],
  [
    'hung_up after ended',
    'hung_up comes once and before ended',
    broken((forward) => (event) => {
      if (event.type !== 'hung_up') forward(event)
      if (event.type === 'ended') forward({ type: 'hung_up' })
    }),
    /hung_up came after ended/,
  ],
  [
    'a limit of its own only in our process',
    'the carrier ends a leg at limitMs',
    () => {
      const under = simulated()
      const { carrier } = under
      return {
        ...under,
        carrier: {
          ...carrier,
          dial: (options, clock, onEvent) => carrier.dial({ ...options, limitMs: 600_000 }, clock, onEvent),
        },
      }
    },
    /beyond limitMs/,
  ],
  [
    'a lost duration that nobody can ask for',
    'ask() tells a live leg and its end, also where `ended` is lost',
    broken(
      faithful,
      undefined,
      { ask: () => Promise.resolve({ state: 'live', connectedMs: 0 }) },
      { losesEnded: true },
    ),
    /does not tell the duration/,
  ],
  [
    'a lost duration, told by no check but this',
    'hangUp() ends the leg once with the connected time',
    broken(faithful, undefined, { ask: () => Promise.resolve(null) }, { losesEnded: true }),
    /ended was lost, and ask/,
  ],
  [
    'another duration for who asks',
    'ask() tells a live leg and its end, also where `ended` is lost',
    broken(
      replacing((event) => (event.type === 'ended' ? { ...event, connectedMs: event.connectedMs + 1000 } : event)),
    ),
    /where ended had/,
  ],
  [
    'an answer about unknown calls',
    'ask() tells nothing about a call that the carrier does not know',
    broken(faithful, undefined, {
      ask: () => Promise.resolve({ state: 'ended', cause: 'failed', connectedMs: 0, code: null, cost: null }),
    }),
    /unknown call/,
  ],
  [
    'a hangUp() by id that does nothing',
    'hangUp() by id ends a live leg, and does nothing with an ended or unknown one',
    broken(faithful, undefined, { hangUp: () => Promise.resolve() }),
    /went on after hangUp/,
  ],
  [
    'failed transfers that are not told',
    'transfer() ends the leg as transferred, or says that it failed',
    broken(replacing((event) => (event.type === 'transfer_failed' ? null : event))),
    /not told once/,
  ],
  [
    'transfers that end like any hang-up',
    'transfer() ends the leg as transferred, or says that it failed',
    broken(
      replacing((event) =>
        event.type === 'ended' && event.cause === 'transferred' ? { ...event, cause: 'local' } : event,
      ),
    ),
    /not as transferred/,
  ],
  [
    'a transfer to anything',
    'transfer() ends the leg as transferred, or says that it failed',
    broken(faithful, (leg) => ({ transfer: (to) => leg.transfer(to.startsWith('+') ? to : `+${to || 1234567}`) })),
    /no number ended the leg/,
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
