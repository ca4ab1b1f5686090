import type { Browser } from 'playwright-core'
import { afterAll, afterEach, inject } from 'vitest'
import { openBrowser } from '../../standalone/src/browser.ts'
import { type Running, runParley, type World } from '../../standalone/src/world.ts'

/**
 * The project's own Parley, which other files use at the same time, and a browser for the tests of one file. Each test
 * has its own people.
 */
export async function joinWorld(browserArgs: readonly string[] = []): Promise<{ parley: World; browser: Browser }> {
  const browser = await openBrowser(browserArgs)
  afterAll(() => browser.close())
  return { parley: inject('world'), browser }
}

/**
 * A Parley and a browser for the tests of one file, which starts it in its own way or ends it; both are gone after
 * them.
 */
export async function openParley(
  environment: Record<string, string> = {},
  browserArgs: readonly string[] = [],
): Promise<{ parley: Running; browser: Browser }> {
  const parley = await runParley(environment)
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

/** What goes wrong in the pages of a test, put here, fails it. */
export function heedComplaints(): string[][] {
  const complaints: string[][] = []
  afterEach(() => {
    const wrong = complaints.splice(0).flat()
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
  })
  return complaints
}
