import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectText, NARROW, press, SEEN, speechless, TICK_MS, tickUntil, unreachable, visit, visitWithStoppedClock } from './browser.ts'
import { heedComplaints, joinWorld } from './screens/testing.ts'
import { mailedLink, signUp, until } from './world.ts'

const PASSWORD = 'correct horse battery'
const NETWORK = 'An error occurred. Please try again.'
/** As specified. */
const CLEANUP_MS = 1000
const { parley, browser } = await joinWorld()
const complaints = heedComplaints()

async function visitor(path: string): Promise<Page> {
  const { page, complaints: own } = await visit(browser, parley.url)
  complaints.push(own)
  await page.goto(path)
  return page
}

describe('registering', () => {
  const fill = async (page: Page, [name, email, password, confirmation]: readonly string[]) => {
    await page.getByLabel('Full name').fill(name!)
    await page.getByLabel('Email address').fill(email!)
    await page.getByLabel('Password', { exact: true }).fill(password!)
    await page.getByLabel('Confirm password').fill(confirmation!)
    await press(page, 'Create account')
  }

  test('says what is wrong with the form, what the server says, and that it cannot be reached', async () => {
    const page = await visitor('/register')
    await fill(page, ['', 'ana@parley.example', PASSWORD, PASSWORD])
    await expectText(page, 'All fields are required')
    await fill(page, ['Ana', 'ana@parley.example', 'short12', 'short12'])
    await expectText(page, 'Password must be at least 8 characters long')
    await fill(page, ['Ana', 'ana@parley.example', PASSWORD, `${PASSWORD}!`])
    await expectText(page, 'Passwords do not match')
    await fill(page, ['Ana', 'ana at parley', PASSWORD, PASSWORD])
    await expectText(page, 'Please enter a valid email address')
    await fill(page, ['Ana', 'ana@parley.example', 'password1', 'password1'])
    await expectText(page, 'This password is one of the most common ones. Please choose another.')
    await speechless(page, '/api/auth/register')
    await fill(page, ['Ana', 'ana@parley.example', PASSWORD, PASSWORD])
    await expectText(page, 'Registration failed')
    await unreachable(page, '/api/auth/register')
    await press(page, 'Create account')
    await expectText(page, 'An error occurred during registration')
  })

  test('clears the form and says to check the mail', async () => {
    const page = await visitor('/register')
    await fill(page, ['Ana', 'cleared@parley.example', PASSWORD, PASSWORD])
    await expectText(page, 'Account created successfully')
    await expectText(page, 'Please check your email to verify your account.')
    expect(await page.getByLabel('Full name').inputValue()).toBe('')
    for (const label of ['Email address', 'Password', 'Confirm password'])
      expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe('')
  })

  test.each([
    [{ message: 'Look into your mail.' }, 'Look into your mail.'],
    [{ message: '' }, 'Please check your email to verify your account.'],
  ])('says what the server says to it, or its own sentence: %j', async (json, sentence) => {
    const page = await visitor('/register')
    await page.route('**/api/auth/register', (route) => route.fulfill({ status: 201, json }))
    await fill(page, ['Ana', 'told@parley.example', PASSWORD, PASSWORD])
    await expectText(page, 'Account created successfully')
    await expectText(page, sentence)
  })
})

