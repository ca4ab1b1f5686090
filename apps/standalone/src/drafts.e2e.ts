import type { Batch, BatchOverview } from '@parley/contract'
import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { agreed, press, SEEN, visitAs } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { type Person, signUp, until } from './world.ts'

// What stands in the form of a list is what is called, whatever came between typing it and starting it.

const { parley, browser } = await joinWorld()

const LIST = 'phone,name\n+12025550100,Ada\n+12025550105,Mary\n'

/** Somebody at a new list, who has uploaded it. */
async function atDraft(email: string): Promise<{ person: Person; page: Page; complaints: string[] }> {
  const person = await signUp(parley.url, email)
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/make-call?tab=batch')
  await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
  return { person, page, complaints }
}

const upload = async (page: Page, name = 'guests.csv') => {
  await page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(LIST) })
  await page.getByText('2 contacts can be called').waitFor()
}
const batchesOf = async (person: Person) => person.get<BatchOverview[]>(`/api/user/${person.user.id}/batch-calls`)
const newestOf = async (person: Person) => {
  const [newest] = await batchesOf(person)
  return person.get<Batch>(`/api/batch-calls/${newest?.id}`)
}
/** Tells whether the page has read its draft again since it was saved: until then it keeps what was typed as not saved yet. */
function readsBack(page: Page): () => boolean {
  const [open, again] = [new Set<Request>(), new Set<Request>()]
  let [isSaved, isRead] = [false, false]
  page.on('request', (request) => {
    open.add(request)
    if (request.method() === 'PATCH') isSaved = isRead = false
    else if (isSaved && /\/api\/batch-calls\/[^/?]+\?limit=1$/.test(request.url())) again.add(request)
  })
  page.on('response', (response) => void (isSaved ||= response.request().method() === 'PATCH'))
  const end = (request: Request) => {
    open.delete(request)
    isRead ||= again.has(request)
  }
  page.on('requestfinished', end).on('requestfailed', end)
  return () => isRead && open.size === 0
}
const purposeOn = (page: Page) => page.getByLabel('Purpose')
const permissionOn = (page: Page) => page.getByRole('combobox', { name: 'What did these contacts agree to?' })
const toSingleCallAndBack = async (page: Page) => {
  await page.getByRole('tab', { name: 'Single Call' }).click()
  await page.getByLabel('Phone Number').waitFor()
  await page.getByRole('tab', { name: 'Batch Calls' }).click()
  await page.getByText('2 contacts can be called').waitFor()
}

test('a number that does not fit is said at its field, is not saved, and nobody is called by another one', async () => {
  const { person, page, complaints } = await atDraft('numbers@parley.example')
  await upload(page)
  await purposeOn(page).fill('Ask about lunch')
  const saved = await until('the purpose to be saved', async () => {
    const { plan } = await newestOf(person)
    return plan.purpose === 'Ask about lunch' && plan
  })
  await agreed(page)
  await page.getByLabel('Max Duration').fill('300')
  await press(page, 'Start 2 Calls')
  const minutes = page.getByLabel('Max Duration')
  await expect.poll(() => minutes.evaluate((field) => field === document.activeElement), SEEN).toBe(true)
  await expect.poll(() => minutes.getAttribute('aria-invalid'), SEEN).toBe('true')
  await page.getByRole('region', { name: 'Notifications' }).getByText('Enter a whole number from 1 to 30.').waitFor()
  await minutes.fill('3')

  // Folded away, they are opened to be mended.
  const [attempts, perMinute, atOnce] = [/^Calls per contact/, /^Calls per minute/, /^Calls at once/].map((label) => page.getByLabel(label))
  await page.getByText('Pace and retries').click()
  await attempts!.fill('2')
  await page.getByLabel('Busy').fill('soon')
  await perMinute!.fill('601')
  await atOnce!.fill('-')
  await page.getByText('Pace and retries').click()
  await attempts!.waitFor({ state: 'hidden' })
  await press(page, 'Start 2 Calls')
  for (const sentence of ['from 1 to 600.', 'from 1 to 50.', 'from 1 to 10,080.']) {
    await page.getByText(`Enter a whole number ${sentence}`).and(page.locator('p')).first().waitFor()
  }
  await expect.poll(() => perMinute!.evaluate((field) => field === document.activeElement), SEEN).toBe(true)
  await purposeOn(page).fill('Ask about dinner')
  const { plan } = await until('the purpose to be saved again', async () => {
    const draft = await newestOf(person)
    return draft.plan.purpose === 'Ask about dinner' && draft
  })
  // The minutes were saved once, while they stood alone; none of the others was ever made of what does not fit.
  expect({ ...plan, maxDurationMinutes: 0 }).toEqual({ ...saved, purpose: 'Ask about dinner', maxDurationMinutes: 0 })

  await perMinute!.fill('600')
  await atOnce!.fill('')
  await page.getByLabel('Busy').fill('10080')
  await press(page, 'Start 2 Calls')
  await page.getByText('Results CSV').waitFor()
  expect(await newestOf(person)).toMatchObject({
    plan: { maxDurationMinutes: 3, callsPerMinute: 600, liveCalls: null, retries: { attempts: 2, busy: 10_080 } },
  })
  expect(complaints).toEqual([])
  await page.context().close()
}, 90_000)

