import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { compileCache, ensureInstalled, main, modernNode, root } from './install.mjs'

/** npm and the terminal may both deliver a Ctrl-C: within this time it counts once. */
const sameRequestMs = 1000
const parentId = process.ppid

/**
 * @param {string} entry a file under apps/standalone/src
 * @returns {Promise<number>} its exit code
 */
function runProduct(entry) {
  return new Promise((resolve, reject) => {
    // In its own process group the product gets signals from here only. It stops when the channel closes, so the
    // wrapper's death is noticed too.
    const program = [`--env-file-if-exists=${join(root, '.env')}`, join(root, 'apps/standalone/src', entry)]
    const product = spawn(modernNode(), [...program, ...process.argv.slice(2)], {
      cwd: root,
      env: { ...process.env, ...compileCache },
      detached: true,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    let forwardedAt = 0
    const forward = (/** @type {NodeJS.Signals} */ signal) => {
      if (Date.now() - forwardedAt < sameRequestMs) return
      forwardedAt = Date.now()
      product.kill(signal)
    }
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => forward(signal))
    // When stopped, npm ends only its shell: this wrapper then has another parent.
    const isOrphan = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parentId
    setInterval(() => forwardedAt === 0 && isOrphan() && forward('SIGTERM'), sameRequestMs).unref()
    product.once('error', reject)
    product.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

/**
 * Installs what is missing, runs a program of the product until it ends, and ends with its exit code.
 * @param {string} entry a file under apps/standalone/src
 */
export async function runOf(entry) {
  await main(async () => {
    await ensureInstalled()
    return runProduct(entry)
  })
}
