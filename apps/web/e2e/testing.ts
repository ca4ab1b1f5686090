import type { Browser } from 'playwright-core'
import { afterAll, afterEach, inject } from 'vitest'
import { openBrowser } from '../../standalone/src/browser.ts'
import { type Running, runParley, type World } from '../../standalone/src/world.ts'

/** The shared Parley of the e2e project, and a browser for one file. Each test creates its own users. */
export async function joinWorld(browserArgs: readonly string[] = []): Promise<{ parley: World; browser: Browser }> {
  const browser = await openBrowser(browserArgs)
  afterAll(() => browser.close())
  return { parley: inject('world'), browser }
}

/** A Parley and a browser of one file, which configures or stops it; both are disposed after its tests. */
export async function openParley(
  environment: Record<string, string> = {},
  browserArgs: readonly string[] = [],
  args: readonly string[] = [],
): Promise<{ parley: Running; browser: Browser }> {
  const parley = await runParley(environment, args)
  const browser = await openBrowser(browserArgs).catch(async (error: unknown) => {
    await parley.dispose()
    throw error
  })
  afterAll(async () => {
    await browser.close()
    await parley.dispose()
  })
  return { parley, browser }
}

/** Fails a test whose pages reported errors into this list. */
export function watchComplaints(): string[][] {
  const complaints: string[][] = []
  afterEach(() => {
    const wrong = complaints.splice(0).flat()
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
  })
  return complaints
}
