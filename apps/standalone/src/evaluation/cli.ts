import { ConfigError } from '@parley/contract/environment'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { liveConfig } from './config.ts'
import { evaluateOffline } from './evaluation.ts'
import { evaluateLive, liveReportOf } from './live.ts'
import { renewed, reportOf } from './report.ts'

// `npm run evaluate`: every persona with every mind, and the attacks; docs/evaluation.md says what is judged.

const DOCUMENT = join(import.meta.dirname, '../../../../docs/evaluation.md')

const REPEAT_MAX = 20
const Repeat = z.coerce
  .number(`--repeat must be a number from 1 to ${REPEAT_MAX}.`)
  .int()
  .min(1, `--repeat must be a number from 1 to ${REPEAT_MAX}.`)
  .max(REPEAT_MAX, `--repeat must be a number from 1 to ${REPEAT_MAX}.`)

async function main(): Promise<void> {
  const off = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    options: { json: off, write: off, live: off, repeat: { type: 'string', default: '3' } },
  })
  const print = (result: unknown, text: string) => console.log(values.json ? JSON.stringify(result, null, 2) : text)
  if (values.live) {
    const repeat = Repeat.safeParse(values.repeat)
    if (!repeat.success) throw new ConfigError(repeat.error.issues[0]?.message ?? '--repeat is wrong.')
    const live = await evaluateLive(liveConfig(), repeat.data)
    print(live, liveReportOf(live))
    return
  }
  const evaluation = await evaluateOffline()
  print(evaluation, reportOf(evaluation))
  if (values.write) await writeFile(DOCUMENT, renewed(await readFile(DOCUMENT, 'utf8'), evaluation))
  process.exitCode = evaluation.isPassed ? 0 : 1
}

try {
  await main()
} catch (error) {
  const isUsage = error instanceof ConfigError || (error instanceof TypeError && 'code' in error)
  console.error(isUsage ? error.message : error)
  process.exitCode = 1
}
