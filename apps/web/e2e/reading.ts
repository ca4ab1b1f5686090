import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { SEEN } from '../../standalone/src/browser.ts'

// Helpers that read a page.

/** Every text is visible; reports all missing ones at once. */
export async function expectTexts(within: Page | Locator, texts: readonly string[]): Promise<void> {
  const missing: string[] = []
  for (const text of texts) {
    const found = within.getByText(verbatim(text)).filter({ visible: true }).first()
    await found.waitFor(SEEN).catch(() => missing.push(text))
  }
  expect(missing).toEqual([])
}

/** A pattern that contains this text literally. */
const verbatim = (text: string) => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))

export async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
}

export const goesTo = async (within: Page | Locator, name: string) =>
  within.getByRole('link', { name, exact: true }).first().getAttribute('href')
