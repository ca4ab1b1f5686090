import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Analytics, BatchContact, BatchOverview } from '@parley/contract'
import { expect, test } from 'vitest'
import { agreed, picture, SEEN, visitAs } from './browser.ts'
import { openParley } from './screens/testing.ts'
import { openDatabase } from './testing.ts'
import { signUp, until } from './world.ts'

const { parley, browser } = await openParley({ SANDBOX_SPEED: '20' })

test('a list is uploaded, called to its end, and shows in results and analytics', async () => {
  const person = await signUp(parley.url, 'batch@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  const file = join(parley.dataDir, 'guests.csv')
  const rows = ['0100,Ada', '0101,Grace', '0103,', '0104,Edith', '0105,Mary', '0100,Ada again']
  const bad = join(parley.dataDir, 'broken.json')
  await writeFile(file, `phone,name\n${rows.map((row) => `+1202555${row}`).join('\n')}\n12,Wrong\n`)
  await writeFile(bad, '{"phone": ')
  await page.goto('/make-call')
  await page.getByRole('tab', { name: 'Batch Calls' }).click()
  const start = page.getByRole('button', { name: /^Start .* Calls?$/ })
  expect(await start.isDisabled()).toBe(true)
  expect(await page.getByLabel('Contact file (.csv or .json)').getAttribute('accept')).toBe('.csv,.json')
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
  await page.getByRole('button', { name: 'Start 5 Calls' }).click()
  await page.getByText('Say what these contacts agreed to.').first().waitFor()
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
  expect(complaints).toEqual([])
}, 180_000)

test('the number stands in phone, Phone or phone_number; what has none is left out, and what is no list is not read', async () => {
  const person = await signUp(parley.url, 'columns@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  const upload = async (name: string, text: string) => {
    await page.goto('/make-call?tab=batch')
    await page.setInputFiles('input[type=file]', { name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  }
  const people = [{ name: 'Ada', phone: '+12025550100' }, { name: 'Nobody' }]
  const lists = ['phone', 'Phone', 'phone_number'].map((column) => [`${column}.csv`, `name, ${column}\n\nAda, +12025550100\n\nNobody,\n`])
  for (const [name = '', text = ''] of [...lists, ['people.json', JSON.stringify(people)]]) {
    await upload(name, text)
    await page.getByText('1 contact can be called').waitFor()
    await page.getByText('1 row left out').waitFor()
    await page.getByRole('cell', { name: 'Ada', exact: true }).waitFor()
  }
  for (const [name = '', text = ''] of [
    ['object.json', JSON.stringify(people[0])],
    ['people.txt', lists[0]?.[1]],
  ]) {
    await upload(name, text)
    await page.getByText('Failed to parse file. Please check the format.').waitFor()
  }
  expect(complaints).toEqual([])
}, 120_000)

test('a list of 100,000 rows shows how its upload goes, and what was understood of it', async () => {
  const person = await signUp(parley.url, 'many@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  const file = join(parley.dataDir, 'many.csv')
  const rows = Array.from({ length: 100_000 }, (_, index) => `+1212${2_000_000 + index},Guest ${index}`)
  await writeFile(file, `phone,name\n${rows.join('\n')}\n`)
  await page.goto('/make-call?tab=batch')
  // The list waits before the server until its progress has been seen.
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/batch-calls/import?*', async (route) => seen.promise.then(() => route.continue()))
  await page.setInputFiles('input[type=file]', file)
  await page.getByRole('progressbar', { name: 'Uploading many.csv' }).waitFor()
  seen.resolve()
  await page.getByText('100,000 contacts can be called').waitFor({ timeout: 90_000 })
  await page.getByText('+99,995 more contacts...').waitFor()
  const preview = page.getByRole('table', { name: 'The first contacts' }).locator('tbody').getByRole('row')
  expect(await preview.getByText(/^Guest/).allInnerTexts()).toEqual(['Guest 0', 'Guest 1', 'Guest 2', 'Guest 3', 'Guest 4'])
  await page.getByRole('button', { name: 'Start 100,000 Calls' }).waitFor()
  expect(complaints).toEqual([])
}, 180_000)

test('a list starts from a template too; nobody is called while its brackets are empty', async () => {
  const person = await signUp(parley.url, 'reminders@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/make-call?tab=batch')
  const list = 'phone,name,time\n+12025550100,Ada,Monday at nine\n+12025550105,Mary,Monday at ten\n'
  await page.setInputFiles('input[type=file]', { name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
  await page.getByText('2 contacts can be called').waitFor()
  await page.getByRole('button', { name: 'Start from a template' }).click()
  await page.getByRole('dialog', { name: 'Templates' }).getByRole('button', { name: 'Send a reminder' }).click()
  const purpose = page.getByLabel('Purpose')
  await expect.poll(() => purpose.inputValue(), SEEN).toBe('Remind them of the appointment with [name] on [day and time].')
  await page.getByRole('button', { name: 'Remove objective: They will be there' }).waitFor()
  await page.getByRole('button', { name: 'Start 2 Calls' }).click()
  await page.getByText('Fill in what stands in brackets: [name], [day and time]').first().waitFor()
  // What is typed takes the place of the first bracket, which is selected.
  await page.getByRole('button', { name: 'Start from a template' }).click()
  await page.getByRole('dialog', { name: 'Templates' }).getByRole('button', { name: 'Send a reminder' }).click()
  // It was selected before the panel opened as well: typing goes there once the field has the focus again.
  const selected = (field: HTMLElement | SVGElement) => field === document.activeElement && getSelection()?.toString()
  await expect.poll(() => purpose.evaluate(selected), SEEN).toBe('[name]')
  await page.keyboard.type('Doctor Grey')
  expect(await purpose.inputValue()).toBe('Remind them of the appointment with Doctor Grey on [day and time].')
  await purpose.fill('Remind {{name}} of the appointment with Doctor Grey on {{time}}.')
  await agreed(page)
  await page.getByRole('button', { name: 'Start 2 Calls' }).click()
  await page.getByText('2 of 2 contacts done').waitFor({ timeout: 90_000 })
  const [batch] = await person.get<BatchOverview[]>(`/api/user/${person.user.id}/batch-calls`)
  const calls = await person.get<{ purpose: string; objectives: string[] }[]>(`/api/user/${person.user.id}/calls`)
  expect(batch?.status).toBe('done')
  expect(calls.map(({ purpose: said }) => said).toSorted()).toEqual([
    'Remind Ada of the appointment with Doctor Grey on Monday at nine.',
    'Remind Mary of the appointment with Doctor Grey on Monday at ten.',
  ])
  expect(calls.map(({ objectives }) => objectives.length)).toEqual([2, 2])
  expect(complaints).toEqual([])
}, 120_000)

test('lists made before go on, a page at a time, to the first one', async () => {
  const lists = 57
  const person = await signUp(parley.url, 'lists@parley.example')
  const database = await openDatabase(parley)
  await database.pool.query(
    `insert into batch (id, user_id, name, status, incoming, plan, created_at)
     select 'list-' || n, $1, 'List ' || n, 'draft', false, '{}', now() - make_interval(mins => n) from generate_series(1, $2::int) n`,
    [person.user.id, lists],
  )
  await database.close()
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/make-call?tab=batch')
  const rows = page.getByRole('region', { name: 'Your batches' }).getByRole('listitem')
  const more = page.getByRole('button', { name: 'Show more batches' })
  for (let shown = 10; shown < lists; shown += 10) {
    await expect.poll(() => rows.count(), SEEN).toBe(shown)
    await more.click()
  }
  await expect.poll(() => rows.count(), SEEN).toBe(lists)
  expect(await more.count()).toBe(0)
  await page.getByRole('link', { name: 'Open List 57' }).waitFor()
  expect(complaints).toEqual([])
}, 180_000)

test('everybody on a long list can be seen, a page at a time, and when somebody is called again', async () => {
  const people = 320
  const person = await signUp(parley.url, 'everybody@parley.example')
  const database = await openDatabase(parley)
  await database.pool.query(
    `insert into batch (id, user_id, name, status, paused_by, incoming, plan, waiting, failed, created_at)
     select 'everybody', $1, 'Everybody', 'paused', 'person', false, plan, 1, $2::int - 1, now() from (
       select jsonb_build_object('purpose', 'Ask about lunch', 'objectives', '[]'::jsonb, 'tone', 'formal', 'language', 'auto',
         'maxDurationMinutes', 5, 'callsPerMinute', 60, 'liveCalls', null,
         'retries', '{"attempts": 2, "busy": 15, "no_answer": 60, "voicemail": 240, "failed": 10}'::jsonb) as plan) as planned`,
    [person.user.id, people],
  )
  await database.pool.query(
    `insert into batch_contact (batch_id, row, phone, name, context, status, attempts, next_attempt_at)
     select 'everybody', n, '+1202555' || lpad(n::text, 4, '0'), 'Guest ' || n, '{}',
       case n when 1 then 'waiting' else 'failed' end, 1, case n when 1 then now() + interval '3 hours' end
     from generate_series(1, $1::int) n`,
    [people],
  )
  await database.close()
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/make-call?tab=batch&batch=everybody')
  const section = page.getByRole('region', { name: 'Contacts' })
  const rows = section.getByRole('listitem')
  // Not as a time that is over.
  await rows
    .first()
    .getByText(/Next try at .*\d:\d\d/)
    .waitFor()
  const next = section.getByRole('button', { name: 'Next' })
  for (let before = 0; before + 50 < people; before += 50) {
    await section.getByText(`Showing ${before + 1} to ${before + 50} of 320 contacts`).waitFor()
    expect(await rows.count()).toBe(50)
    await next.click()
  }
  await section.getByText('Showing 301 to 320 of 320 contacts').waitFor()
  await rows.getByText('Guest 320', { exact: true }).waitFor()
  expect(await next.isDisabled()).toBe(true)
  await section.getByRole('button', { name: 'Previous' }).click()
  await rows.getByText('Guest 251', { exact: true }).waitFor()
  // Those of one status begin at their first.
  await section.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Waiting' }).click()
  await expect.poll(() => rows.count(), SEEN).toBe(1)
  await rows.getByText('Guest 1', { exact: true }).waitFor()
  expect(complaints).toEqual([])
}, 180_000)
