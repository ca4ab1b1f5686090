import { parseArgs } from 'node:util'
import type { Frame } from '@parley/voice-ports'
import { table } from '../apps/standalone/src/rehearsal/words.ts'
import { endOfTurnMs } from '../apps/voice/src/session/turns/phrases.ts'
import { CallSession } from '../apps/voice/src/session/call/session.ts'
import { benchCarrier, type Watch } from './voice/far-end.ts'
import { goFirst } from './voice/ladder.ts'
import { LINES } from './voice/lines.ts'
import { benchOrder, benchParts } from './voice/parts.ts'
import { shares } from './voice/shares.ts'

// How long a session itself takes: from the end of the callee's speech to the first frame of the answer, and from the
// answer of the telephone.

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '250' }, seconds: { type: 'string', default: '60' } },
})

const replyMs: number[] = []
const answerMs: number[] = []
const copyMs: number[] = []
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The silence that the words themselves ask for, which every agent has to wait. */
function silenceAfter(line: readonly Frame[]): number {
  return endOfTurnMs(line.flatMap(({ text }) => text ?? []).join(' '), 'en')
}

function watchOf(): Watch {
  let answeredMs: number | null = null
  let stoppedMs: number | null = null
  let silenceMs = 0
  return {
    answered: (atMs) => void (answeredMs = atMs),
    calleeStopped: (atMs, line) => {
      stoppedMs = atMs
      silenceMs = silenceAfter(line)
    },
    calleeStarted: () => void (stoppedMs = null),
    frameOut: (atMs) => {
      if (answeredMs !== null) answerMs.push(atMs - answeredMs)
      if (stoppedMs !== null) replyMs.push(atMs - stoppedMs - silenceMs)
      answeredMs = stoppedMs = null
    },
  }
}

/** The least that this machine needs for anything: a timer of 20 ms, and how late it comes. */
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
const parts = benchParts()
const sessions: CallSession[] = []
for (let index = 0; index < calls; index++) {
  sessions.push(
    new CallSession(benchOrder(index), { ...parts, carrier: benchCarrier(parts.ticker, { lines: LINES }, watchOf()) }),
  )
  await wait(10)
}
// The first replies of all belong to the warming up; the first answers do not: every call has one.
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
