import { readFile } from 'node:fs/promises'
import type { CallDetails, CallTemplate } from '@parley/contract'
import { expect, test } from 'vitest'
import { expectText, press, SEEN, visitAs } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { type Person, signUp, until } from '../../../standalone/src/world.ts'

const { parley, browser } = await joinWorld()

const templatesOf = (person: Person) => person.get<CallTemplate[]>(`/api/user/${person.user.id}/call-templates`)
const detailsOf = (person: Person, id: string) => person.get<CallDetails>(`/api/calls/${id}`)

test('a template is saved, renamed, used and deleted', async () => {
  const person = await signUp(parley.url, 'templates@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  await page.goto('/make-call')
  await page.getByLabel('Purpose').fill('Ask whether the parcel has arrived. It is blue.')
  await page.getByLabel('Objectives').fill('It has arrived')
  await page.getByLabel('Context').fill('{"parcel": 7}')
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  const saveAs = async (name: string) => {
    await press(page, 'Save as template')
    await dialog.getByLabel('Name').fill(name)
    await press(page, 'Save')
  }
  await saveAs('Parcels')
  await expectText(page, 'Template saved')
  expect(await templatesOf(person)).toMatchObject([
    {
      name: 'Parcels',
      objectives: ['It has arrived'],
      tone: 'professional',
      maxDurationMinutes: 5,
      context: { parcel: 7 },
    },
  ])
  await saveAs('PARCELS')
  await expectText(page, 'You already have a template named “PARCELS”.')
  await press(page, 'Cancel')
  await press(page, 'Rename Parcels')
  await page.getByRole('dialog', { name: 'Rename template' }).getByLabel('Name').fill('Blue parcels')
  await press(page, 'Save')
  await expectText(page, 'Template renamed')

  // The dashboard's form offers the template too, in a panel.
  await page.goto('/dashboard')
  await press(page, 'Start from a template')
  const panel = page.getByRole('dialog', { name: 'Templates' })
  await panel.getByRole('button', { name: /^Blue parcels/ }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect
    .poll(() => page.getByLabel('Purpose').inputValue(), SEEN)
    .toBe('Ask whether the parcel has arrived. It is blue.')
  await expect
    .poll(() => page.getByLabel('Purpose').evaluate((field) => field === document.activeElement), SEEN)
    .toBe(true)

  await page.goto('/make-call')
  await press(page, 'Delete Blue parcels')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectText(page, 'None yet. Templates you save appear here.')
  expect(await templatesOf(person)).toEqual([])
  expect(complaints).toEqual([])
})

// screens.md: details-call-lead-quoted
test('call details: quotes play the recording; download as JSON, save as template, call again', async () => {
  const person = await signUp(parley.url, 'details@parley.example')
  await person.send('PATCH', `/api/user/${person.user.id}/settings`, { recordCalls: true })
  const { id } = await person.place('+12025550100', {
    objectives: ['A table at 7 pm', 'Vegetarian menu'],
    maxDurationMinutes: 3,
    context: { name: 'Ruiz' },
    tone: 'formal',
  })
  const call = await until(
    'the recording and the outcome',
    async () => {
      const details = await detailsOf(person, id)
      return details.hasRecording && details.outcomes.length === 2 && details.summary !== null && details
    },
    90_000,
  )
  const { page, complaints } = await visitAs(browser, parley.url, person)
  const dialog = page.getByRole('dialog', { name: 'Call details' })
  const openDetails = async () => {
    await page.goto('/call-history')
    await press(page, 'View the call to +1 202 555 0100')
    await dialog.getByRole('tab', { name: 'Transcript' }).waitFor()
  }
  await openDetails()
  await dialog.getByText('Both objectives met').waitFor()
  const quoted = call.outcomes.find(({ turn }) => turn !== null)!
  const turn = call.turns.find(({ index }) => index === quoted.turn)!
  const quote = dialog.getByTitle('Show this line in the transcript').first()
  const said = dialog.getByRole('tabpanel').getByText(turn.text).first()
  const audio = dialog.locator('audio')
  const isAtTurn = async () =>
    (await audio.evaluate((each: HTMLAudioElement) => each.currentTime)) === turn.startMs / 1000
  await dialog.getByRole('tab', { name: 'Details', exact: true }).click()
  await quote.click()
  await until('the line to be in view', async () => said.isVisible())
  await until('the recording to be at the turn', isAtTurn)
  // After seeking elsewhere, the same quote seeks there again.
  await audio.evaluate((each: HTMLAudioElement) => void (each.currentTime = 0))
  await quote.click()
  await until('the recording to be at the turn again', isAtTurn)

  const date = new Date(call.createdAt).toLocaleDateString('en-CA')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download as JSON' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`call-${call.callee}-${date}.json`)
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual(await detailsOf(person, call.id))

  await press(page, 'Save as template')
  await page.getByRole('dialog', { name: 'Save as template' }).getByLabel('Name').fill('Dinners')
  await press(page, 'Save')
  await expectText(page, 'Template saved')
  const saved = { name: 'Dinners', purpose: call.purpose, tone: 'formal', context: { name: 'Ruiz' } }
  expect(await templatesOf(person)).toMatchObject([saved])

  await dialog.getByRole('link', { name: 'Call again with changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The address names the earlier call, so that a reload keeps it.
  await page.reload()
  await page.getByRole('button', { name: 'Remove objective: Vegetarian menu' }).waitFor()
  expect(await page.getByLabel('Phone Number').inputValue()).toBe(call.callee)

  await openDetails()
  const placed = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/calls'),
  )
  await press(page, 'Call again')
  await press(page, 'Call now')
  const again = (await (await placed).json()) as CallDetails
  expect(again).toMatchObject({
    callee: call.callee,
    purpose: call.purpose,
    objectives: call.objectives,
    tone: 'formal',
    context: { name: 'Ruiz' },
  })
  // The call view opens by itself.
  const view = page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })
  await view.getByText('AI assistant').first().waitFor()
  await person.send('PATCH', `/api/calls/${again.id}`, { action: 'stop' })
  await person.ended(again.id)
  expect(complaints).toEqual([])
}, 180_000)
