import { type Clock, type DialOptions, type LegEvent, virtualClock } from '@parley/voice-ports'
import { carrierConforms, type CarrierUnderTest } from '@parley/voice-ports/conformance'
import { createTestNetwork } from '@parley/sandbox/testing'
import { pino } from 'pino'
import { inProcessLimits, routedCarrier } from './index.ts'
import { ScriptedCarrier } from './testing/scripted.ts'

/** A voice without sound. */
async function* noVoice(): AsyncGenerator<never> {}

/** Refuses every call before it rings. */
class Refusing extends ScriptedCarrier {
  override dial(options: DialOptions, clock: Clock, onEvent: (event: LegEvent) => void) {
    const leg = super.dial(options, clock, onEvent)
    clock.after(50, () => this.end('failed', '503'))
    return leg
  }
}

function routed(first: 'simulated' | 'refusing'): CarrierUnderTest {
  const clock = virtualClock()
  const heard: { digit: string; atMs: number }[] = []
  const onDigit = (digit: string) => void heard.push({ digit, atMs: clock.nowMs() })
  const carriers = [createTestNetwork({ speak: noVoice, rng: () => 0.5, onDigit }), new Refusing('twilio')]
  const usual = first === 'simulated' ? ['simulated', 'twilio'] : ['twilio', 'simulated']
  const limits = inProcessLimits({ simulated: { callsPerSecond: 50, callsAtOnce: 10 } }, clock)
  const log = pino({ level: 'silent' })
  return {
    carrier: routedCarrier({ carriers, routes: { usual, countries: {} }, limits, clock, log }),
    digitsHeard: () => heard,
    clock,
    advance: (ms) => clock.advance(ms),
    numbers: { answers: '+12125550107', busy: '+442075550101', noAnswer: '+12125550102' },
    toleranceMs: 0,
  }
}

carrierConforms('routed, over the simulated network', () => routed('simulated'))
carrierConforms('routed, after another carrier has failed', () => routed('refusing'))
