import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reportOf } from './report.ts'
import { runChaos } from './run.ts'

// npm run chaos -- [--minutes 30] [--seed N] [--report docs/chaos.md]

const MINUTE_MS = 60_000
const SETTLE_MS = 10 * MINUTE_MS

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      report: { type: 'string' },
    },
  })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  if (!(minutes > 0) || !Number.isInteger(seed))
    throw new Error('"npm run chaos" takes --minutes <number> and --seed <whole number>.')
  const dir = await mkdtemp(join(tmpdir(), 'parley-chaos-'))
  const say = (line: string) => console.log(line)
  const outcome = await runChaos({ seed, faultsForMs: minutes * MINUTE_MS, settleMs: SETTLE_MS, dir, say })
  const report = reportOf(outcome)
  console.log(`\n${report}`)
  if (values.report !== undefined) await writeFile(values.report, report)
  const isGood = outcome.settled.left.length === 0 && outcome.findings.every(({ breaches }) => breaches.length === 0)
  if (isGood) await rm(dir, { recursive: true, force: true })
  else console.log(`The data and the logs of the run are in ${dir}.`)
  return isGood ? 0 : 1
}

process.exitCode = await main()
