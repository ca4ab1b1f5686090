// Packages with native parts list one optional package for each platform. A registry mirror may lack some of them, npm
// then leaves them out of the lock, and `npm ci` refuses it. This writes them in, as npm would have; `--check` only
// tells.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, root } from './install.mjs'

/**
 * @typedef {{ version?: string, cpu?: string[], dev?: boolean, libc?: string[], optional?: boolean, os?: string[] }}
 *   Package
 * @typedef {Package & { optionalDependencies?: Record<string, string> }} Parent
 */

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/**
 * The entry npm would write, in npm's order. Where it runs is told by a name such as @scope/binding-linux-arm64-musl.
 * @param {string} name
 * @param {string} version
 * @param {Parent} parent
 * @returns {Package | undefined} nothing when the name tells no platform
 */
function entryOf(name, version, parent) {
  const words = name.split(/[/-]/)
  const cpu = words.filter((word) => processors.includes(word))
  const os = words.filter((word) => systems.includes(word))
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') && os.includes('linux') ? ['glibc'] : []
  if (cpu.length === 0) return undefined
  return {
    version,
    cpu,
    ...(parent.dev && { dev: true }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}

/**
 * @param {Record<string, Parent>} packages
 * @returns {[string, Package][]} the entries that the lock should have and has not
 */
function missingEntries(packages) {
  return Object.values(packages).flatMap((parent) =>
    Object.entries(parent.optionalDependencies ?? {}).flatMap(([name, version]) => {
      const isKnown = Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`))
      const entry = isKnown || !/^\d/.test(version) ? undefined : entryOf(name, version, parent)
      return entry ? [[`node_modules/${name}`, entry]] : []
    }),
  )
}

await main(async () => {
  const lockPath = join(root, 'package-lock.json')
  const lock = /** @type {{ packages: Record<string, Parent> }} */ (JSON.parse(readFileSync(lockPath, 'utf8')))
  const missing = missingEntries(lock.packages)
  if (missing.length === 0) return 0
  console.log(missing.map(([path]) => `package-lock.json lacks ${path}`).join('\n'))
  if (process.argv.includes('--check')) {
    console.log('Write them in: npm run lock')
    return 1
  }
  const sorted = [...Object.entries(lock.packages), ...missing].sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(lockPath, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
  return 0
})
