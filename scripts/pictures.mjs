import { join } from 'node:path'
import { ensureChromium, findChromium } from './chromium.mjs'
import { ensureInstalled, main, modernNode, root, run, toolEnvironment } from './install.mjs'

await main(async () => {
  await ensureInstalled()
  ensureChromium()
  const CHROMIUM_PATH = findChromium() ?? ''
  return run(modernNode(), [join(root, 'apps/standalone/src/pictures/cli.ts')], {
    env: { ...toolEnvironment, CHROMIUM_PATH },
  })
})
