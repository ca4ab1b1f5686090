import { execFile } from 'node:child_process'
import { access, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { ROOT } from '../chaos/cluster/programs.ts'

const run = promisify(execFile)

/** The version that UPGRADE.md upgrades from: nodes of it go on after `npm run migrate` of this one. */
export const PREVIOUS_RELEASE = 'eb6cf563637babc0d970af61bb37737cfe7788a4'

/** What its processes need: no pages. */
const FOLDERS = ['apps/api', 'apps/standalone', 'apps/voice', 'packages']
const Package = z.object({ name: z.string() })

const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim()

/** Why the release cannot be had here. */
export async function whyMissing(release: string): Promise<string | undefined> {
  const isThere = await git('cat-file', '-e', `${release}^{commit}`).then(
    () => true,
    () => false,
  )
  if (isThere) return undefined
  const isShallow = await git('rev-parse', '--is-shallow-repository').catch(() => 'unknown')
  const what =
    isShallow === 'true'
      ? 'this is a shallow clone: fetch it with "git fetch --unshallow"'
      : isShallow === 'false'
        ? 'the history of this clone lacks it'
        : 'this is no clone of git'
  return `the previous release ${release} is not here, since ${what}`
}

/** The release in a folder of its own, with the packages that are installed here. */
export async function checkOut(release: string, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true })
  const archive = `${dir}.tar`
  await git('archive', '--output', archive, release, 'package.json', ...FOLDERS)
  await run('tar', ['-xf', archive, '-C', dir])
  await linkPackages(dir)
}

/** Its own packages are its own; all others are those of this version, which have the same numbers. */
async function linkPackages(dir: string): Promise<void> {
  const [installed, linked] = [join(ROOT, 'node_modules'), join(dir, 'node_modules')]
  await mkdir(join(linked, '@parley'), { recursive: true })
  for (const name of await readdir(installed))
    if (!name.startsWith('.') && name !== '@parley') await symlink(join(installed, name), join(linked, name))
  for (const folder of await workspacesIn(dir)) {
    const { name } = Package.parse(JSON.parse(await readFile(join(dir, folder, 'package.json'), 'utf8')))
    await symlink(join(dir, folder), join(linked, name))
    const nested = join(folder, 'node_modules')
    if (await exists(join(ROOT, nested))) await symlink(join(ROOT, nested), join(dir, nested))
  }
}

async function workspacesIn(dir: string): Promise<string[]> {
  const parents = ['apps', 'packages']
  const found = await Promise.all(
    parents.map(async (parent) => (await readdir(join(dir, parent))).map((name) => join(parent, name))),
  )
  return found.flat()
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
