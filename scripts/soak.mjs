import { join } from 'node:path'
import { ensureInstalled, main, modernNode, root, run, toolEnvironment } from './install.mjs'

// What the suite does once of each kind, again and again, and all of what it does in part: minutes long, before a
// release.

const files = ['crash.e2e.ts', 'restrictions.test.ts', 'intake/files.test.ts']

await main(async () => {
  await ensureInstalled()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const wanted = process.argv.slice(2)
  const args = ['run', ...(wanted.length > 0 ? wanted : files)]
  return run(modernNode(), [vitest, ...args], { env: { ...toolEnvironment, SOAK: '1' } })
})
