import { accountsRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, axeFindings, bodiesOf, expectTexts, openScreen, press, serve } from '../testing.tsx'

test('a wrong password is told in the server’s sentence, and what was typed stays', async () => {
  const api = serve(null)
  api.refuse(accountsRoutes.login, 'wrong_credentials', { message: 'That is not right.' })
  await openScreen('/login')
  await page.getByLabelText('Email address').fill(ADA.email)
  await page.getByLabelText('Password', { exact: true }).fill('not my password')
  await press('Sign In')
  await expectTexts(['That is not right.'])
  await expect.element(page.getByLabelText('Email address')).toHaveValue(ADA.email)
  expect(bodiesOf(api.asked(accountsRoutes.login))).toEqual([{ email: ADA.email, password: 'not my password' }])
  expect(await axeFindings()).toEqual([])
})
