import { systemClock } from '@parley/voice-ports'
import { createSimulatedCarrier } from '../index.ts'

// A process with one call, to be killed: prints the call's id.

const [, , recordsDir = ''] = process.argv
const carrier = createSimulatedCarrier({ speak: async function* () {}, recordsDir, rng: () => 0.5 })
carrier.dial(
  {
    callId: 'call',
    to: '+12125550107',
    from: null,
    userId: 'user',
    language: 'en',
    answerTimeoutMs: 30_000,
    limitMs: 3_600_000,
    detectMachine: false,
    webhookBase: null,
  },
  systemClock(20),
  (event) => {
    if (event.type === 'placed') process.stdout.write(`${event.carrierCallId}\n`)
  },
)
