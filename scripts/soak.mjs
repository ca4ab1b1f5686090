import { join } from 'node:path'
import { ensureInstalled, main, modernNode, root, run, toolEnvironment } from './install.mjs'

// Repeats the suite's kills and runs its sampled tests in full: minutes long, before a release. `twilio` holds whole
// calls over Twilio's sockets for half an hour instead.

const files = ['crash.e2e.ts', 'restrictions.test.ts', 'intake/files.test.ts']

await main(async () => {
  await ensureInstalled()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const wanted = process.argv.slice(2)
  if (wanted[0] === 'twilio') {
    const bench = join(root, 'bench/telephony.ts')
    return run(modernNode(), ['--expose-gc', bench, 'soak', ...wanted.slice(1)], { env: toolEnvironment })
  }
  const args = ['run', ...(wanted.length > 0 ? wanted : files)]
  return run(modernNode(), [vitest, ...args], { env: { ...toolEnvironment, SOAK: '1' } })
})
