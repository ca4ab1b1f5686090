import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { main, root, toolEnvironment } from './install.mjs'

/** @typedef {{ name: string, command: string, args: string[] }} Check */

const workspaces = ['packages/contract', 'packages/client', 'apps/api', 'apps/voice', 'apps/web', 'apps/standalone', 'apps/mobile']

/** @type {Check[]} */
const checks = [
  { name: 'lock', command: 'node', args: ['scripts/lock.mjs', '--check'] },
  ...['.', ...workspaces.filter((folder) => existsSync(join(root, folder, 'src')))].map((folder) => ({
    name: `types ${folder}`,
    command: 'tsc',
    args: ['--pretty', '--project', folder],
  })),
  { name: 'lint', command: 'oxlint', args: [] },
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  { name: 'deps', command: 'depcruise', args: ['--progress=none', 'packages', 'apps'] },
  { name: 'knip', command: 'knip', args: ['--no-progress'] },
]

/**
 * @param {Check} check
 * @returns {Promise<boolean>} whether it passed; only a failure has something to say
 */
function passes({ name, command, args }) {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    let output = ''
    const collect = (/** @type {string} */ chunk) => (output += chunk)
    const child = spawn(command, args, { cwd: root, env: toolEnvironment, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.once('error', reject)
    child.once('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      if (code !== 0) console.log(output)
      resolve(code === 0)
    })
  })
}

await main(async () => {
  const wanted = process.argv[2]
  const results = await Promise.all(checks.filter(({ name }) => !wanted || name.split(' ')[0] === wanted).map(passes))
  return results.every(Boolean) ? 0 : 1
})
