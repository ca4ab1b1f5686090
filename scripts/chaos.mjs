import { join } from 'node:path'
import { compileCache, ensureInstalled, main, modernNode, root, run } from './install.mjs'

// Breaks a cluster by a seeded schedule for minutes, and checks what must hold all the same.

await main(async () => {
  await ensureInstalled()
  const cli = join(root, 'apps/standalone/src/chaos/cli.ts')
  return run(modernNode(), [cli, ...process.argv.slice(2)], { env: { ...process.env, ...compileCache } })
})
