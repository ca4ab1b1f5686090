// Runs on any Node from 20 with no package installed: only the standard library may be imported here.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const binFolder = join(root, 'node_modules', '.bin')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isModern = major > 24 || (major === 24 && minor >= 16)

/**
 * @typedef {{ version?: string, optional?: boolean }} Package
 * @param {string} path
 * @returns {Record<string, Package>}
 */
function lockedPackages(path) {
  return /** @type {{ packages: Record<string, Package> }} */ (JSON.parse(readFileSync(path, 'utf8'))).packages
}

/** node_modules/.package-lock.json says what npm installed: it must match the lock. */
function isInstalled() {
  const installedLock = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedLock)) return false
  const installed = lockedPackages(installedLock)
  return Object.entries(lockedPackages(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    const found = installed[path]
    return path === '' || (found ? found.version === wanted.version : wanted.optional === true)
  })
}

export async function ensureInstalled() {
  if (isInstalled()) return
  console.log('Installing packages…')
  const folder = mkdtempSync(join(tmpdir(), 'parley-node-'))
  try {
    const code = await npm(['ci', '--include=dev', '--include=optional'], await nodeToInstallWith(folder))
    if (code !== 0) throw new Error('npm ci did not succeed; its own words are above.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string[]} args
 * @param {string} node
 */
function npm(args, node) {
  const path = process.env.npm_execpath
  return path ? run(node, [path, ...args]) : run('npm', args, { shell: process.platform === 'win32' })
}

/**
 * Under an older Node npm warns about every package that needs a newer one: the pinned Node is installed first, where
 * there is one.
 * @param {string} folder
 */
async function nodeToInstallWith(folder) {
  const name = `node-${process.platform}-${process.arch}`
  const pinned = lockedPackages(join(root, 'package-lock.json'))[`node_modules/${name}`]
  if (isModern || !pinned?.version || !process.env.npm_execpath) return process.execPath
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await npm(['install', '--prefix', folder, ...options, `${name}@${pinned.version}`], process.execPath)
  return code === 0 ? join(folder, 'node_modules', name, 'bin', 'node') : process.execPath
}

/**
 * The Node that runs the product: the pinned one where it exists for this platform, else this one when it is recent
 * enough.
 */
export function modernNode() {
  const pinned = join(binFolder, 'node')
  if (existsSync(pinned) && spawnSync(pinned, ['--version']).status === 0) return pinned
  if (isModern) return process.execPath
  throw new Error(
    `Parley needs Node 24.16 or newer on this machine (this is ${process.version}): install it from https://nodejs.org and try again.`,
  )
}

/** Node's compile cache, shared by later processes. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') }

/** Packages' commands and the pinned Node come first, whatever the machine has. */
export const toolEnvironment = {
  ...process.env,
  ...compileCache,
  PATH: `${binFolder}${delimiter}${process.env.PATH ?? ''}`,
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} the exit code
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/**
 * Runs a script's work and ends with its exit code; what went wrong is said in one sentence.
 * @param {() => Promise<number>} work
 */
export async function main(work) {
  try {
    process.exitCode = await work()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
