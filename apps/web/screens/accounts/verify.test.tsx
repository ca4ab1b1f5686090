import { accountsRoutes, confirmationsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const heading = (name: string) => page.getByRole('heading', { level: 1 }).getByText(name)

describe('email verification link', () => {
  // screens.md: work-address-verified-login
  test('shows a spinner, then success, and prefills the address at login', async () => {
    const api = serve(null)
    api.answer(accountsRoutes.verifyEmail, { message: 'Done.', verified: true, email: 'ana@parley.example' })
    const letGo = api.hold(accountsRoutes.verifyEmail)
    const { address } = await openScreen('/verify-email?token=mailed')
    await expectTexts(['Verifying your email...'])
    expect(await axeFindings()).toEqual([])
    letGo()
    await expect.element(heading('Email Verified!')).toBeVisible()
    await expectTexts(['Your address is confirmed. You can now log in.'])
    expect(api.requests(accountsRoutes.verifyEmail).map(({ query }) => query)).toEqual([{ token: 'mailed' }])
    await page.getByRole('link', { name: 'Continue to Login' }).click()
    await expect.element(page.getByLabelText('Email address')).toHaveValue('ana@parley.example')
    expect(address()).toBe('/login')
  })

  test('verified=true shows success without a request', async () => {
    const api = serve(null)
    const { address } = await openScreen('/verify-email?verified=true')
    await expect.element(heading('Email Verified!')).toBeVisible()
    expect(await findingsInLooks()).toEqual([])
    await page.getByRole('link', { name: 'Continue to Login' }).click()
    await expect.poll(address).toBe('/login')
    expect(api.requests(accountsRoutes.verifyEmail)).toEqual([])
  })

  // screens.md: without-token-failed-leads
  test('without a token shows failure and links back to registration', async () => {
    serve(null)
    const { address } = await openScreen('/verify-email')
    await expect.element(heading('Verification Failed')).toBeVisible()
    await expectTexts(['No verification token found.'])
    expect(await findingsInLooks()).toEqual([])
    await page.getByRole('link', { name: 'Back to Register' }).click()
    await expect.poll(address).toBe('/register')
  })

  // screens.md: refused-may-too-old
  test('a refused token shows "may be expired or invalid"', async () => {
    const api = serve(null)
    api.refuse(accountsRoutes.verifyEmail, 'invalid_token')
    await openScreen('/verify-email?token=made-up')
    await expect.element(heading('Verification Failed')).toBeVisible()
    await expectTexts(['Verification failed. The link may be expired or invalid.'])
  })

  // screens.md: reaches-nobody-can-tried
  test('a network error asks to try again', async () => {
    const api = serve(null)
    api.lose(accountsRoutes.verifyEmail)
    await openScreen('/verify-email?token=another')
    await expectTexts(['Verification Failed', 'Verification failed. Please try again.'])
    expect(api.requests(accountsRoutes.verifyEmail)).toHaveLength(1)
  })
})

describe('link that stops a change of the email address', () => {
  const STOP = 'Stop the change'
  const STOP_ALL = 'Stop it and log out everywhere'

  test('asks for confirmation; opening the link sends no request', async () => {
    const api = serve(null)
    await openScreen('/verify-email?stop=mailed')
    await expect.element(heading('Stop the change of your email address?')).toBeVisible()
    await expectTexts([
      'Somebody asked to move your account to another address. Until that is confirmed there, nothing has changed.',
      'If it was not you, log out everywhere: every session ends, and we mail you a link to choose a new password.',
    ])
    expect(await findingsInLooks()).toEqual([])
    expect(api.requests(confirmationsRoutes.stopEmailChange)).toEqual([])
  })

  test.each([
    [STOP, false, 'Your email address stays as it is.'],
    [
      STOP_ALL,
      true,
      'Your email address stays as it is, and every session has ended. Check your email for a link to choose a new password.',
    ],
  ])('%s: the address stays, and the page tells whether sessions ended', async (name, endSessions, sentence) => {
    const api = serve(null)
    api.answer(confirmationsRoutes.stopEmailChange, { message: 'Stopped.' })
    const letGo = api.hold(confirmationsRoutes.stopEmailChange)
    await openScreen('/verify-email?stop=mailed')
    await press(name)
    for (const each of [STOP, STOP_ALL]) await expect.element(page.getByRole('button', { name: each })).toBeDisabled()
    letGo()
    await expect.element(heading('The change was stopped')).toBeVisible()
    await expectTexts([sentence])
    expect(bodiesOf(api.requests(confirmationsRoutes.stopEmailChange))).toEqual([{ token: 'mailed', endSessions }])
    await expect.element(page.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login')
  })

  test('a refusal shows the server’s reason; an empty error and a network error show their own', async () => {
    const api = serve(null)
    api.refuse(confirmationsRoutes.stopEmailChange, 'invalid_token', { message: 'The link is used up.' })
    await openScreen('/verify-email?stop=mailed')
    await press(STOP)
    const alert = page.getByRole('alert')
    await expect.element(alert).toHaveTextContent('The link is used up.')
    expect(await axeFindings()).toEqual([])
    api.send(confirmationsRoutes.stopEmailChange, '', { status: 500 })
    await press(STOP)
    await expect.element(alert).toHaveTextContent('The change could not be stopped.')
    api.lose(confirmationsRoutes.stopEmailChange)
    await press(STOP_ALL)
    await expect.element(alert).toHaveTextContent('An error occurred. Please try again.')
  })
})
