import { parseArgs } from 'node:util'
import { examine, reportOf } from './doctor.ts'

// `npm run doctor` looks at every configured part and says what is wrong and where to mend it; `-- --json` for programs.

try {
  const { json } = parseArgs({ options: { json: { type: 'boolean', default: false } } }).values
  const parts = await examine()
  const ok = parts.every((each) => each.ok)
  console.log(json ? JSON.stringify({ ok, parts }, null, 2) : reportOf(parts))
  process.exitCode = ok ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
