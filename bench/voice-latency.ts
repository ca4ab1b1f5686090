import { parseArgs } from 'node:util'
import type { Frame } from '@parley/voice-ports'
import { table } from '../apps/standalone/src/rehearsal/words.ts'
import { endOfTurnMs } from '../apps/voice/src/session/turns/phrases.ts'
import { CallSession } from '../apps/voice/src/session/call/session.ts'
import { benchCarrier, type Watch } from './voice/far-end.ts'
import { goFirst } from './voice/ladder.ts'
import { UTTERANCES } from './voice/utterances.ts'
import { benchOrder, benchAdapters } from './voice/adapters.ts'
import { shares } from './voice/shares.ts'

// Latency of the session itself: from the end of the callee's speech, and from the answer, to the agent's first frame.

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '250' }, seconds: { type: 'string', default: '60' } },
})

const replyMs: number[] = []
const answerMs: number[] = []
const copyMs: number[] = []
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** ms of silence needed to recognise the end of the turn, for every agent. */
function silenceAfter(utterance: readonly Frame[]): number {
  return endOfTurnMs(utterance.flatMap(({ text }) => text ?? []).join(' '), 'en')
}

function watchOf(): Watch {
  let answeredMs: number | null = null
  let stoppedMs: number | null = null
  let silenceMs = 0
  return {
    answered: (atMs) => void (answeredMs = atMs),
    calleeStopped: (atMs, utterance) => {
      stoppedMs = atMs
      silenceMs = silenceAfter(utterance)
    },
    calleeStarted: () => void (stoppedMs = null),
    frameOut: (atMs) => {
      if (answeredMs !== null) answerMs.push(atMs - answeredMs)
      if (stoppedMs !== null) replyMs.push(atMs - stoppedMs - silenceMs)
      answeredMs = stoppedMs = null
    },
  }
}

/** The baseline of this machine: the lateness of a 20 ms timer. */
function watchTimers(): () => void {
  let dueMs = performance.now() + 20
  const timer = setInterval(() => {
    copyMs.push(performance.now() - dueMs)
    dueMs = performance.now() + 20
  }, 20)
  return () => clearInterval(timer)
}

goFirst()
const calls = Number(values.calls)
const adapters = benchAdapters()
const sessions: CallSession[] = []
for (let index = 0; index < calls; index++) {
  sessions.push(
    new CallSession(benchOrder(index), {
      ...adapters,
      carrier: benchCarrier(adapters.ticker, { utterances: UTTERANCES }, watchOf()),
    }),
  )
  await wait(10)
}
// The first replies are warm-up; the first answers are not, since every call has one.
replyMs.length = 0
const unwatch = watchTimers()
await wait(Number(values.seconds) * 1000)
unwatch()
const row = (name: string, aim: string, times: readonly number[]) => {
  const { p50, p95, worst, count } = shares(times)
  return [name, p50, p95, worst, aim, count]
}
console.log(`${calls} calls\n`)
console.log(
  table([
    ['ms', 'p50', 'p95', 'worst', 'aim (p95)', 'measured'],
    row('end of speech to first frame, beyond the silence that its words ask for', '20', replyMs),
    row('answer to first frame', '200', answerMs),
    row('lateness of a bare 20 ms timer in the same process', '', copyMs),
  ]),
)
for (const session of sessions) session.stop('stopped')
await wait(100)
process.exit(0)
