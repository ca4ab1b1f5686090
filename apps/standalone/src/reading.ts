import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { SEEN } from './browser.ts'

// What stands on a page, read as a person would.

/** All of them stand there; what does not is said at once. */
export async function expectTexts(within: Page | Locator, texts: readonly string[]): Promise<void> {
  const missing: string[] = []
  for (const text of texts) {
    const found = within.getByText(verbatim(text)).filter({ visible: true }).first()
    await found.waitFor(SEEN).catch(() => missing.push(text))
  }
  expect(missing).toEqual([])
}

/** These letters, whatever stands beside them. */
const verbatim = (text: string) => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))

export async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
}

/** What a list of options offers, in its order; it is closed again with the choice it had. */
export async function optionsOf(page: Page, label: string): Promise<string[]> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  const list = page.getByRole('listbox')
  await list.waitFor()
  const options = await list.getByRole('option').allInnerTexts()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  return options
}

export const chosen = async (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true }).innerText()
export const valueOf = async (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue()
export const goesTo = async (within: Page | Locator, name: string) =>
  within.getByRole('link', { name, exact: true }).first().getAttribute('href')
