import { join } from 'node:path'
import { ensureInstalled, main, modernNode, root, run, toolEnvironment } from './install.mjs'

// npm run drill -- <alert>… | all: makes what an alert is about true on a running product, does what its page says, and
// sees it end. --write keeps what was seen in the page. Needs `prometheus` on the PATH, or PROMETHEUS.

await main(async () => {
  await ensureInstalled()
  return run(modernNode(), [join(root, 'deploy/drills/main.ts'), ...process.argv.slice(2)], { env: toolEnvironment })
})
