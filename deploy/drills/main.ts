import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { until } from '../../apps/standalone/src/world.ts'
import { calls } from './calls.ts'
import { money } from './money.ts'
import { HURRY } from './prometheus.ts'
import { processes } from './processes.ts'
import { type Drills, openStage, type Stage } from './stage.ts'
import { vendors } from './vendors.ts'
import { work } from './work.ts'

// Walks the page of an alert: its condition is made true on a running product, what the page says is looked at and done,
// and the alert is seen to begin and to end.

const FIRES_WITHIN_MS = 240_000
const CHECKED_EVERY_MS = 500
const drills: Drills = { ...work, ...money, ...processes, ...calls, ...vendors }

const { hurried, wanted, isWritten } = readArguments(process.argv.slice(2))

function readArguments(args: readonly string[]) {
  const names = args.filter((each) => !each.startsWith('--'))
  const unknown = names.find((name) => name !== 'all' && !(name in drills))
  if (names.length === 0 || unknown !== undefined)
    throw new Error(`npm run drill -- [--write] all, or some of: ${Object.keys(drills).join(', ')}`)
  return {
    hurried: HURRY,
    wanted: names.includes('all') ? Object.keys(drills) : names,
    isWritten: args.includes('--write'),
  }
}

async function walk(usual: () => Promise<Stage>, alert: string): Promise<string> {
  const drill = drills[alert]?.()
  if (!drill) throw new Error(`There is no drill for ${alert}.`)
  const own = await drill.open?.()
  const stage = own ?? (await usual())
  const isFiring = async () => (await stage.prometheus.firing(alert)) !== undefined
  await until(`${alert} not to fire yet`, async () => !(await isFiring()), FIRES_WITHIN_MS, CHECKED_EVERY_MS)
  try {
    const begunAt = performance.now()
    const begun = await drill.begin(stage)
    const isBegun = () => stage.prometheus.firing(alert)
    const { value } = await until(`${alert} to fire`, isBegun, FIRES_WITHIN_MS, CHECKED_EVERY_MS).catch(
      async (error: unknown) => {
        throw new Error(`It did not fire. ${begun} ${await drill.look(stage)}`, { cause: error })
      },
    )
    const fired = `It fired after ${secondsSince(begunAt)} s at ${Number(value.toFixed(3))}.`
    const seen = await drill.look(stage)
    const mendedAt = performance.now()
    const mended = await drill.mend(stage)
    await until(`${alert} to end`, async () => !(await isFiring()), FIRES_WITHIN_MS, CHECKED_EVERY_MS)
    return [begun, fired, seen, mended, `It ended after ${secondsSince(mendedAt)} s.`].join(' ')
  } finally {
    await drill.after?.(stage)
    await own?.close()
  }
}

const secondsSince = (atMs: number) => Math.round((performance.now() - atMs) / 1000)

async function keep(alert: string, seen: string): Promise<void> {
  const slug = alert.replaceAll(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
  const path = fileURLToPath(new URL(`../../docs/runbooks/${slug}.md`, import.meta.url))
  const page = await readFile(path, 'utf8')
  const [before = ''] = page.split('\n## Drill\n')
  const day = new Date().toISOString().slice(0, 10)
  await writeFile(path, `${before.trimEnd()}\n\n## Drill\n\n${day}, durations divided by ${hurried}: ${seen}\n`)
}

let opened: Promise<Stage> | undefined
let failures = 0
for (const alert of wanted) {
  try {
    const seen = await walk(() => (opened ??= openStage()), alert)
    console.log(`${alert}: ${seen}\n`)
    if (isWritten) await keep(alert, seen)
  } catch (error) {
    failures++
    console.error(`${alert} was not walked to its end: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}
await (await opened)?.close()
process.exitCode = failures === 0 ? 0 : 1
