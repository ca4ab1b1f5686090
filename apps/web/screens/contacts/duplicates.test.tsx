import { contactsRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aContact, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const hotel = (id: string, name: string) => aContact({ id, name, phone: '+12025550100' })
const HOTELS = { phone: '+12025550100', contacts: [hotel('a', 'Grand Hotel'), hotel('b', 'The Grand')] }
const ADAS = {
  phone: '+442079460018',
  contacts: [aContact({ id: 'c', name: 'Ada' }), aContact({ id: 'd', name: 'Ada L.' })],
}

const dialog = page.getByRole('dialog', { name: 'Merge duplicates' })

test('numbers saved more than once are listed and merged one by one', async () => {
  const api = serve()
  api.answer(contactsRoutes.duplicates, [HOTELS, ADAS])
  await openScreen('/contacts')
  await expectTexts([/^2 numbers are saved more than once\./])
  await press('Review')
  await expectTexts(
    [
      'The oldest entry of each number is kept. Its empty fields are filled from the others.',
      'Grand Hotel · The Grand',
    ],
    dialog,
  )
  await expect.element(dialog.getByRole('button', { name: 'Merge all' })).toBeVisible()
  expect(await findingsInLooks()).toEqual([])
  api.answer(contactsRoutes.merge, { removed: 1 })
  const goOn = api.hold(contactsRoutes.merge)
  const merge = dialog.getByRole('button', { name: 'Merge the entries of +1 202 555 0100' })
  await expect.element(merge).toHaveTextContent('Merge')
  await merge.click()
  await expect.element(merge).toHaveAttribute('aria-disabled', 'true')
  api.answer(contactsRoutes.duplicates, [ADAS])
  goOn()
  await expectTexts(['Duplicates merged'])
  await expect.element(merge).not.toBeInTheDocument()
  await expectTexts([/^1 number is saved more than once\./])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bodiesOf(api.requests(contactsRoutes.merge))).toEqual([{ phone: '+12025550100' }])
})

test('"Merge all" merges every duplicate', async () => {
  const api = serve()
  api.answer(contactsRoutes.duplicates, [HOTELS, ADAS])
  await openScreen('/contacts')
  await press('Review')
  api.answer(contactsRoutes.merge, { removed: 2 })
  api.answer(contactsRoutes.duplicates, [])
  await dialog.getByRole('button', { name: 'Merge all' }).click()
  await expectTexts(['Every number is saved once.'], dialog)
  expect(bodiesOf(api.requests(contactsRoutes.merge))).toEqual([{}])
})

test('a failed merge shows an error and keeps the duplicates', async () => {
  const api = serve()
  api.answer(contactsRoutes.duplicates, [HOTELS])
  api.lose(contactsRoutes.merge)
  await openScreen('/contacts')
  await press('Review')
  await dialog.getByRole('button', { name: /^Merge the entries/ }).click()
  await expectTexts(['Error', 'The duplicates could not be merged.'])
  await expectTexts(['Grand Hotel · The Grand'], dialog)
})
