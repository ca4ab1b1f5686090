import { join } from 'node:path'
import { findHeadlessShell } from './chromium.mjs'
import { ensureInstalled, main, modernNode, root, run, toolEnvironment } from './install.mjs'

// npm run mobile:sync [-- --next-build]: both phone projects in step with brand, version, plugins and PARLEY_API_BASE.
// npm run mobile:pictures: draws their icons and splash screens anew.

await main(async () => {
  await ensureInstalled()
  const env = { ...toolEnvironment, CHROMIUM_PATH: findHeadlessShell() ?? '' }
  return run(modernNode(), [join(root, 'apps/mobile/src/projects/cli.ts'), ...process.argv.slice(2)], { env })
})
