import { type Carrier, FRAME_MS, type Leg } from '@parley/voice-ports'
import { CallSession } from '../../apps/voice/src/session/call/session.ts'
import { dialOptions } from '../../apps/voice/src/session/call/leg-control.ts'
import { benchCarrier, type Watch } from './far-end.ts'
import { UTTERANCES } from './utterances.ts'
import { benchOrder, benchAdapters } from './adapters.ts'
import { PAUSE_MS, runLadder, type Punctuality } from './ladder.ts'

// One contender in its own process: `sessions`, or `copies`, which return every frame.

const adapters = benchAdapters()

function watchOf(punctuality: Punctuality): Watch {
  const incoming = punctuality.stream(FRAME_MS)
  const outgoing = punctuality.stream(FRAME_MS, PAUSE_MS)
  return { frameIn: (atMs) => incoming.came(atMs), frameOut: (atMs) => outgoing.came(atMs) }
}

function startSession(index: number, punctuality: Punctuality): () => void {
  const carrier = benchCarrier(adapters.ticker, { utterances: UTTERANCES }, watchOf(punctuality))
  const session = new CallSession(benchOrder(index), { ...adapters, carrier })
  return () => session.stop('stopped')
}

function startCopy(index: number, punctuality: Punctuality): () => void {
  const carrier: Carrier = benchCarrier(adapters.ticker, { utterances: UTTERANCES }, watchOf(punctuality))
  const options = dialOptions(benchOrder(index), 'en', null)
  const leg: Leg = carrier.dial(options, adapters.clock, (event) => {
    if (event.type === 'frame') leg.send({ audio: event.frame.audio.slice() })
  })
  return () => leg.hangUp()
}

await runLadder(process.argv[2] === 'copies' ? startCopy : startSession, process.argv.slice(3).map(Number))
