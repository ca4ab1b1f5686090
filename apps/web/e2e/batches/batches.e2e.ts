import type { Analytics, Batch, BatchContact, BatchOverview } from '@parley/contract'
import { expect, test } from 'vitest'
import { agreed, picture, press, SEEN, visitAs } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { signUp, until } from '../../../standalone/src/world.ts'

// Longer than 20 s: a batch is called to its end at the speed of the sandbox.

const { parley, browser } = await joinWorld()

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

// screens.md: list-uploaded-called-end
test('a batch is uploaded, called to its end, counted in results and analytics, and deleted', async () => {
  const person = await signUp(parley.url, 'batch@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  const people = ['0100,Ada', '0101,Grace', '0103,', '0104,Edith', '0105,Mary', '0100,Ada again']
  const list = `phone,name\n${people.map((row) => `+1202555${row}`).join('\n')}\n12,Wrong\n`
  await page.goto('/make-call')
  await page.getByRole('tab', { name: 'Batch Calls' }).click()
  await page.setInputFiles('input[type=file]', fileOf('broken.json', '{"phone": '))
  await page.getByText('Failed to parse file. Please check the format.').waitFor()
  await page.setInputFiles('input[type=file]', fileOf('guests.csv', list))
  await page.getByText('5 contacts can be called').waitFor()
  await page.getByText('2 rows left out').waitFor()
  await page.getByLabel('Purpose').fill('Ask {{name}} for a table for two tonight')
  await page.getByLabel('Objectives').fill('A table at 7 pm')
  await page.getByLabel('Objectives').press('Enter')
  await page.getByLabel('Max Duration').fill('1')
  await page.getByText('Pace and retries').click()
  await page.getByLabel('Calls per contact, at most').fill('2')
  // Busy contacts are called again after 1 minute of call time; every other outcome is final.
  await page.getByLabel('Busy').fill('1')
  for (const outcome of ['No answer', 'Voicemail', 'Failed']) await page.getByLabel(outcome, { exact: true }).fill('')
  await page.getByText('{{name}} has no value in 1 row.').waitFor()
  await page.getByLabel('Leave these rows out').click()
  await agreed(page)
  await picture(page, 'batch-draft-wide')
  await page.getByRole('button', { name: 'Start 5 Calls' }).click()
  await page.getByText('4 of 4 contacts done').waitFor({ timeout: 90_000 })
  await picture(page, 'batch-done-wide')
  const [batch] = await person.get<BatchOverview[]>(`/api/user/${person.user.id}/batch-calls`)
  expect(batch).toMatchObject({ status: 'done', description: 'Batch call with 5 contacts', totalCalls: 4 })
  const contacts = await person.get<BatchContact[]>(`/api/batch-calls/${batch?.id}/contacts`)
  const attempts = contacts.map(({ phone, attempts: calls }) => [phone.slice(-4), calls])
  expect(attempts.slice(0, 5)).toEqual([
    ['0100', 1],
    ['0101', 2],
    ['0103', 0],
    ['0104', 1],
    ['0105', 1],
  ])
  const calls = await person.get<{ purpose: string }[]>(`/api/user/${person.user.id}/calls`)
  expect(new Set(calls.map(({ purpose }) => purpose))).toEqual(
    new Set(['Ada', 'Grace', 'Edith', 'Mary'].map((name) => `Ask ${name} for a table for two tonight`)),
  )
  const results = await page.request.get(`${parley.url}/api/batch-calls/${batch?.id}/results?format=csv`)
  expect((await results.text()).trim().split('\r\n').length).toBeGreaterThan(4)

  await page.getByRole('button', { name: 'View the call to Ada' }).click()
  const opened = page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })
  await opened.waitFor()
  await page.keyboard.press('Escape')
  await opened.waitFor({ state: 'detached' })
  await page.getByText('4 of 4 contacts done').waitFor()

  const placed = contacts.reduce((calls, contact) => calls + contact.attempts, 0)
  const made = await until('the analytics to have the calls', async () => {
    const analytics = await person.get<Analytics>(`/api/user/${person.user.id}/analytics`)
    return analytics.totals.calls === placed && analytics
  })
  await page.goto('/analytics')
  await page.getByText(`${made.totals.answered} of ${made.totals.calls} answered`).waitFor()
  await page.getByRole('button', { name: 'Show as table: Calls by day' }).click()
  await page.getByLabel('Search calls').fill('0105')
  await page.getByText('1 call', { exact: true }).waitFor()
  await page.getByLabel('Search calls').fill('nobody says this')
  await page.getByText('No calls found').waitFor()

  await page.goto('/make-call?tab=batch')
  const rows = page.getByRole('region', { name: 'Your batches' }).getByRole('listitem')
  await rows.getByText('Done', { exact: true }).waitFor()
  await rows.getByText('4 of 4 done').waitFor()
  await page.getByRole('link', { name: /^Open Batch/ }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog', { name: 'Delete this batch?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
  await expect.poll(() => rows.count(), SEEN).toBe(0)
  expect(await person.get(`/api/user/${person.user.id}/batch-calls`)).toEqual([])
  await page.goto(`/make-call?tab=batch&batch=${batch?.id}`)
  await page.getByText('This batch could not be loaded').waitFor({ timeout: 40_000 })
  expect(complaints).toEqual([])
}, 180_000)

