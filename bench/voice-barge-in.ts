import { parseArgs } from 'node:util'
import { FRAME_MS, type Frame } from '@parley/voice-ports'
import { table } from '../apps/standalone/src/rehearsal/words.ts'
import { CallSession } from '../apps/voice/src/session/call/session.ts'
import { benchCarrier, spokenFrames, type Watch } from './voice/far-end.ts'
import { goFirst } from './voice/ladder.ts'
import { benchOrder, benchAdapters } from './voice/adapters.ts'
import { shares } from './voice/shares.ts'

// ms from the first sound of a callee's interruption to silence of the agent.

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '250' }, seconds: { type: 'string', default: '60' } },
})

const INTERRUPTS_AFTER_MS = 1500
/** Audio sent after this many ms counts as not stopped. */
const STOPPED_MS = 150
/** An ear that has two words after 180 ms. */
const WORDS_AT = 9

const mute: readonly Frame[] = spokenFrames('Could you please say that again more slowly?').map(({ audio }) => ({
  audio,
}))
const quick: readonly Frame[] = mute.map(({ audio }, at) =>
  at === WORDS_AT - 1
    ? { audio, text: 'Could you' }
    : at === mute.length - 1
      ? { audio, text: 'please say that again?' }
      : { audio },
)

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Records when the agent's last frame before a silence had been played. */
function watchOf(timesMs: number[]): Watch {
  let onsetMs: number | null = null
  let lastOutMs = 0
  const settle = (nowMs: number) => {
    if (onsetMs === null || nowMs - lastOutMs < STOPPED_MS) return
    timesMs.push(lastOutMs + FRAME_MS - onsetMs)
    onsetMs = null
  }
  return {
    calleeStarted: (atMs) => void (onsetMs = atMs - FRAME_MS),
    frameIn: settle,
    frameOut: (atMs) => {
      settle(atMs)
      lastOutMs = atMs
    },
  }
}

goFirst()
const calls = Number(values.calls)
const adapters = benchAdapters()
const withoutWords: number[] = []
const withWords: number[] = []
const sessions: CallSession[] = []
for (let index = 0; index < calls; index++) {
  const [utterances, times] = index % 2 === 0 ? [[mute], withoutWords] : [[quick], withWords]
  const carrier = benchCarrier(adapters.ticker, { utterances, interruptsAfterMs: INTERRUPTS_AFTER_MS }, watchOf(times))
  sessions.push(new CallSession(benchOrder(index), { ...adapters, carrier }))
  await wait(10)
}
// The disclosure cannot be interrupted; measure after it.
await wait(6000)
withoutWords.length = withWords.length = 0
await wait(Number(values.seconds) * 1000)
const row = (name: string, aim: string, times: readonly number[]) => {
  const { p50, p95, worst, count } = shares(times)
  return [name, p50, p95, worst, aim, count]
}
console.log(`${calls} calls\n`)
console.log(
  table([
    ['ms', 'p50', 'p95', 'worst', 'aim (p95)', 'measured'],
    row('onset of speech to silence, 500 ms of speech without words', '600', withoutWords),
    row('onset of speech to silence, two words after 180 ms', '250', withWords),
  ]),
)
for (const session of sessions) session.stop('stopped')
await wait(100)
process.exit(0)
