import { fork, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { HEAP_OPTIONS } from '../apps/voice/src/heap.ts'
import { table } from '../apps/standalone/src/rehearsal/words.ts'
import { LATE_MS, type Rung } from './voice/ladder.ts'

// Calls that one process holds in real time, beside bare copies of frames and beside the peer.

const PEER = ['@livekit/agents@1.9.0']
const LATE_MAX = 0.01
/** A share of late frames that ends the ladder. */
const HOPELESS = 0.5

/** The child process sends Rungs only, so the cast holds. */
const rungFrom = (message: unknown): Rung => message as Rung

interface Contender {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  readonly rungs: readonly number[]
  /** The best of all rounds, because load can only make a round worse. */
  readonly best: Map<number, Rung>
  readonly all: Rung[]
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, peer: { type: 'string' }, before: { type: 'string' } },
})

function contender(name: string, file: string, args: readonly string[], rungs: readonly number[]): Contender {
  return { name, file: new URL(`voice/${file}`, import.meta.url).pathname, args, rungs, best: new Map(), all: [] }
}

function climb({ file, args, rungs, best, all }: Contender): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(file, [...args, ...rungs.map(String)], {
      execArgv: ['--expose-gc', ...HEAP_OPTIONS],
      silent: true,
    })
    child.on('message', (message) => {
      const rung = rungFrom(message)
      all.push(rung)
      const before = best.get(rung.calls)
      if (!before || rung.late < before.late) best.set(rung.calls, rung)
      if (rung.late > HOPELESS) child.kill()
    })
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      code === 0 || signal ? resolve() : reject(new Error(`${file} ended with ${code}`)),
    )
  })
}

/** Installs the peer in an own folder. Null, with the reason printed, when that fails. */
async function installPeer(): Promise<string | null> {
  if (values.peer) return values.peer
  const folder = await mkdtemp(join(tmpdir(), 'parley-peer-'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  console.log(`Installing ${PEER[0]} for comparison…`)
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...PEER], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status === 0) return folder
  console.log(
    `The peer could not be installed, so there is no comparison with it:\n${stderr.trim().split('\n').at(-1)}`,
  )
  await rm(folder, { recursive: true, force: true })
  return null
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`

/** The most calls with at most 1 % of late frames, and the estimate for a whole core. */
function judge({ best }: Contender) {
  const held = [...best.values()].filter(({ late }) => late <= LATE_MAX).toSorted((a, b) => b.calls - a.calls)[0]
  return held ? { ...held, byCpu: held.calls / held.cpu } : null
}

function show(contenders: readonly Contender[]): void {
  for (const { name, best } of contenders) {
    const rows = [...best.values()].map(({ calls, late, cpu, bytesPerCall }) => [
      `${calls}`,
      percent(late),
      percent(cpu),
      `${(bytesPerCall / 1024).toFixed(0)} KB`,
    ])
    console.log(`\n${name}\n${table([['calls', `late by ${LATE_MS} ms`, 'of a core', 'a call'], ...rows])}`)
  }
  const [sessions, copies, peer] = contenders.map(judge)
  console.log('')
  if (sessions)
    console.log(
      `Held: ${sessions.calls} calls at ${percent(sessions.cpu)} of a core, ${(sessions.bytesPerCall / 1024).toFixed(0)} KB each`,
    )
  if (sessions && copies) {
    console.log(
      `Of the limit: ${(sessions.calls / copies.calls).toFixed(2)} by calls held, ${(sessions.byCpu / copies.byCpu).toFixed(2)} by time taken`,
    )
  }
  if (sessions && peer) {
    console.log(
      `Of the peer: ${(sessions.calls / peer.calls).toFixed(1)} by calls held, ${(sessions.byCpu / peer.byCpu).toFixed(1)} by time taken`,
    )
  } else if (contenders[2] && !peer) console.log('The peer held none of its numbers of calls in time.')
}

/** Time taken for each call here and in another checkout, in turn; the median of the rounds' ratios. */
async function compare(checkout: string): Promise<void> {
  const rungs = [250, 500]
  const here = contender('Here', 'capacity-child.ts', ['sessions'], rungs)
  const there = {
    ...contender('There', '', ['sessions'], rungs),
    file: join(checkout, 'bench/voice/capacity-child.ts'),
  }
  for (let round = 0; round < Number(values.rounds); round++) {
    // Whoever goes second finds a warmer or a busier machine: they take turns at it.
    for (const each of round % 2 === 0 ? [here, there] : [there, here]) await climb(each)
  }
  for (const calls of rungs) {
    const cpus = ({ all }: Contender) => all.filter((rung) => rung.calls === calls).map(({ cpu }) => cpu)
    const theirs = cpus(there)
    const ratios = cpus(here).map((cpu, round) => cpu / (theirs[round] ?? Number.NaN))
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN
    console.log(
      `${calls} calls: ${median.toFixed(2)} of the time taken before (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}); ` +
        `late ${percent(here.best.get(calls)?.late ?? 1)}, before ${percent(there.best.get(calls)?.late ?? 1)}`,
    )
  }
}

async function measure(): Promise<void> {
  const folder = await installPeer()
  const peer = (from: string) =>
    contender('The peer: @livekit/agents 1.9 without a room', 'capacity-peer.mjs', [from], [10, 25, 50, 75, 100, 150])
  const contenders = [
    contender('Sessions', 'capacity-child.ts', ['sessions'], [250, 500, 750, 1000, 1500, 2000]),
    contender('Frames merely copied', 'capacity-child.ts', ['copies'], [500, 1000, 1500, 2000, 3000, 4000]),
    ...(folder ? [peer(folder)] : []),
  ]
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const each of contenders) {
      await climb(each).catch((error: unknown) => console.log(`${each.name} could not be run: ${String(error)}`))
    }
  }
  show(contenders)
  if (folder && !values.peer) await rm(folder, { recursive: true, force: true })
}

await (values.before === undefined ? measure() : compare(values.before))
