import { join } from 'node:path'
import { ensureInstalled, main, modernNode, root, run } from './install.mjs'

await main(async () => {
  await ensureInstalled()
  return run(modernNode(), [join(root, 'apps/standalone/src/restore/cli.ts'), ...process.argv.slice(2)])
})
