import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contact } from '@parley/contract'
import { expect, test } from 'vitest'
import { SEEN, visitAs } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { signUp } from '../../../standalone/src/world.ts'

const { parley, browser } = await joinWorld()

// screens.md: contacts-added-changed-found
test('contacts are added, imported, found, edited, deleted and called; do-not-call works', async () => {
  const person = await signUp(parley.url, 'contacts@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/contacts')
  await page.getByText('No contacts yet').waitFor()
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Grand Hotel')
  await dialog.getByLabel('Phone Number').fill('+1 202 555 0100')
  await dialog.getByLabel('Tags').fill('hotel, paris')
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await page.getByRole('heading', { name: 'Grand Hotel' }).waitFor()

  const file = join(parley.dataDir, 'people.csv')
  await writeFile(
    file,
    'Name,Phone,Company\nAda,+12025550101,Engines\nGrand Hotel Again,+12025550100,Grand\nNobody,,\n',
  )
  await page.getByRole('button', { name: 'Import and export' }).click()
  await page.setInputFiles('input[type=file]', file)
  await page.getByText('1 added, 1 updated').waitFor()
  await page.getByText('1 row was left out').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
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

  await page.goto('/contacts')
  await page.getByRole('tab', { name: 'Do not call' }).click()
  await page.getByLabel('Phone number').fill('+1 202 555 0142')
  await page.getByRole('button', { name: 'Never call' }).click()
  await page.getByText('Added by you').waitFor()
  await page.getByRole('button', { name: 'Allow again: +1 202 555 0142' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow again' }).click()
  await page.getByText('Nobody is on the list').waitFor()
  expect(complaints).toEqual([])
})
