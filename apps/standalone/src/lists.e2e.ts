import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contact } from '@parley/contract'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findingsInLooks, SEEN, visitAs, WIDE } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { type Person, signUp } from './world.ts'

const { parley, browser } = await joinWorld()

test('contacts are added, changed, found, brought in and deleted; one of them is called', async () => {
  const person = await signUp(parley.url, 'contacts@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/contacts')
  await page.getByText('No contacts yet').waitFor()
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await dialog.getByText('Please fill in all required fields.').first().waitFor()
  await dialog.getByLabel('Name').fill('Grand Hotel')
  await dialog.getByLabel('Phone Number').fill('+1 202 555 0100')
  await dialog.getByLabel('Tags').fill('hotel, paris')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await page.getByRole('heading', { name: 'Grand Hotel' }).waitFor()

  const file = join(parley.dataDir, 'people.csv')
  await writeFile(file, 'Name,Phone,Company\nAda,+12025550101,Engines\nGrand Hotel Again,+12025550100,Grand\nNobody,,\n')
  await page.getByRole('button', { name: 'Import and export' }).click()
  await page.setInputFiles('input[type=file]', file)
  await page.getByText('1 added, 1 completed').waitFor()
  await page.getByText('1 row was left out').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Ada' }).waitFor()

  await page.getByLabel('Search contacts').fill('engines')
  await page.getByRole('heading', { name: 'Grand Hotel' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit Ada' }).click()
  await dialog.getByLabel('Title').fill('Countess')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Countess, Engines').waitFor()
  await page.getByRole('button', { name: 'Delete Ada' }).click()
  await page.getByText('Are you sure you want to delete this contact?').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No contact matches').waitFor()
  await page.getByLabel('Search contacts').fill('')

  await page.getByRole('link', { name: 'Call Grand Hotel' }).click()
  await page.getByRole('heading', { name: 'Make Call' }).waitFor()
  await expect.poll(() => page.getByLabel('Phone Number').inputValue(), SEEN).toBe('+12025550100')
  const contacts = await person.get<Contact[]>(`/api/user/${person.user.id}/contacts`)
  expect(contacts).toMatchObject([{ name: 'Grand Hotel', company: 'Grand', tags: ['hotel', 'paris'] }])
  expect(complaints).toEqual([])
}, 120_000)

test('a dialog closes without waiting for its list, and closes no other; a call that ends is counted on the card', async () => {
  const person = await signUp(parley.url, 'closing@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  for (const [name, phone] of [
    ['Grand Hotel', '+12025550101'],
    ['Ada', '+12025550142'],
  ])
    await person.send('POST', '/api/contacts', { name, phone })
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'Edit Ada' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Contact' })
  await dialog.getByLabel('Title').fill('Countess')
  const list = Promise.withResolvers<void>()
  await page.route('**/contacts?*', async (route) => list.promise.then(() => route.continue()), { times: 1 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByText('Countess').count()).toBe(0)
  list.resolve()
  await page.getByText('Countess').waitFor()

  // The first is still being saved when it is left for another one, which stays.
  const saved = Promise.withResolvers<void>()
  await page.route('**/api/contacts/*', async (route) => saved.promise.then(() => route.continue()), { times: 1 })
  await page.getByRole('button', { name: 'Edit Ada' }).click()
  await dialog.getByLabel('Title').fill('Lady')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit Grand Hotel' }).click()
  saved.resolve()
  await page.getByText('Lady').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Grand Hotel')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByText('No calls yet').first().waitFor()
  const { id } = await person.place('+12025550101', { maxDurationMinutes: 1 })
  await person.ended(id)
  await page.getByRole('button', { name: /^1 call · / }).waitFor()

  await page.getByRole('button', { name: 'Delete Grand Hotel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Grand Hotel' }).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), SEEN).toBe('UL')

  // The filter by a tag can be taken off although nobody has that tag any more.
  await person.send('POST', '/api/contacts', { name: 'Ruiz', phone: '+12025550143', tags: ['hotel'] })
  await page.reload()
  const tags = page.getByRole('group', { name: 'Tags' })
  await tags.getByRole('button', { name: 'hotel' }).click()
  await page.getByRole('heading', { name: 'Ada' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete Ruiz' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No contact matches').waitFor()
  await tags.getByRole('button', { name: 'hotel', pressed: true }).waitFor()
  await tags.getByRole('button', { name: 'All' }).click()
  await page.getByRole('heading', { name: 'Ada' }).waitFor()
  await tags.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
}, 90_000)

test('a number on the do-not-call list is shown and can be taken off again', async () => {
  const person = await signUp(parley.url, 'never@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/contacts')
  await page.getByRole('tab', { name: 'Do not call' }).click()
  await page.getByLabel('Phone number').fill('+1 202 555 0142')
  await page.getByRole('button', { name: 'Never call' }).click()
  await page.getByText('Added by you').waitFor()
  await page.getByRole('button', { name: 'Allow again: +1 202 555 0142' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow again' }).click()
  await page.getByText('Nobody is on the list').waitFor()
  expect(complaints).toEqual([])
}, 90_000)

describe('every list', () => {
  let person: Person

  beforeAll(async () => {
    person = await signUp(parley.url, 'lists-of@parley.example')
    const add = (body: Record<string, unknown>) => person.send('POST', '/api/contacts', body)
    await add({ name: 'Grand Hotel', phone: '+12025550100', company: 'Grand', tags: ['hotel'], notes: 'Ask for the night manager' })
    await add({ name: 'The Grand', phone: '+12025550100', email: 'desk@grand.example' })
    await add({ name: 'Ada', phone: '+442079460018', title: 'Countess', tags: ['vip', 'hotel'] })
    await person.send('POST', `/api/user/${person.user.id}/do-not-call`, { phone: '+12025550142' })
    const placed = [await person.place('+12025550100', { maxDurationMinutes: 2 }), await person.place('+12025550101')]
    for (const { id } of placed) await person.ended(id, 60_000)
  })

  test('has nothing that axe objects to, in any of its states', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    const findings: string[] = []
    const inspect = async (name: string) => {
      await page.waitForLoadState('networkidle')
      findings.push(...(await findingsInLooks(page, name)))
      await page.setViewportSize(WIDE)
    }
    await openState(page, '/contacts', 'Ada')
    await inspect('contacts')
    const edit = page.getByRole('button', { name: 'Edit Ada' })
    await edit.click()
    await inspect('contacts-edit')
    await page.keyboard.press('Escape')
    // What was done before goes on where it was left.
    await expect.poll(() => edit.evaluate((button) => button === document.activeElement), SEEN).toBe(true)
    await page.getByRole('button', { name: 'Review' }).click()
    await inspect('contacts-duplicates')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Import and export' }).click()
    await inspect('contacts-files')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Do not call' }).click()
    await page.getByText('Added by you').waitFor()
    await inspect('contacts-never')
    await page.goto('/make-call?tab=batch')
    await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
    await inspect('batch-new')
    await page.getByText('Pace and retries').click()
    await page.getByLabel('Calls per contact, at most').fill('2')
    await page.getByLabel('Voicemail').waitFor()
    await inspect('batch-retries')
    await page.goto('/analytics')
    await page.locator('[data-chart]').first().waitFor()
    await inspect('analytics')
    expect(findings).toEqual([])
    expect(complaints).toEqual([])
  }, 180_000)
})

async function openState(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { name: heading }).waitFor()
}
