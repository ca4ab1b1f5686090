import { join } from 'node:path'
import { ensureInstalled, main, modernNode, root, run } from './install.mjs'

await main(async () => {
  await ensureInstalled()
  return run(modernNode(), [`--env-file-if-exists=${join(root, '.env')}`, join(root, 'apps/api/src/cli.ts'), 'migrate'])
})
