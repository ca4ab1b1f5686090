import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { buildWeb } from './build-web.ts'
import { bundleProduct } from './testing-bundle/bundle.ts'
import { addProductOption, makeDataTemplate, runParley, type World } from './world.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Parley that the files of the project share. */
    world: World
  }
}

const ARTIFACTS = fileURLToPath(new URL('../../../artifacts', import.meta.url))
/** Fast calls, and high limits because all tests share one address. */
const SHARED = { SANDBOX_SPEED: '20', SIGN_IN_LIMIT_PER_MINUTE: '10000', REQUEST_LIMIT_PER_MINUTE: '100000' }

/**
 * Builds the pages and a database template before the first product starts, so that no two builds race. One product
 * serves every file that neither kills nor configures its own; its log is kept in artifacts/.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildWeb((line) => void process.stdout.write(`${line}\n`))
  // From its sources, as people start it; those that are started after it, from their bundles.
  const removeTemplate = await makeDataTemplate()
  addProductOption(await bundleProduct())
  const parley = await runParley(SHARED)
  project.provide('world', { url: parley.url, voiceUrl: parley.voiceUrl, dataDir: parley.dataDir })
  return async () => {
    await mkdir(ARTIFACTS, { recursive: true })
    await writeFile(`${ARTIFACTS}/shared-world.log`, parley.log())
    await parley.dispose()
    await removeTemplate()
  }
}
