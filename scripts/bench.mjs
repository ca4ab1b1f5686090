import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, main, modernNode, root, run, toolEnvironment } from './install.mjs'

const folder = join(root, 'bench')

await main(async () => {
  await ensureInstalled()
  const [name = '', ...args] = process.argv.slice(2)
  const file = join(folder, `${name}.ts`)
  if (name === '' || !existsSync(file)) {
    const names = readdirSync(folder).flatMap((each) => (each.endsWith('.ts') ? [each.slice(0, -3)] : []))
    console.log(`npm run bench -- <name>, with one of: ${names.join(', ')}`)
    return 1
  }
  return run(modernNode(), ['--expose-gc', file, ...args], { env: toolEnvironment })
})
