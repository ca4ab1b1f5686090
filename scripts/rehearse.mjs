import { join } from 'node:path'
import { ensureInstalled, main, modernNode, root, run } from './install.mjs'

await main(async () => {
  await ensureInstalled()
  // npm changes the folder: output files are relative to the caller's folder.
  const cwd = process.env.INIT_CWD ?? process.cwd()
  return run(modernNode(), [join(root, 'apps/standalone/src/rehearsal/cli.ts'), ...process.argv.slice(2)], { cwd })
})
