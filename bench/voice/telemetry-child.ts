import { createTraces, NO_TRACES, type Traces } from '@parley/traces'
import { frameTicker, virtualClock } from '@parley/voice-ports'
import type { FactBody, Stage } from '../../packages/contract/src/index.ts'
import { CallSession } from '../../apps/voice/src/session/call/session.ts'
import { VoiceMetrics } from '../../apps/voice/src/metrics/metrics.ts'
import { CallTrace } from '../../apps/voice/src/traces/call-trace.ts'
import { benchAdapters, benchOrder } from './adapters.ts'
import { benchCarrier } from './far-end.ts'
import { sharesOf } from './profile.ts'
import { UTTERANCES } from './utterances.ts'

// Whole sessions on a clock that moves as fast as the processor can, in turn without and with metrics and traces.

const [endpoint = '', ...numbers] = process.argv.slice(2)
const [calls = 0, seconds = 0, rounds = 0] = numbers.map(Number)
/** The greeting and what the compiler still has to learn. */
const WARM_SECONDS = 10
/** As Prometheus does without being told otherwise. */
const SCRAPED_EVERY_SECONDS = 15
/** Spans, metrics and their way out; the rooms of voice that make them. */
const TELEMETRY =
  /@opentelemetry|prom-client|packages\/traces|voice\/src\/(traces|metrics)|node:(_http|internal\/http|net)/
/** Of call time: as long as the service gathers spans for one request. */
const GATHERED_MS = 2000

interface Side {
  readonly traces: Traces
  readonly metrics: Pick<VoiceMetrics, 'took' | 'ended' | 'text'>
}

const WITHOUT: Side = {
  traces: NO_TRACES,
  metrics: { took: () => undefined, ended: () => undefined, text: () => Promise.resolve('') },
}

/** Returns the time of the processor, in ms. */
async function measure(side: Side, around = (work: () => Promise<void>) => work()): Promise<number> {
  const clock = virtualClock()
  const ticker = frameTicker(clock)
  const adapters = { ...benchAdapters(), clock, ticker }
  const sessions = Array.from({ length: calls }, (_, index) => {
    const order = benchOrder(index)
    const carrier = benchCarrier(ticker, { utterances: UTTERANCES }, {})
    return new CallSession(order, { ...adapters, ...telemetryOf(side, order.callId), carrier })
  })
  await clock.advance(WARM_SECONDS * 1000)
  gc?.()
  const before = process.cpuUsage()
  await around(async () => {
    for (let second = 1; second <= seconds; second++) {
      await clock.advance(1000)
      if (second % SCRAPED_EVERY_SECONDS === 0) await side.metrics.text()
    }
  })
  const { user, system } = process.cpuUsage(before)
  for (const session of sessions) session.stop('stopped')
  await clock.advance(5000)
  return (user + system) / 1000
}

/** As the service does it for each order, whether or not there are traces. */
function telemetryOf({ traces, metrics }: Side, callId: string) {
  const span = traces.begin('order', { kind: 'server', parent: null, attributes: { 'parley.call_id': callId } })
  const trace = new CallTrace({ traces, callId, order: span.context, speed: 1 })
  span.end()
  return {
    report: {
      add(fact: FactBody) {
        if (fact.type === 'ended') metrics.ended(fact.reason)
        trace.fact(fact)
      },
      flushed: () => Promise.resolve(),
    },
    onTook(stage: Stage, delayMs: number) {
      metrics.took(stage, delayMs)
      trace.took(stage, delayMs)
    },
  }
}

const beganAt = performance.now()
await measure(WITHOUT)
const wallPerCallTime = (performance.now() - beganAt) / (seconds + WARM_SECONDS) / 1000
const traces = await createTraces({
  endpoint,
  share: 1,
  service: 'parley-voice',
  version: 'bench',
  instance: String(process.pid),
  gatherMs: GATHERED_MS * wallPerCallTime,
})
const sides = { with: { traces, metrics: new VoiceMetrics() }, without: WITHOUT }
await measure(sides.with)
for (let round = 0; round < rounds; round++) {
  // Whoever goes second finds a warmer or a busier machine: they take turns at it.
  const first = round % 2 === 0 ? 'without' : 'with'
  const second = round % 2 === 0 ? 'with' : 'without'
  process.send?.({ [first]: await measure(sides[first]), [second]: await measure(sides[second]) })
}
await measure(sides.with, async (work) => void process.send?.(await sharesOf(TELEMETRY, work)))
await traces.close()
process.exit(0)
