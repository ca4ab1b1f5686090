import { parseArgs } from 'node:util'
import {
  findWrongs,
  LONG_RUN_ENVIRONMENT,
  memoryOf,
  type ProcessName,
  runList,
} from '../apps/standalone/src/long-run/testing.ts'
import { type Running, runParley } from '../apps/standalone/src/world.ts'

// The whole product runs a whole batch, is killed five times, and the invariants are checked afterwards.

const KILLS: readonly (readonly ProcessName[])[] = [
  ['main'],
  ['voice'],
  ['main', 'voice'],
  ['main', 'postgres'],
  ['main', 'voice', 'postgres'],
]
const TOLD_EVERY_MS = 10_000
const TIMEOUT_MS = 3 * 3_600_000

interface Sample {
  readonly calls: number
  readonly main: number
  readonly voice: number
}

/** Samples the memory of the processes since the last start. */
class Watch {
  readonly #parley: Running
  readonly #startedAt = performance.now()
  #toldAt = 0
  mostMain = 0
  mostVoice = 0
  /** Samples since the last kill. */
  samples: Sample[] = []

  constructor(parley: Running) {
    this.#parley = parley
  }

  async look(calls: number, contacts: object): Promise<void> {
    const pids = await this.#parley.pids().catch(() => undefined)
    if (!pids) return
    const [main, voice] = await Promise.all([memoryOf(pids.api), memoryOf(pids.voice)])
    this.mostMain = Math.max(this.mostMain, main.most)
    this.mostVoice = Math.max(this.mostVoice, voice.most)
    this.samples.push({ calls, main: main.now, voice: voice.now })
    if (performance.now() - this.#toldAt < TOLD_EVERY_MS) return
    this.#toldAt = performance.now()
    this.say(`${JSON.stringify(contacts)}; main ${main.now} MB, voice ${voice.now} MB`)
  }

  say(what: string): void {
    console.log(`${((performance.now() - this.#startedAt) / 1000).toFixed(0).padStart(5)} s  ${what}`)
  }

  /** Per quarter of the time since the last kill: shows growth in spite of single outliers. */
  quarters(): string[] {
    const size = Math.ceil(this.samples.length / 4)
    return [0, 1, 2, 3].map((quarter) => {
      const part = this.samples.slice(quarter * size, (quarter + 1) * size)
      const middle = (of: (sample: Sample) => number) =>
        part.map(of).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0
      return `after about ${middle(({ calls }) => calls)} calls: main ${middle(({ main }) => main)} MB, voice ${middle(({ voice }) => voice)} MB`
    })
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { rows: { type: 'string', default: '10000' }, kills: { type: 'string', default: '5' } },
  })
  const [rows, kills] = [Number(values.rows), Number(values.kills)]
  const parley = await runParley(LONG_RUN_ENVIRONMENT)
  const watch = new Watch(parley)
  try {
    const run = await runList(parley, {
      rows,
      kills: KILLS.slice(0, kills),
      killedWithin: 0.6,
      timeoutMs: TIMEOUT_MS,
      onLook: ({ contacts }) => watch.look(contacts.completed + contacts.failed + contacts.cancelled, contacts),
      onKill(processes, { contacts }) {
        watch.say(`kill -9 ${processes.join(', ')} at ${JSON.stringify(contacts)}`)
        watch.samples = []
      },
    })
    const { contacts, creditsCharged, totalCalls } = run.batch
    console.log(
      `${totalCalls} contacts in ${run.seconds.toFixed(0)} s: ${(totalCalls / run.seconds).toFixed(1)} calls a second, ${kills} kills`,
    )
    console.log(
      `left out before: ${JSON.stringify(run.file.droppedByCode)}; came to: ${JSON.stringify(contacts)}; ${creditsCharged} credits`,
    )
    console.log(`at most: main ${watch.mostMain} MB, voice ${watch.mostVoice} MB; since the last kill:`)
    for (const line of watch.quarters()) console.log(`  ${line}`)
    const wrongs = await findWrongs(parley, run)
    console.log(
      wrongs.length === 0
        ? 'Nobody was called twice, nobody on a list was called, and the books are right.'
        : wrongs.join('\n'),
    )
    return wrongs.length === 0 ? 0 : 1
  } finally {
    await parley.dispose()
  }
}

process.exitCode = await main()
