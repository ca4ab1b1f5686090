import { contactsRoutes, reportsRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, aContact, axeFindings, expectTexts, listed, NARROW, openScreen, serve } from '../testing.tsx'

test('a call stands in the history with its number, how it ended and what it cost', async () => {
  const api = serve()
  api.answer(reportsRoutes.calls, [listed(aCall())])
  await openScreen('/call-history')
  await expectTexts(['Completed', '1m 5s'], page.getByRole('table'))
  expect(await axeFindings()).toEqual([])
})

test('a contact stands on a narrow screen with their name', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [aContact()])
  await openScreen('/contacts', { size: NARROW })
  await expectTexts(['Grace Hopper'])
})
