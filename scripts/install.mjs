// Runs on any Node from 20 with no package installed: only the standard library may be imported here.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const binFolder = join(root, 'node_modules', '.bin')

/**
 * @typedef {{ version?: string, optional?: boolean }} Package
 * @param {string} path
 * @returns {Record<string, Package>}
 */
function lockedPackages(path) {
  return /** @type {{ packages: Record<string, Package> }} */ (JSON.parse(readFileSync(path, 'utf8'))).packages
}

/** npm keeps in node_modules a copy of the lock for what it really installed: the two must agree. */
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
  const npm = process.env.npm_execpath
  const options = ['ci', '--include=dev', '--include=optional']
  const code = npm ? await run(process.execPath, [npm, ...options]) : await run('npm', options, { shell: process.platform === 'win32' })
  if (code !== 0) throw new Error('npm ci did not succeed; its own words are above.')
}

/** The Node that runs the product: the pinned one where it exists for this platform, else this one when it is recent enough. */
export function modernNode() {
  const pinned = join(binFolder, 'node')
  if (existsSync(pinned) && spawnSync(pinned, ['--version']).status === 0) return pinned
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  throw new Error(
    `Parley needs Node 24 or newer on this machine (this is ${process.version}): install it from https://nodejs.org and try again.`,
  )
}

/** Packages' commands and the pinned Node come first, whatever the machine has. */
export const toolEnvironment = { ...process.env, PATH: `${binFolder}${delimiter}${process.env.PATH ?? ''}` }

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
