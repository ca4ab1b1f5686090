// Packages with native parts list one optional package for each platform. A registry mirror may lack some of them, npm then leaves them
// out of the lock, and `npm ci` refuses it. This writes them in, as npm would have; `--check` only tells.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, root } from './install.mjs'

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Package
 * @typedef {Package & { optionalDependencies?: Record<string, string> }} Parent
 */

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/**
 * What a name such as @scope/binding-linux-arm64-musl says of where it runs.
 * @param {string} name
 * @returns {Package | undefined} nothing when the name tells no platform
 */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.includes(word))
  const cpu = words.filter((word) => processors.includes(word))
  if (cpu.length === 0) return undefined
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') && os[0] === 'linux' ? ['glibc'] : []
  return { ...(os.length > 0 && { os }), cpu, ...(libc.length > 0 && { libc }) }
}

/**
 * @param {Record<string, Parent>} packages
 * @returns {[string, Package][]} the places that the lock should have and has not
 */
function missingPlaces(packages) {
  return Object.values(packages).flatMap((parent) =>
    Object.entries(parent.optionalDependencies ?? {}).flatMap(([name, version]) => {
      const platform = platformOf(name)
      const isKnown = Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`))
      if (isKnown || !platform || !/^\d/.test(version)) return []
      return [[`node_modules/${name}`, { version, ...(parent.dev && { dev: true }), optional: true, ...platform }]]
    }),
  )
}

await main(async () => {
  const lockPath = join(root, 'package-lock.json')
  const lock = /** @type {{ packages: Record<string, Parent> }} */ (JSON.parse(readFileSync(lockPath, 'utf8')))
  const missing = missingPlaces(lock.packages)
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
