import { parseArgs } from 'node:util'
import { table } from '../../apps/standalone/src/rehearsal/words.ts'
import { endOfTurnMs } from '../../apps/voice/src/session/turns/phrases.ts'
import { ask, start } from '../telephony/children.ts'
import { shares } from '../voice/shares.ts'
import { type CoreOrder, type Held, LINE } from './shapes.ts'

// One call over the whole real wire, many times at once, beside a relay of the same bytes. The same file is each of its
// processes.

async function held(role: 'core' | 'relay', order: CoreOrder): Promise<Held> {
  const child = start(role, '', '../real-wire/main.ts')
  const result = await ask<Held>(child, order)
  child.disconnect()
  return result
}

async function measure(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string', default: '40' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '20' },
      'mind-ms': { type: 'string', default: '150' },
      'mouth-ms': { type: 'string', default: '75' },
    },
  })
  const [calls, rounds, seconds] = [Number(values.calls), Number(values.rounds), Number(values.seconds)]
  const [mindMs, mouthMs] = [Number(values['mind-ms']), Number(values['mouth-ms'])]
  const order: CoreOrder = { type: 'calls', calls, mindMs, mouthMs, settleMs: 15_000, measureMs: seconds * 1000 }
  const silenceMs = endOfTurnMs(LINE, 'en')
  const ratios: number[] = []
  const rows: string[][] = []
  const beyondMs: number[] = []
  const timerMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Whoever goes second finds a warmer or a busier machine: they take turns at it.
    const firstRelay = round % 2 === 1 ? await held('relay', order) : null
    const ours = await held('core', order)
    const relay = firstRelay ?? (await held('relay', order))
    ratios.push(ours.cpu / relay.cpu)
    // Vendors work while the silence passes that ends the turn: what is longer of the two is not ours.
    beyondMs.push(...ours.replyMs.map((ms) => ms - Math.max(silenceMs, mindMs + mouthMs)))
    timerMs.push(...ours.timerMs)
    const perCore = (cpu: number) => (calls / cpu).toFixed(0)
    rows.push([`${round + 1}`, perCore(ours.cpu), perCore(relay.cpu), (ours.cpu / relay.cpu).toFixed(2)])
  }
  const { p50, p95, worst, count } = shares(beyondMs)
  const bare = shares(timerMs)
  console.log(`${calls} calls, ${rounds} rounds of ${seconds} s; mind ${mindMs} ms, mouth ${mouthMs} ms\n`)
  console.log(table([['round', 'calls a core', 'relayed', 'times the relay'], ...rows]))
  console.log(
    `\nEnd of speech to first frame, beyond ${Math.max(silenceMs, mindMs + mouthMs)} ms of silence or vendors: ` +
      `p50 ${p50} ms, p95 ${p95} ms, worst ${worst} ms, of ${count} replies; ` +
      `a bare 20 ms timer of the same process: ${bare.p50}, ${bare.p95}, ${bare.worst} ms`,
  )
}

const [role = ''] = process.argv.slice(2)
if (role === 'far') (await import('./far.ts')).runFar()
else if (role === 'core') (await import('./core.ts')).runCore()
else if (role === 'relay') (await import('./relay.ts')).runRelay()
else await measure(process.argv.slice(2))
