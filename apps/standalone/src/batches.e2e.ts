import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Analytics, BatchContact, BatchOverview } from '@parley/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, picture, visit } from './browser.ts'
import { type Person, type Running, runParley, signUp, until } from './testing.ts'

let parley: Running
let browser: Browser

beforeAll(async () => {
  parley = await runParley({ SANDBOX_SPEED: '20' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await parley.dispose()
})

async function signedIn(person: Person, options: Parameters<typeof visit>[2] = {}) {
  const visitor = await visit(browser, parley.url, options)
  const [name = '', value = ''] = person.cookie.split(';')[0]?.split(/=(.*)/s) ?? []
  await visitor.page.context().addCookies([{ name, value, url: parley.url }])
  return visitor
}

test('a list is uploaded, called to its end, and shows in results and analytics', async () => {
  const person = await signUp(parley.url, 'batch@parley.example')
  const { page, complaints } = await signedIn(person)
  const file = join(parley.dataDir, 'guests.csv')
  const rows = ['0100,Ada', '0101,Grace', '0103,', '0104,Edith', '0105,Mary', '0100,Ada again']
  const bad = join(parley.dataDir, 'broken.json')
  await writeFile(file, `phone,name\n${rows.map((row) => `+1202555${row}`).join('\n')}\n12,Wrong\n`)
  await writeFile(bad, '{"phone": ')
  await page.goto('/make-call')
  await page.getByRole('tab', { name: 'Batch Calls' }).click()
  const start = page.getByRole('button', { name: /^Start .* Calls?$/ })
  expect(await start.isDisabled()).toBe(true)
  await page.setInputFiles('input[type=file]', bad)
  await page.getByText('Failed to parse file. Please check the format.').waitFor()
  await page.setInputFiles('input[type=file]', file)
  await page.getByText('5 contacts can be called').waitFor()
  await page.getByText('2 rows left out').waitFor()
  await start.click()
  await page.getByText('Please fill in all required fields and upload contact data.').first().waitFor()
  await page.getByLabel('Purpose').fill('Ask {{name}} for a table for two tonight')
  await page.getByLabel('Objectives').fill('A table at 7 pm')
  await page.getByLabel('Objectives').press('Enter')
  await page.getByLabel('Max Duration').fill('1')
  await page.getByText('Pace and retries').click()
  await page.getByLabel('Calls per contact, at most').fill('2')
  // Who is busy is called again in a minute of call time; every other outcome is final.
  await page.getByLabel('Busy').fill('1')
  for (const outcome of ['No answer', 'Voicemail', 'Failed']) await page.getByLabel(outcome, { exact: true }).fill('')
  await page.getByText('{{name}} has no value in 1 row.').waitFor()
  await page.getByLabel('Leave these rows out').click()
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
  const results = await page.request.get(`${parley.url}/api/batch-calls/${batch?.id}/results?format=csv`)
  expect((await results.text()).trim().split('\r\n').length).toBeGreaterThan(4)

  const made = await until('the analytics to have the calls', async () => {
    const analytics = await person.get<Analytics>(`/api/user/${person.user.id}/analytics`)
    return analytics.totals.calls >= 4 && analytics
  })
  await page.goto('/analytics')
  await page.getByText(`${made.totals.answered} of ${made.totals.calls} answered`).waitFor()
  await page.getByRole('button', { name: 'Show as table: Calls by day' }).click()
  await page.getByLabel('Search calls').fill('0105')
  await page.getByText('1 call', { exact: true }).waitFor()
  await page.getByLabel('Search calls').fill('nobody says this')
  await page.getByText('No calls found').waitFor()
  expect(complaints).toEqual([])
}, 180_000)

test('a list of 100,000 rows shows how its upload goes, and what was understood of it', async () => {
  const person = await signUp(parley.url, 'many@parley.example')
  const { page, complaints } = await signedIn(person)
  const file = join(parley.dataDir, 'many.csv')
  const rows = Array.from({ length: 100_000 }, (_, index) => `+1212${2_000_000 + index},Guest ${index}`)
  await writeFile(file, `phone,name\n${rows.join('\n')}\n`)
  await page.goto('/make-call?tab=batch')
  await page.setInputFiles('input[type=file]', file)
  await page.getByRole('progressbar', { name: 'Uploading many.csv' }).waitFor()
  await page.getByText('100,000 contacts can be called').waitFor({ timeout: 90_000 })
  await page.getByText('+99,995 more contacts...').waitFor()
  await page.getByRole('button', { name: 'Start 100,000 Calls' }).waitFor()
  expect(complaints).toEqual([])
}, 180_000)
