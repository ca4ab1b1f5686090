import { consentRoutes, type DoNotCallEntry } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { carryFiles } from '../uploads.ts'

const entry = (change: Partial<DoNotCallEntry> = {}): DoNotCallEntry => ({
  phone: '+12025550142',
  source: 'account',
  quote: null,
  callId: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  ...change,
})
const ASKED = entry({ phone: '+12025550143', source: 'callee', quote: 'Take me off your list.', callId: 'call-1' })

async function openNever(): Promise<void> {
  await openScreen('/contacts')
  await page
    .getByRole('tablist', { name: 'Contacts and do-not-call list' })
    .getByRole('tab', { name: 'Do not call' })
    .click()
}

test('an empty do-not-call list explains its purpose', async () => {
  serve()
  await openNever()
  await expectTexts(['Nobody is on the list', 'Add a number above, or import a list you already keep.'])
  await expectTexts([
    'These numbers are never called. Anyone who asks for no more calls is added automatically.',
    'People',
    'Import a list',
  ])
  expect(await axeFindings()).toEqual([])
})

test('each number shows how it came to the list, at both widths and in both themes', async () => {
  const api = serve()
  api.answer(consentRoutes.list, [entry(), ASKED, entry({ phone: '+442079460018', source: 'imported' })])
  await openNever()
  await expectTexts([
    /^Added by you · /,
    /^Asked not to be called · /,
    /^Imported · .* · United Kingdom$/,
    'Take me off your list.',
  ])
  await expect.element(page.getByRole('button', { name: 'Allow again: +1 202 555 0142' })).toBeVisible()
  expect(await findingsInLooks()).toEqual([])
})

test('a number is added while its button is disabled', async () => {
  const api = serve()
  api.answer(consentRoutes.add, entry())
  const goOn = api.hold(consentRoutes.add)
  await openNever()
  await page.getByLabelText('Phone number').fill('+1 202 555 0142')
  await press('Never call')
  await expect.element(page.getByRole('button', { name: 'Never call' })).toHaveAttribute('aria-disabled', 'true')
  api.answer(consentRoutes.list, [entry()])
  goOn()
  await expectTexts(['The number will not be called', '+1 202 555 0142'])
  expect(bodiesOf(api.requests(consentRoutes.add))).toEqual([{ phone: '+1 202 555 0142' }])
})

test('a number that could not be added shows the reason', async () => {
  const api = serve()
  api.lose(consentRoutes.add)
  await openNever()
  await page.getByLabelText('Phone number').fill('12')
  await press('Never call')
  await expectTexts(['Error', 'The number could not be added.'])
  api.refuse(consentRoutes.add, 'number_invalid', { message: 'This is not a phone number.' })
  await page.getByLabelText('Phone number').fill('12')
  await press('Never call')
  await expectTexts(['Error', 'This is not a phone number.'])
})

test('a file is imported with its counts; a failed import shows an error', async () => {
  const api = serve()
  carryFiles()
  await openNever()
  const file = page.getByLabelText('Import a list', { exact: true }).first()
  api.answer(consentRoutes.import, { added: 1200, known: 3, dropped: [] })
  api.answer(consentRoutes.list, [entry()])
  await file.upload(new File(['phone\n+12025550142\n'], 'never.csv'))
  await expectTexts(['1,200 added, 3 known already', '+1 202 555 0142'])
  expect(api.requests(consentRoutes.import)).toMatchObject([
    { query: { fileName: 'never.csv' }, body: 'phone\n+12025550142\n' },
  ])
  api.lose(consentRoutes.import)
  await file.upload(new File(['x'], 'never.csv'))
  await expectTexts(['Error', 'The list could not be imported.'])
})

test('the list is searched, and loads its next page on request', async () => {
  const api = serve()
  api.answer(consentRoutes.list, [entry()], { total: 2, nextCursor: 'older' })
  await openNever()
  await expectTexts(['+1 202 555 0142'])
  api.answer(consentRoutes.list, [ASKED], { total: 2 })
  await press('Show more numbers')
  await expectTexts(['+1 202 555 0143'])
  expect(api.requests(consentRoutes.list).at(-1)?.query['cursor']).toBe('older')
  api.answer(consentRoutes.list, [])
  await page.getByLabelText('Search the list').fill('0199')
  await expectTexts(['Nobody is on the list'])
  expect(api.requests(consentRoutes.list).at(-1)?.query['q']).toBe('0199')
})

test('a failed load of the list offers a retry', async () => {
  const api = serve()
  api.refuse(consentRoutes.list, 'internal')
  await openNever()
  await expectTexts(['The list could not be loaded'])
  api.answer(consentRoutes.list, [entry()])
  await press('Try again')
  await expectTexts(['+1 202 555 0142'])
})

test('a number added by the user is removed after confirmation', async () => {
  const api = serve()
  api.answer(consentRoutes.list, [entry()])
  await openNever()
  await press('Allow again: +1 202 555 0142')
  const dialog = page.getByRole('dialog', { name: 'Allow calls again?' })
  await expectTexts(['+1 202 555 0142. This number may be called again.'], dialog)
  expect(dialog.getByLabelText('What permission did they give since?').query()).toBeNull()
  expect(await axeFindings()).toEqual([])
  api.lose(consentRoutes.remove)
  await dialog.getByRole('button', { name: 'Allow again' }).click()
  await expectTexts(['Error', 'The number could not be taken off the list.'])
  api.answer(consentRoutes.remove, { message: 'Removed' })
  api.answer(consentRoutes.list, [])
  await dialog.getByRole('button', { name: 'Allow again' }).click()
  await expectTexts(['The number may be called again', 'Nobody is on the list'])
  expect(api.requests(consentRoutes.remove).at(-1)).toMatchObject({ params: { phone: '+12025550142' }, query: {} })
})

test('a number whose callee opted out is removed only with the permission given since', async () => {
  const api = serve()
  api.answer(consentRoutes.list, [ASKED])
  api.answer(consentRoutes.remove, { message: 'Removed' })
  await openNever()
  await press('Allow again: +1 202 555 0143')
  const dialog = page.getByRole('dialog', { name: 'Allow calls again?' })
  await expectTexts(['They asked not to be called. Say when and how they changed their mind.'], dialog)
  await dialog.getByRole('button', { name: 'Allow again' }).click()
  await expect
    .element(dialog.getByLabelText('What permission did they give since?'))
    .toHaveAttribute('aria-invalid', 'true')
  expect(await axeFindings()).toEqual([])
  await dialog.getByLabelText('What permission did they give since?').fill(' Aloud, on Monday ')
  await dialog.getByRole('button', { name: 'Allow again' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(api.requests(consentRoutes.remove)).toMatchObject([{ query: { permission: 'Aloud, on Monday' } }])
})
