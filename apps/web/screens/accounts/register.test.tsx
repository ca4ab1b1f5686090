import { accountsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const PASSWORD = 'correct horse battery'
const ANA = ['Ana', 'ana@parley.example', PASSWORD, PASSWORD] as const
const LABELS = ['Full name', 'Email address', 'Password', 'Confirm password']

const fieldOf = (label: string) => page.getByLabelText(label, { exact: true })
const alert = page.getByRole('alert')

async function fill(values: readonly string[] = ANA): Promise<void> {
  for (const [at, label] of LABELS.entries()) await fieldOf(label).fill(values[at] ?? '')
  await press('Create account')
}

// screens.md: form-says-comes-account
test('the form shows the free credits, the password rule and the terms to agree to', async () => {
  serve(null)
  await openScreen('/register')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible()
  await expectTexts([
    /^It comes with \d+ free credits, about \d+ minutes of calling\.$/,
    /^By creating an account you agree to the/,
  ])
  await expectTexts([/ and the /, /^Have an account already\?/])
  await expect.element(fieldOf('Password')).toHaveAccessibleDescription('At least 8 characters')
  await expect
    .element(page.getByRole('link', { name: 'Terms of Service' }))
    .toHaveAttribute('href', '/terms-of-service')
  await expect.element(page.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy-policy')
  await expect.element(page.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
  await expect
    .element(page.getByRole('link', { name: 'Continue with Google' }))
    .toHaveAttribute('href', '/api/auth/google')
  for (const label of LABELS) await expect.element(fieldOf(label)).toBeVisible()
})

describe('validation', () => {
  // screens.md: said-field-focus-nothing
  test.each([
    ['All fields are required', ['', ...ANA.slice(1)], 'Full name'],
    ['Password must be at least 8 characters long', ['Ana', 'ana@parley.example', 'short12', 'short12'], 'Password'],
    ['Passwords do not match', ['Ana', 'ana@parley.example', PASSWORD, `${PASSWORD}!`], 'Confirm password'],
    ['Please enter a valid email address', ['Ana', 'ana at parley', PASSWORD, PASSWORD], 'Email address'],
  ])('%s: shows the message, focuses the field and sends no request', async (sentence, values, field) => {
    const api = serve(null)
    await openScreen('/register')
    await fill(values)
    await expect.element(alert).toHaveTextContent(sentence)
    await expect.element(fieldOf(field)).toHaveFocus()
    await expect.element(fieldOf(field)).toBeInvalid()
    expect(api.requests(accountsRoutes.register)).toEqual([])
  })
})

describe('server response', () => {
  // screens.md: shown-says-answer-says
  test('shows the server’s message, or a default after an empty error response or a network error', async () => {
    const api = serve(null)
    api.refuse(accountsRoutes.register, 'weak_password', { message: 'Please choose another password.' })
    await openScreen('/register')
    await fill()
    await expect.element(alert).toHaveTextContent('Please choose another password.')
    expect(await findingsInLooks()).toEqual([])
    api.send(accountsRoutes.register, '', { status: 500 })
    await press('Create account')
    await expect.element(alert).toHaveTextContent('Registration failed')
    api.lose(accountsRoutes.register)
    await press('Create account')
    await expect.element(alert).toHaveTextContent('An error occurred during registration')
  })

  // screens.md: new-account-told-toast
  test.each([
    ['Look into your mail.', 'Look into your mail.'],
    ['', 'Please check your email to verify your account.'],
  ])('success with message %j shows a toast and clears the form', async (message, sentence) => {
    const api = serve(null)
    api.answer(accountsRoutes.register, { message })
    const letGo = api.hold(accountsRoutes.register)
    await openScreen('/register')
    await fill(['  Ana ', ...ANA.slice(1)])
    await expect.element(page.getByRole('button', { name: 'Creating account...' })).toBeVisible()
    letGo()
    await expectTexts(['Account created successfully', sentence], page.getByRole('region', { name: /^Notifications/ }))
    for (const label of LABELS) await expect.element(fieldOf(label)).toHaveValue('')
    expect(bodiesOf(api.requests(accountsRoutes.register))).toEqual([
      { name: 'Ana', email: 'ana@parley.example', password: PASSWORD },
    ])
    expect(await axeFindings()).toEqual([])
  })
})

describe('verification mail', () => {
  const mailed = page.getByRole('main').getByRole('status')

  async function register() {
    const api = serve(null)
    api.answer(accountsRoutes.register, { message: 'Look into your mail.' })
    await openScreen('/register')
    await fill()
    await expectTexts(['We mailed a link to ana@parley.example. Open it to verify your address, then log in.'], mailed)
    return api
  }

  test('is sent again on request, with a confirmation', async () => {
    const api = await register()
    api.answer(accountsRoutes.resendVerification, { message: 'A new link is on its way.' })
    await press('Mail it again')
    await expectTexts(['Check your email', 'A new link is on its way.'])
    expect(bodiesOf(api.requests(accountsRoutes.resendVerification))).toEqual([{ email: 'ana@parley.example' }])
  })

  test('shows why it could not be sent again', async () => {
    const api = await register()
    api.refuse(accountsRoutes.resendVerification, 'rate_limited', { message: 'Too many mails. Please wait a minute.' })
    await press('Mail it again')
    await expectTexts(['Too many mails. Please wait a minute.'], mailed)
    api.send(accountsRoutes.resendVerification, '', { status: 500 })
    await press('Mail it again')
    await expectTexts(['Failed to resend verification email'], mailed)
    api.lose(accountsRoutes.resendVerification)
    await press('Mail it again')
    await expectTexts(['An error occurred. Please try again.'], mailed)
    expect(await axeFindings()).toEqual([])
  })
})
