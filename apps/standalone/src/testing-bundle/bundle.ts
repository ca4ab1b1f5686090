import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

// The processes of a product and of a cluster in a few files each, for tests, which start some two hundred: a process
// reads and links two thousand modules otherwise, half of what its start takes. The code is the same.

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const SOURCES = fileURLToPath(new URL('..', import.meta.url))
/** Among the packages, where bundled code finds those that stay outside. */
const FOLDER = join(ROOT, 'node_modules/.cache/bundles')
const DAY_MS = 86_400_000

/** Sources that a process is started with. */
const ENTRIES = {
  main: join(SOURCES, 'main.ts'),
  'api-process': join(SOURCES, 'api-process.ts'),
  'voice-process': join(SOURCES, 'voice-process.ts'),
  server: join(ROOT, 'apps/api/src/server.ts'),
  'sandbox-process': join(SOURCES, 'chaos/sandbox-process.ts'),
}
/** Which bundle stands for which source; preload.ts reads it. */
const LIST = 'entries.json'

/** Of native code. */
const OUTSIDE = [/^onnxruntime-node$/, /^sherpa-onnx/, /\.node$/]

/** A module that asks where it lies, to find what lies beside it, is told the place of its source. */
const ownPlace: Plugin = {
  name: 'own-place',
  transform: {
    filter: { code: /import\.meta\.(?:url|main)|\b__(?:dir|file)name\b/ },
    handler(code, id) {
      const path = JSON.stringify(id)
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.main', `(process.argv[1] === ${path})`)
        .replaceAll(/\b__dirname\b/g, JSON.stringify(dirname(id)))
        .replaceAll(/\b__filename\b/g, path)
    },
  },
}

/**
 * Bundles the entries, and returns the option of Node (for NODE_OPTIONS) with which a process that is started with the
 * source of one of them runs its bundle.
 */
export async function bundleProduct(): Promise<string> {
  const build = await rolldown({
    input: ENTRIES,
    cwd: ROOT,
    platform: 'node',
    external: OUTSIDE,
    plugins: [ownPlace],
    // As in Node: whatever a module does when it is imported, it does.
    treeshake: false,
  })
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await build.close()
  const entries = Object.entries(ENTRIES).map(([name, source]) => [pathToFileURL(source).href, `${name}.mjs`])
  const chunks = output.filter((each): each is OutputChunk => each.type === 'chunk')
  const files = new Map([
    ...chunks.map(({ fileName, code }) => [fileName, code] as const),
    [LIST, JSON.stringify(Object.fromEntries(entries))] as const,
  ])
  const hash = createHash('sha256')
  for (const [name, text] of files) hash.update(name).update('\0').update(text)
  const folder = join(FOLDER, hash.digest('hex').slice(0, 16))
  await keep(folder, files)
  await removeOld()
  const preload = new URL('preload.ts', import.meta.url)
  preload.searchParams.set('list', pathToFileURL(join(folder, LIST)).href)
  return `--import=${preload.href}`
}

/** Whole or not at all: another run may look for the same. */
async function keep(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const now = new Date()
  const isThere = await utimes(folder, now, now).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  for (const [name, text] of files) await writeFile(join(unfinished, name), text)
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    const folder = join(FOLDER, name)
    // Another run may have removed it meanwhile.
    const found = await stat(folder).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > DAY_MS) await rm(folder, { recursive: true, force: true })
  }
}
