import { accountsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const alert = page.getByRole('alert')
const first = page.getByLabelText('New password')
const second = page.getByLabelText('Confirm password')

async function fill(password: string, confirmation = password): Promise<void> {
  await first.fill(password)
  await second.fill(confirmation)
  await press('Reset password')
}

// screens.md: without-token-mail-nothing
test('without a token, the fields are disabled and an error is shown', async () => {
  serve(null)
  await openScreen('/reset-password')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Choose a new password' })).toBeVisible()
  await expect.element(alert).toHaveTextContent('No reset token found. Please check your email link.')
  for (const each of [first, second, page.getByRole('button', { name: 'Reset password' })])
    await expect.element(each).toBeDisabled()
  await expect.element(page.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login')
})

describe('with a token', () => {
  // screens.md: wrong-form-said-nothing
  test('a mismatch or a password that is too short shows an error and sends no request', async () => {
    const api = serve(null)
    await openScreen('/reset-password?token=mailed')
    await fill('correct horse battery', 'something else')
    await expect.element(alert).toHaveTextContent('Passwords do not match')
    await expect.element(second).toBeInvalid()
    await fill('five5')
    await expect.element(alert).toHaveTextContent('Password must be at least 6 characters long')
    await expect.element(first).toBeInvalid()
    expect(await findingsInLooks()).toEqual([])
    expect(api.requests(accountsRoutes.resetPassword)).toEqual([])
  })

  // screens.md: refusal-told-server-sentence
  test('a refusal shows the server’s message, or a default after an empty response or a network error', async () => {
    const api = serve(null)
    api.refuse(accountsRoutes.resetPassword, 'invalid_token', { message: 'The link is used up.' })
    await openScreen('/reset-password?token=1e5')
    await fill('a new battery')
    await expect.element(alert).toHaveTextContent('The link is used up.')
    expect(bodiesOf(api.requests(accountsRoutes.resetPassword))).toEqual([
      { token: '1e5', newPassword: 'a new battery' },
    ])
    api.send(accountsRoutes.resetPassword, '', { status: 500 })
    await press('Reset password')
    await expect.element(alert).toHaveTextContent('Failed to reset password')
    api.lose(accountsRoutes.resetPassword)
    await press('Reset password')
    await expect.element(alert).toHaveTextContent('An error occurred. Please try again.')
  })

  test('a response with a user signs in and opens the dashboard', async () => {
    const api = serve(null)
    api.answer(accountsRoutes.resetPassword, { message: 'Welcome back.', user: ADA })
    const letGo = api.hold(accountsRoutes.resetPassword)
    const { address } = await openScreen('/reset-password?token=mailed')
    await fill('a new battery')
    await expect.element(page.getByRole('button', { name: 'Resetting...' })).toBeVisible()
    serve()
    letGo()
    await expectTexts(['Your password is changed', 'Welcome back.'])
    await expect.poll(address).toBe('/dashboard')
  })

  test('a response without a user (second factor) asks to log in', async () => {
    const api = serve(null)
    api.answer(accountsRoutes.resetPassword, { message: 'Now log in with it.' })
    await openScreen('/reset-password?token=mailed')
    await fill('a new battery')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Your password is changed' })).toBeVisible()
    await expectTexts(['Now log in with it.'])
    await expect.element(page.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login')
    expect(await findingsInLooks()).toEqual([])
  })
})
