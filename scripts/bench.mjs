import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { ensureInstalled, main, modernNode, root, run, toolEnvironment } from './install.mjs'

const folder = join(root, 'bench')

await main(async () => {
  await ensureInstalled()
  const [name = '', ...args] = process.argv.slice(2)
  const file = [join(folder, `${name}.ts`), join(folder, name, 'main.ts')].find(
    (path) => name !== '' && existsSync(path),
  )
  if (!file) {
    const names = readdirSync(folder).flatMap((each) =>
      each.endsWith('.ts') ? [each.slice(0, -3)] : existsSync(join(folder, each, 'main.ts')) ? [each] : [],
    )
    console.log(`npm run bench -- <name>, with one of: ${names.join(', ')}`)
    return 1
  }
  const CHROMIUM_PATH = findChromium() ?? ''
  return run(modernNode(), ['--expose-gc', file, ...args], { env: { ...toolEnvironment, CHROMIUM_PATH } })
})
