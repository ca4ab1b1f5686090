import { accountsRoutes, STORED_USER_KEY } from '@parley/contract'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const PASSWORD = 'correct horse battery'
const SESSION = { user: ADA, message: 'Welcome.' }

async function fill(password = PASSWORD): Promise<void> {
  await page.getByLabelText('Email address').fill(ADA.email)
  await page.getByLabelText('Password', { exact: true }).fill(password)
}

describe('login form', () => {
  // screens.md: offers-every-way-beside
  test('shows every sign-in method, the link to /register and an example of call results', async () => {
    serve(null)
    await openScreen('/login')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await expectTexts([
      'Your calls are where you left them.',
      'or',
      /^New to Parley\?/,
      /Table for four at 7 pm$/,
      /Window seat, if one comes free$/,
      /Vegetarian menu: they will call back$/,
    ])
    await expect
      .element(page.getByRole('complementary', { name: 'What a call brings back' }).getByText('Open:'))
      .toBeInTheDocument()
    await expect
      .element(page.getByRole('link', { name: 'Continue with Google' }))
      .toHaveAttribute('href', '/api/auth/google')
    await expect.element(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/register')
    await expect.element(page.getByRole('link', { name: 'Parley, home' })).toHaveAttribute('href', '/')
    await expect.element(page.getByLabelText('Email address')).toHaveAttribute('type', 'email')
    for (const label of ['Email address', 'Password'])
      await expect.element(page.getByLabelText(label, { exact: true })).toBeRequired()
    expect(document.title).toBe('Sign In · Parley')
  })

  test('shows and hides the password', async () => {
    serve(null)
    await openScreen('/login')
    const password = page.getByLabelText('Password', { exact: true })
    await password.fill(PASSWORD)
    await press('Show password')
    await expect.element(password).toHaveAttribute('type', 'text')
    await press('Hide password')
    await expect.element(password).toHaveAttribute('type', 'password')
  })

  test('shows a missing or invalid email address below its field and sends no request', async () => {
    const api = serve(null)
    await openScreen('/login')
    // The browser shows no validation bubble.
    const invalid: Event[] = []
    document.addEventListener('invalid', (event) => invalid.push(event), { capture: true, once: true })
    await press('Sign In')
    await expect.element(page.getByLabelText('Email address')).toHaveFocus()
    await expect.element(page.getByLabelText('Email address')).toBeInvalid()
    await expect
      .element(page.getByLabelText('Email address'))
      .toHaveAccessibleDescription('Please fill in all required fields.')
    await expect
      .element(page.getByLabelText('Password', { exact: true }))
      .toHaveAccessibleDescription('Please fill in all required fields.')
    await page.getByLabelText('Email address').fill('ada at parley')
    await press('Sign In')
    await expect
      .element(page.getByLabelText('Email address'))
      .toHaveAccessibleDescription('Please enter a valid email address')
    await expect.element(page.getByLabelText('Email address')).toHaveFocus()
    expect(invalid.filter(({ defaultPrevented }) => !defaultPrevented)).toEqual([])
    expect(await findingsInLooks()).toEqual([])
    expect(api.requests(accountsRoutes.login)).toEqual([])
  })
})

describe('log in', () => {
  test('a wrong password shows the server’s message and keeps the email address', async () => {
    const api = serve(null)
    api.refuse(accountsRoutes.login, 'wrong_credentials', { message: 'That is not right.' })
    await openScreen('/login')
    await fill('not my password')
    await press('Sign In')
    await expect.element(page.getByRole('alert')).toHaveTextContent('That is not right.')
    await expect.element(page.getByLabelText('Email address')).toHaveValue(ADA.email)
    expect(bodiesOf(api.requests(accountsRoutes.login))).toEqual([{ email: ADA.email, password: 'not my password' }])
    expect(await axeFindings()).toEqual([])
  })

  // screens.md: answer-says-nothing-never
  test('an empty error response and a network error each show their own message', async () => {
    const api = serve(null)
    api.send(accountsRoutes.login, '', { status: 500 })
    await openScreen('/login')
    await fill()
    await press('Sign In')
    await expect.element(page.getByRole('alert')).toHaveTextContent('Login failed')
    api.lose(accountsRoutes.login)
    await press('Sign In')
    await expect.element(page.getByRole('alert')).toHaveTextContent('An error occurred during login')
  })

  test('reads "Signing in..." while pending, then greets on the dashboard and stores the user', async () => {
    const api = serve(null)
    api.answer(accountsRoutes.login, SESSION)
    const letGo = api.hold(accountsRoutes.login)
    const { address } = await openScreen('/login')
    await fill()
    await press('Sign In')
    await expect.element(page.getByRole('button', { name: 'Signing in...' })).toBeVisible()
    serve()
    letGo()
    await expectTexts(['Login successful', 'Welcome back, Ada Lovelace!'])
    await expect.element(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    expect(address()).toBe('/dashboard')
    expect(localStorage.getItem(STORED_USER_KEY)).toContain(ADA.email)
  })

  test('asks for the authenticator code when the server requires it, and sends it', async () => {
    const api = serve(null)
    api.refuse(accountsRoutes.login, 'second_factor_required', { message: 'Enter the code of your app.' })
    await openScreen('/login')
    await fill()
    await press('Sign In')
    const code = page.getByLabelText('Authentication code')
    await expect.element(code).toHaveFocus()
    await expect.element(code).toHaveAccessibleDescription('From your authenticator app, or one of your recovery codes')
    await expect.element(page.getByRole('alert')).toHaveTextContent('Enter the code of your app.')
    expect(await axeFindings()).toEqual([])
    api.refuse(accountsRoutes.login, 'wrong_code', { message: 'That code is not right.' })
    await code.fill('123456')
    await press('Sign In')
    await expect.element(page.getByRole('alert')).toHaveTextContent('That code is not right.')
    expect(bodiesOf(api.requests(accountsRoutes.login)).at(-1)).toEqual({
      email: ADA.email,
      password: PASSWORD,
      code: '123456',
    })
  })

  test('asks for a mailed code as a status, not an error, and mails a new one on request', async () => {
    const api = serve(null)
    api.refuse(accountsRoutes.login, 'email_code_needed', { message: 'We mailed you a code.' })
    await openScreen('/login')
    await fill()
    await press('Sign In')
    await expect
      .element(page.getByLabelText('Code from the email'))
      .toHaveAccessibleDescription(/^Six digits, in the mail/)
    await expectTexts(['We mailed you a code.'], page.getByRole('main').getByRole('status'))
    expect(await axeFindings()).toEqual([])
    await page.getByLabelText('Code from the email').fill('12')
    await press('Mail me a new code')
    const typed = { email: ADA.email, password: PASSWORD }
    await expect.poll(() => bodiesOf(api.requests(accountsRoutes.login))).toEqual([typed, typed])
  })
})

describe('login address', () => {
  // screens.md: login-says-why-link
  test.each([
    ['verified=false&error=missing_token', 'No verification token was provided.'],
    ['verified=false&error=invalid_token', 'The verification link is invalid or has already been used.'],
    ['verified=false&error=expired_token', 'The verification link has expired. Please request a new one.'],
    ['verified=false&error=server_error', 'A server error occurred. Please try again later.'],
    ['verified=false&error=anything', 'Please try again or contact support.'],
    ['verified=false', 'Please try again or contact support.'],
  ])('/login?%s shows why the verification link failed and clears the query', async (query, reason) => {
    serve(null)
    const { address } = await openScreen(`/login?${query}`)
    await expect.element(page.getByRole('alert')).toHaveTextContent(`Email verification failed. ${reason}`)
    await expect.poll(address).toBe('/login')
    await expect.element(page.getByRole('alert')).toHaveTextContent(`Email verification failed. ${reason}`)
  })

  // screens.md: stays-second-longer
  test('keeps the query for 1 second, then clears it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    serve(null)
    const { address } = await openScreen('/login?verified=false&error=invalid_token')
    await expect.element(page.getByRole('alert')).toBeVisible()
    await vi.advanceTimersByTimeAsync(900)
    expect(address()).toBe('/login?verified=false&error=invalid_token')
    await vi.advanceTimersByTimeAsync(100)
    await expect.poll(address).toBe('/login')
    vi.useRealTimers()
  })

  // screens.md: login-verified-true-welcomes
  test('/login?verified=true shows the success banner and a toast', async () => {
    serve(null)
    const { address } = await openScreen('/login?verified=true')
    const sentence = 'Your email has been verified successfully! You can now log in.'
    await expectTexts([sentence], page.getByRole('main').getByRole('status'))
    await expectTexts(['Email Verified', sentence], page.getByRole('region', { name: /^Notifications/ }))
    expect(await axeFindings()).toEqual([])
    await expect.poll(address).toBe('/login')
  })
})
