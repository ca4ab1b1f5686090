import type { Browser } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import { openBrowser } from '../browser.ts'
import { type Running, runParley } from '../testing.ts'

/** A Parley and a browser for the tests of one file; both are gone after them. */
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
