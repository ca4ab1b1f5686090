import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SHELL } from '../brand.ts'
import { readApiBase } from '../config.ts'
import { brandFiles, type Release } from './files.ts'
import { readMark } from './mark.ts'
import { digestOf } from './pictures.ts'

export const MOBILE = fileURLToPath(new URL('../../', import.meta.url))
export const MARK = join(MOBILE, SHELL.mark)
/** The digest of what the committed pictures were drawn from. */
export const DRAWN = join(MOBILE, 'pictures.json')
const RELEASE = join(MOBILE, 'release.json')

/**
 * Builds the page for the shells and brings both projects in step with brand, version, plugins and host.
 *
 * @param options.isNextBuild raises the build number first: for every upload to a store
 * @returns what it did, as a sentence
 * @throws Error with a sentence for the operator: no address of a backend, or pictures older than the mark
 */
export async function syncProjects({ isNextBuild }: { isNextBuild: boolean }): Promise<string> {
  const { host } = new URL(readApiBase())
  const svg = await readFile(MARK, 'utf8')
  if (digestOf(svg) !== textOf(await readJson(DRAWN), 'digest'))
    throw new Error('The mark or its pictures have changed: run "npm run mobile:pictures" first.')
  const release = { host, ...(await readRelease(isNextBuild)) }
  await import('../build.ts')
  for (const [path, text] of brandFiles(release, readMark(svg))) await write(join(MOBILE, path), text)
  await capacitorSync(MOBILE)
  return `${SHELL.name} ${release.version} (${release.build}) for ${host}: ios and android are in step.`
}

/** The version of package.json, and the build number of release.json. */
export async function readRelease(isNextBuild = false): Promise<Omit<Release, 'host'>> {
  const version = textOf(await readJson(join(MOBILE, 'package.json')), 'version')
  const build = Number(textOf(await readJson(RELEASE), 'build')) + (isNextBuild ? 1 : 0)
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error('The version in apps/mobile/package.json must be three numbers.')
  if (!Number.isSafeInteger(build) || build < 1)
    throw new Error('The build in apps/mobile/release.json must be 1 or more.')
  if (isNextBuild) await write(RELEASE, `{ "build": ${build} }\n`)
  return { version, build }
}

/** Writes what Capacitor decides: the plugins of both projects, and copies of the page and its settings. */
export async function capacitorSync(folder: string): Promise<void> {
  const cli = createRequire(import.meta.url).resolve('@capacitor/cli/bin/capacitor')
  const child = spawn(process.execPath, [cli, 'sync'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`cap sync did not succeed:\n${output}`)
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** A field of what a file holds, as text; empty if there is none. */
function textOf(value: unknown, field: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}