test('a draft survives a reload; marketing without consent cannot be scheduled', async () => {
  const person = await signUp(parley.url, 'permission@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  const newest = async () => {
    const [batch] = await person.get<BatchOverview[]>(`/api/user/${person.user.id}/batch-calls`)
    return person.get<Batch>(`/api/batch-calls/${batch?.id}`)
  }
  const permission = page.getByRole('combobox', { name: 'What did these contacts agree to?' })
  const details = page.getByLabel('When and how was it given?')
  await page.goto('/make-call?tab=batch')
  await page.setInputFiles(
    'input[type=file]',
    fileOf('guests.csv', 'phone,name\n+12025550100,Ada\n+12025550105,Mary\n'),
  )
  await page.getByText('2 contacts can be called').waitFor()
  await page.getByLabel('Purpose').fill('Tell them of the sale')
  await agreed(page, 'Verbally, to be called about this')
  await details.fill('At the desk, in May')
  const { consent, plan } = await until('the permission to be saved', async () => {
    const draft = await newest()
    return draft.consent?.details !== undefined && draft.consent.details !== '' && draft
  })
  expect(plan.purpose).toBe('Tell them of the sale')
  expect(consent).toMatchObject({
    marketing: false,
    permission: 'spoken',
    details: 'At the desk, in May',
    givenBy: 'Ada Lovelace',
  })

  // The server does not store marketing without consent; the page keeps what was chosen.
  await agreed(page, 'Nothing at all')
  await page.getByLabel('These calls advertise or sell something').click()
  await page.getByText('Start at a time').click()
  await page.getByLabel('Start time').fill('2039-01-01T10:00')
  await page.reload()
  await page.getByText('2 contacts can be called').waitFor()
  expect(await permission.innerText()).toContain('Nothing at all')
  expect(await details.inputValue()).toBe('At the desk, in May')
  expect(await page.getByLabel('These calls advertise or sell something').isChecked()).toBe(true)
  expect(await page.getByLabel('Start time').inputValue()).toBe('2039-01-01T10:00')
  await press(page, 'Schedule 2 Calls')
  await page
    .getByText('Marketing calls need the consent of everybody on the list, given in writing or aloud.')
    .first()
    .waitFor()
  expect(await newest()).toMatchObject({ status: 'draft', consent: { marketing: false } })
  await agreed(page, 'In writing, to be called about this')
  await press(page, 'Schedule 2 Calls')
  await page.getByText('Results CSV').waitFor()
  expect(await newest()).toMatchObject({
    status: 'scheduled',
    consent: { marketing: true, permission: 'written', details: 'At the desk, in May' },
  })
  expect(complaints).toEqual([])
})
