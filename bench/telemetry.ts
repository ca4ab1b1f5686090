import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startOtlpReceiver } from '@parley/traces/testing'
import { z } from 'zod'
import { HEAP_OPTIONS } from '../apps/voice/src/heap.ts'

// What metrics and traces take of the time of a full voice process. The receiver of the spans is this process.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '6' },
  },
})
const { calls, seconds, rounds } = values
const Round = z.object({ with: z.number(), without: z.number() })
const Shares = z.object({ share: z.number(), samples: z.number() })
const Message = z.union([Round, Shares])

const receiver = await startOtlpReceiver()
const child = fork(
  new URL('voice/telemetry-child.ts', import.meta.url).pathname,
  [receiver.url, calls, seconds, rounds],
  {
    execArgv: ['--expose-gc', ...HEAP_OPTIONS],
  },
)
const measured: z.output<typeof Round>[] = []
const sampled: z.output<typeof Shares>[] = []
child.on('message', (message) => {
  const round = Message.parse(message)
  if ('share' in round) return void sampled.push(round)
  measured.push(round)
  console.log(`without ${Math.round(round.without)} ms, with ${Math.round(round.with)} ms of the processor`)
})
await new Promise<void>((resolve, reject) => {
  child.once('error', reject)
  child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The process ended with ${code}`))))
})
await receiver.close()

const [profile = { share: Number.NaN, samples: 0 }] = sampled
const ratios = measured.map((round) => round.with / round.without).toSorted((a, b) => a - b)
const median = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN
// Load can only add to a measurement.
const least = (side: 'with' | 'without') => Math.min(...measured.map((round) => round[side]))
const share = (ms: number) => `${((ms / (Number(calls) * Number(seconds) * 1000)) * 100).toFixed(3)} %`
console.log(`
${calls} calls, ${seconds} s of call time each: ${share(least('without'))} of a core a call without, ${share(least('with'))} with
Ratio ${(least('with') / least('without')).toFixed(3)} of the least, median of the rounds ${median.toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})
${(profile.share * 100).toFixed(2)} % of ${profile.samples} samples of the process were in metrics and traces
${receiver.spans.length} spans came in ${receiver.requests} requests`)