describe('logging in', () => {
  const fill = async (page: Page, email: string, password: string) => {
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await press(page, 'Sign In')
  }

  test('greets by name and opens the dashboard; what goes wrong has its words', async () => {
    await signUp(parley.url, 'login@parley.example', PASSWORD)
    const page = await visitor('/login')
    await fill(page, 'login@parley.example', 'not the password')
    expect(await page.getByRole('alert').innerText()).toMatch(/password/i)
    await speechless(page, '/api/auth/login')
    await press(page, 'Sign In')
    await expectText(page, 'Login failed')
    await unreachable(page, '/api/auth/login')
    await press(page, 'Sign In')
    await expectText(page, 'An error occurred during login')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/auth/login', async (route) => held.promise.then(() => route.continue()), { times: 1 })
    await fill(page, 'login@parley.example', PASSWORD)
    await page.getByRole('button', { name: 'Signing in...' }).waitFor()
    held.resolve()
    await expectText(page, 'Login successful')
    await expectText(page, 'Welcome back, Ada Lovelace!')
    await page.waitForURL('**/dashboard')
    expect(await page.evaluate(() => localStorage.getItem('parley.user'))).toContain('login@parley.example')
  })

  const dialogs = [
    {
      opener: 'Forgot your password?',
      title: 'Reset your password',
      submit: 'Send reset link',
      path: '/api/auth/forgot-password',
      failed: 'Failed to send reset email',
      sent: 'If an account has this address, a link to choose a new password is on its way. Please check your email.',
    },
    {
      opener: "Didn't receive verification email?",
      title: 'Resend verification email',
      submit: 'Resend email',
      path: '/api/auth/resend-verification',
      failed: 'Failed to resend verification email',
      sent: 'If this address waits for verification, a new link is on its way. Please check your email.',
    },
  ]
  test.each(dialogs)('$opener opens a dialog that sends, says so, and forgets what was typed', async (words) => {
    const page = await visitor('/login')
    await press(page, words.opener)
    const dialog = page.getByRole('dialog', { name: words.title })
    const field = dialog.getByLabel('Email address')
    expect(await field.getAttribute('type')).toBe('email')
    expect(await field.evaluate((input: HTMLInputElement) => input.required)).toBe(true)
    await field.fill('somebody@parley.example')
    const refusal = { status: 429, json: { code: 'rate_limited', message: 'Too many mails. Please wait a minute.' } }
    await page.route(`**${words.path}`, (route) => route.fulfill(refusal), { times: 1 })
    await press(page, words.submit)
    await dialog.getByText(refusal.json.message, { exact: true }).waitFor()
    await speechless(page, words.path)
    await press(page, words.submit)
    await dialog.getByText(words.failed, { exact: true }).waitFor()
    await unreachable(page, words.path)
    await press(page, words.submit)
    await dialog.getByText(NETWORK, { exact: true }).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route(`**${words.path}`, async (route) => held.promise.then(() => route.continue()), { times: 1 })
    await press(page, words.submit)
    await dialog.getByRole('button', { name: 'Sending...' }).waitFor()
    held.resolve()
    await dialog.getByText(words.sent, { exact: true }).waitFor()
    await expectText(page, 'Check your email')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    await press(page, words.opener)
    expect(await field.inputValue()).toBe('')
    await field.fill('somebody@parley.example')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await press(page, words.opener)
    expect(await field.inputValue()).toBe('')
  })

  const banners = [
    ['verified=false&error=missing_token', 'No verification token was provided.'],
    ['verified=false&error=invalid_token', 'The verification link is invalid or has already been used.'],
    ['verified=false&error=expired_token', 'The verification link has expired. Please request a new one.'],
    ['verified=false&error=server_error', 'A server error occurred. Please try again later.'],
    ['verified=false&error=anything', 'Please try again or contact support.'],
    ['verified=false', 'Please try again or contact support.'],
  ] as const
  test.each(banners)('/login?%s says why the link failed, and its address is clean a second later', async (query, reason) => {
    const page = await visitor(`/login?${query}`)
    await expectText(page, `Email verification failed. ${reason}`)
    await page.waitForURL(`${parley.url}/login`)
    await expectText(page, `Email verification failed. ${reason}`)
  })

  test('the address stays as it is for a second and no longer', async () => {
    const page = await visitWithStoppedClock(browser, parley.url)
    await page.goto('/login?verified=false&error=invalid_token')
    await tickUntil(page, page.getByRole('alert'))
    await page.clock.runFor(CLEANUP_MS - 2 * TICK_MS)
    expect(new URL(page.url()).search).toBe('?verified=false&error=invalid_token')
    await page.clock.runFor(3 * TICK_MS)
    await expect.poll(() => page.url(), SEEN).toBe(`${parley.url}/login`)
  })

  test('/login?verified=true welcomes by banner and toast', async () => {
    const page = await visitor('/login?verified=true')
    await expectText(page, 'Your email has been verified successfully! You can now log in.')
    await expectText(page, 'Email Verified')
    await page.waitForURL(`${parley.url}/login`)
  })

  test.each([
    ['oauth_temporarily_unavailable', 'Google sign-in is temporarily unavailable. Please try again later or contact support.'],
    ['access_denied', 'Authentication failed. Please try again.'],
  ])('the landing page explains %s and cleans its address', async (message, sentence) => {
    const page = await visitor(`/?auth=error&message=${message}`)
    await expectText(page, sentence)
    await page.waitForURL(`${parley.url}/`)
  })

  test('Google without keys leads back with the reason', async () => {
    const page = await visitor('/login')
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await expectText(page, 'Google sign-in is temporarily unavailable. Please try again later or contact support.')
  })
})