describe('a draft that is opened again', () => {
  test('has what was typed last, also what was typed just before it was left', async () => {
    const { person, page, complaints } = await atDraft('again@parley.example')
    await purposeOn(page).fill('Typed before the upload')
    await upload(page)
    await until('the first to be saved', async () => (await newestOf(person)).plan.purpose === 'Typed before the upload')
    const isReadBack = readsBack(page)
    await purposeOn(page).fill('Typed last of all')
    await page.goBack()
    await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
    // What was typed belongs to the draft now: the next list begins anew.
    expect(await purposeOn(page).inputValue()).toBe('')
    await page.getByRole('link', { name: /^Open Batch/ }).click()
    await page.getByText('2 contacts can be called').waitFor()
    expect(await purposeOn(page).inputValue()).toBe('Typed last of all')
    await until('the last to be saved', async () => (await newestOf(person)).plan.purpose === 'Typed last of all')
    await until('the page to know that it is saved', async () => isReadBack())

    // Changed elsewhere meanwhile, it is that which is shown, and nothing older is saved over it.
    await page.goBack()
    await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
    const { id } = await newestOf(person)
    expect((await person.send('PATCH', `/api/batch-calls/${id}`, { plan: { purpose: 'Typed elsewhere' } })).ok).toBe(true)
    await page.getByRole('link', { name: /^Open Batch/ }).click()
    await page.getByText('2 contacts can be called').waitFor()
    await expect.poll(() => purposeOn(page).inputValue(), SEEN).toBe('Typed elsewhere')
    await page.getByLabel('Max Duration').fill('4')
    const { plan } = await until('the minutes to be saved', async () => {
      const draft = await newestOf(person)
      return draft.plan.maxDurationMinutes === 4 && draft
    })
    expect(plan.purpose).toBe('Typed elsewhere')

    // Changed elsewhere while it stands here, it is not changed back by what else is typed here.
    expect((await person.send('PATCH', `/api/batch-calls/${id}`, { plan: { purpose: 'Typed elsewhere again' } })).ok).toBe(true)
    for (const minutes of [5, 6]) {
      await page.getByLabel('Max Duration').fill(String(minutes))
      await until('the minutes to be saved', async () => (await newestOf(person)).plan.maxDurationMinutes === minutes)
    }
    expect((await newestOf(person)).plan.purpose).toBe('Typed elsewhere again')
    expect(complaints).toEqual([])
    await page.context().close()
  }, 90_000)

  test('still says what was said about permission, and that is what is started with', async () => {
    const { person, page, complaints } = await atDraft('permission@parley.example')
    await upload(page)
    expect(await permissionOn(page).innerText()).toBe('Choose an answer')
    await purposeOn(page).fill('Tell them of the sale')
    await agreed(page, 'Aloud, to be called about this')
    await page.getByLabel('When and how was it given?').fill('At the desk, in May')
    const { consent } = await until('the permission to be saved', async () => {
      const draft = await newestOf(person)
      return draft.consent?.details !== undefined && draft.consent.details !== '' && draft
    })
    expect(consent).toMatchObject({ marketing: false, permission: 'spoken', details: 'At the desk, in May', givenBy: 'Ada Lovelace' })
    await page.reload()
    await page.getByText('2 contacts can be called').waitFor()
    expect(await permissionOn(page).innerText()).toContain('Aloud')
    expect(await page.getByLabel('When and how was it given?').inputValue()).toBe('At the desk, in May')

    // The server keeps no marketing that nobody agreed to. The page goes on saying what was chosen.
    await agreed(page, 'Nothing at all')
    await page.getByLabel('These calls advertise or sell something').click()
    const stillSaid = async () => {
      expect(await permissionOn(page).innerText()).toContain('Nothing at all')
      expect(await page.getByLabel('These calls advertise or sell something').isChecked()).toBe(true)
    }
    await page.getByText('Start at a time').click()
    await page.getByLabel('Start time').fill('2039-01-01T10:00')
    await toSingleCallAndBack(page)
    await stillSaid()
    await page.getByRole('link', { name: 'Billing' }).first().click()
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
    await page.goBack()
    await page.getByText('2 contacts can be called').waitFor()
    await stillSaid()
    await page.reload()
    await page.getByText('2 contacts can be called').waitFor()
    await stillSaid()
    expect(await page.getByLabel('Start time').inputValue()).toBe('2039-01-01T10:00')
    await press(page, 'Schedule 2 Calls')
    await page.getByText('Marketing calls need the consent of everybody on the list, given in writing or aloud.').first().waitFor()
    expect(await newestOf(person)).toMatchObject({ status: 'draft', consent: { marketing: false } })

    await agreed(page, 'In writing, to be called about this')
    await toSingleCallAndBack(page)
    await press(page, 'Schedule 2 Calls')
    await page.getByText('Results CSV').waitFor()
    expect(await newestOf(person)).toMatchObject({
      status: 'scheduled',
      consent: { marketing: true, permission: 'written', details: 'At the desk, in May' },
    })
    expect(complaints).toEqual([])
    await page.context().close()
  }, 120_000)
})

