import { accountsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const SOMEBODY = 'somebody@parley.example'
const SENT = 'A link is on its way.'

const DIALOGS = [
  {
    opener: 'Forgot your password?',
    title: 'Reset your password',
    lead: 'We will mail you a link to choose a new one.',
    submit: 'Send reset link',
    route: accountsRoutes.forgotPassword,
    failed: 'Failed to send reset email',
  },
  {
    opener: "Didn't receive verification email?",
    title: 'Resend verification email',
    lead: 'Enter the address you registered with, and we will mail the link again.',
    submit: 'Resend email',
    route: accountsRoutes.resendVerification,
    failed: 'Failed to resend verification email',
  },
] as const

describe.each(DIALOGS)('$opener', ({ opener, title, lead, submit, route, failed }) => {
  const dialog = page.getByRole('dialog', { name: title })
  const field = dialog.getByLabelText('Email address')

  // screens.md: opens-dialog-asks-address
  test('opens a dialog with a required email field', async () => {
    serve(null)
    await openScreen('/login')
    await press(opener)
    await expectTexts([lead], dialog)
    await expect.element(field).toHaveAttribute('type', 'email')
    await expect.element(field).toBeRequired()
    expect(await findingsInLooks()).toEqual([])
  })

  // screens.md: says-why-nothing-mailed
  test('shows why the mail was not sent', async () => {
    const api = serve(null)
    api.refuse(route, 'rate_limited', { message: 'Too many mails. Please wait a minute.' })
    await openScreen('/login')
    await press(opener)
    await field.fill(SOMEBODY)
    await press(submit)
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Too many mails. Please wait a minute.')
    expect(await axeFindings()).toEqual([])
    api.send(route, '', { status: 500 })
    await press(submit)
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(failed)
    api.lose(route)
    await press(submit)
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('An error occurred. Please try again.')
  })

  // screens.md: sends-says-forgets-typed
  test('shows the server’s message after sending, and opens empty the next time', async () => {
    const api = serve(null)
    api.answer(route, { message: SENT })
    const letGo = api.hold(route)
    await openScreen('/login')
    await press(opener)
    await field.fill(SOMEBODY)
    await press(submit)
    await expect.element(dialog.getByRole('button', { name: 'Sending...' })).toBeVisible()
    letGo()
    await expectTexts([SENT], dialog.getByRole('status'))
    await expectTexts(['Check your email'])
    expect(bodiesOf(api.requests(route))).toEqual([{ email: SOMEBODY }])
    expect(await axeFindings()).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect.element(dialog).not.toBeInTheDocument()
    await press(opener)
    await expect.element(field).toHaveValue('')
    await field.fill(SOMEBODY)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await press(opener)
    await expect.element(field).toHaveValue('')
  })
})