describe('choosing a new password', () => {
  const fill = async (page: Page, password: string, confirmation = password) => {
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Confirm password').fill(confirmation)
    await press(page, 'Reset password')
  }

  test('needs the token of the mail', async () => {
    const page = await visitor('/reset-password')
    await expectText(page, 'No reset token found. Please check your email link.')
    expect(await page.getByLabel('New password').isDisabled()).toBe(true)
    expect(await page.getByLabel('Confirm password').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Reset password' }).isDisabled()).toBe(true)
  })

  test('says what is wrong, and with the mailed link signs in', async () => {
    const email = 'forgetful@parley.example'
    const person = await signUp(parley.url, email, PASSWORD)
    const page = await visitor('/reset-password?token=made-up')
    await fill(page, PASSWORD, 'something else')
    await expectText(page, 'Passwords do not match')
    await fill(page, 'five5')
    await expectText(page, 'Password must be at least 6 characters long')
    await fill(page, 'a new battery')
    await expectText(page, 'The password reset link is invalid or has already been used.')
    await speechless(page, '/api/auth/reset-password')
    await fill(page, 'a new battery')
    await expectText(page, 'Failed to reset password')
    await unreachable(page, '/api/auth/reset-password')
    await fill(page, 'a new battery')
    await expectText(page, NETWORK)

    await person.send('POST', '/api/auth/forgot-password', { email })
    await page.goto(await newLink(email, '/reset-password'))
    await fill(page, 'a new battery')
    await page.waitForURL('**/dashboard')
  })
})

/** The mailed link that leads to a page; another mail may have come before it. */
async function newLink(email: string, path: string): Promise<string> {
  return until(`a link to ${path}`, async () => {
    const link = await mailedLink(parley.url, email)
    return link.includes(path) && link
  })
}

describe('verifying an address', () => {
  test('has words for every way it can end', async () => {
    const page = await visitor('/verify-email')
    await expectText(page, 'Verification Failed')
    await expectText(page, 'No verification token found.')
    await page.goto('/verify-email?token=made-up')
    await expectText(page, 'Verification failed. The link may be expired or invalid.')
    await page.route('**/api/auth/verify-email*', (route) => route.abort(), { times: 1 })
    await page.goto('/verify-email?token=another')
    await expectText(page, 'Verification failed. Please try again.')
    await page.getByRole('link', { name: 'Back to Register' }).click()
    await page.waitForURL('**/register')
    await page.goto('/verify-email?verified=true')
    await expectText(page, 'Email Verified!')
    await page.getByRole('link', { name: 'Continue to Login' }).click()
    await page.waitForURL('**/login')
  })

  test('goes by the mailed link, opened on a phone, to the account', async () => {
    const email = 'phone@parley.example'
    const desk = await visitor('/register')
    await desk.getByLabel('Full name').fill('Ana Poe')
    await desk.getByLabel('Email address').fill(email)
    await desk.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await desk.getByLabel('Confirm password').fill(PASSWORD)
    await press(desk, 'Create account')
    await expectText(desk, 'Please check your email to verify your account.')

    const { page, complaints: own } = await visit(browser, parley.url, { viewport: NARROW, isMobile: true, hasTouch: true })
    complaints.push(own)
    await page.goto(await mailedLink(parley.url, email))
    await expectText(page, 'Email Verified!')
    await page.getByRole('link', { name: 'Continue to Login' }).tap()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign In', exact: true }).tap()
    await page.waitForURL('**/dashboard')
    await expect.poll(() => page.getByRole('banner').innerText(), SEEN).toMatch(/Credits\s*10/)
  })

  test('shows that it is at it', async () => {
    const page = await visitor('/login')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/auth/verify-email*', async (route) => held.promise.then(() => route.continue()), { times: 1 })
    await page.goto('/verify-email?token=slow')
    await expectText(page, 'Verifying your email...')
    held.resolve()
    await expectText(page, 'Verification Failed')
  })
})