test('what is deleted is gone from the list and does not open; the list follows what runs', async () => {
  const { person, page, complaints } = await atDraft('deleted@parley.example')
  await upload(page, 'first.csv')
  await page.getByRole('link', { name: 'New batch' }).click()
  await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
  await upload(page, 'second.csv')
  const [second, first] = await batchesOf(person)
  const rows = page.getByRole('region', { name: 'Your batches' }).getByRole('listitem')
  await page.goBack()
  await expect.poll(() => rows.count(), SEEN).toBe(2)
  await page.goForward()
  await press(page, 'Delete')
  const question = page.getByRole('alertdialog', { name: 'Delete this batch?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
  await expect.poll(() => rows.count(), SEEN).toBe(1)
  expect((await batchesOf(person)).map(({ id }) => id)).toEqual([first?.id])
  await page.goto(`/make-call?tab=batch&batch=${second?.id}`)
  await page.getByText('This batch could not be loaded').waitFor({ timeout: 20_000 })

  await page.goto('/make-call?tab=batch')
  await rows.getByText('Draft').waitFor()
  const change = async (body: unknown) => expect((await person.send('PATCH', `/api/batch-calls/${first?.id}`, body)).ok).toBe(true)
  await change({ plan: { purpose: 'Ask about lunch' }, consent: { marketing: false, permission: 'relationship' } })
  await change({ action: 'start' })
  await rows.getByText('Done', { exact: true }).waitFor({ timeout: 60_000 })
  await rows.getByText('2 of 2 done').waitFor()
  await page.getByRole('link', { name: /^Open Batch/ }).click()
  await press(page, 'Delete')
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Upload contacts' }).waitFor()
  await until('the batch to be gone', async () => (await batchesOf(person)).length === 0)
  expect(await rows.count()).toBe(0)
  expect(complaints).toEqual([])
  await page.context().close()
}, 120_000)
